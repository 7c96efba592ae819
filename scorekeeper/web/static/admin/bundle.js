// @ts-check
/**
 * Checks an export in the browser: every member's digest, every entry's hash and place, the tree, and both signatures.
 * docs/evidence.md describes the format. The rules of the game are checked only by `scorekeeper verify`.
 */

const FORMAT = "scorekeeper-bundle/2";
const BLOCK = 512;
const SEALED = ["digests", "key", "checkpoint"];
const text = new TextDecoder("utf-8", { fatal: true });
const bytes = new TextEncoder();

/** The bundle differs from what was signed. `where` names a member, or an entry by its position. */
export class Broken extends Error {
  /** @param {string} where */
  constructor(where) {
    super(where);
    this.where = where;
  }
}

/** @param {unknown} holds @param {string} where */
function check(holds, where) {
  if (!holds) throw new Broken(where);
}

/** @param {Uint8Array} content */
const sha256 = async (content) => new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (content)));

/** @param {Uint8Array} content */
const hex = (content) => Array.from(content, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} digits */
const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (each) => parseInt(each, 16));

/** @param {string} base64 */
const unbase64 = (base64) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));

/** @param {(Uint8Array | number[])[]} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** As RFC 8785 writes it; keys are ASCII and numbers whole. @param {any} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** @param {Uint8Array} tar @returns {Map<string, Uint8Array>} contents by name, in their order */
function members(tar) {
  const found = new Map();
  let at = 0;
  while (at + BLOCK <= tar.length && tar[at] !== 0) {
    const head = tar.subarray(at, at + BLOCK);
    const name = text.decode(head.subarray(0, 100)).replace(/\0+$/, "");
    const size = parseInt(text.decode(head.subarray(124, 135)), 8);
    check(size >= 0 && at + BLOCK + size <= tar.length && !found.has(name), name);
    found.set(name, tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  check(tar.length === at + 2 * BLOCK && tar.subarray(at).every((byte) => byte === 0), "tar");
  return found;
}

/** @param {Uint8Array[]} leaves @returns {Promise<Uint8Array>} RFC 9162, section 2.1.1 */
async function root(leaves) {
  let row = leaves;
  // An odd node at the end of a row is carried up unchanged. This gives the tree of RFC 9162.
  while (row.length > 1) {
    /** @type {Promise<Uint8Array>[]} */
    const above = [];
    for (let at = 0; at < row.length; at += 2) {
      const left = /** @type {Uint8Array} */ (row[at]);
      const right = row[at + 1];
      above.push(right === undefined ? Promise.resolve(left) : sha256(joined([1], left, right)));
    }
    row = await Promise.all(above);
  }
  return /** @type {Uint8Array} */ (row[0]);
}

/** Check the entries. @param {string} lines one entry a line @param {string} log @returns {Promise<Uint8Array[]>} their leaf hashes */
async function leaves(lines, log) {
  /** @type {Uint8Array[]} */
  const found = [];
  /** @type {Map<string, {version: number, hash: string}>} */
  const ends = new Map();
  /** @type {Set<number>} */
  const gone = new Set();
  /** @type {Set<number>} */
  const erased = new Set();
  let time = "";
  for (const line of lines.split("\n").slice(0, -1)) {
    const where = String(found.length + 1);
    const entry = JSON.parse(line);
    const { body, header, salt } = entry;
    check(canonical(entry) === line && Object.keys(entry).length === 3, where);
    const before = ends.get(header.stream) ?? { version: 0, hash: null };
    const placed = header.log === log && header.position === found.length + 1;
    check(placed && header.version === before.version + 1 && header.prev === before.hash && header.time >= time, where);
    const leaf = await sha256(joined([0], bytes.encode(canonical(header))));
    if (body === null && salt === null) gone.add(header.position);
    else {
      check(body.type === header.type && /^[0-9a-f]{32}$/.test(salt), where);
      check(hex(await sha256(joined(unhex(salt), bytes.encode(canonical(body))))) === header.digest, where);
      if (header.stream === "league" && body.type === "content_erased") for (const each of body.positions) erased.add(each);
    }
    found.push(leaf);
    ends.set(header.stream, { version: header.version, hash: hex(leaf) });
    time = header.time;
  }
  const unlike = [...gone, ...erased].find((each) => gone.has(each) !== erased.has(each));
  check(unlike === undefined, String(unlike));
  return found;
}

/** Check the signature of a note. @param {string} note @param {string} log @param {Uint8Array} key with the byte of its type in front @param {string} where @returns {Promise<string>} the signed text */
async function opened(note, log, key, where) {
  const [whole, signed, signature] = /^([\s\S]*\n)\n— \S+ (\S+)\n$/.exec(note) ?? [];
  check(whole !== undefined && signed !== undefined && signature !== undefined, where);
  const made = unbase64(/** @type {string} */ (signature));
  const id = (await sha256(joined(bytes.encode(`${log}\n`), key))).subarray(0, 4);
  check(note === `${signed}\n— ${log} ${signature}\n` && hex(made.subarray(0, 4)) === hex(id) && key[0] === 1, where);
  const held = await crypto.subtle.importKey("raw", key.slice(1), "Ed25519", false, ["verify"]);
  check(await crypto.subtle.verify("Ed25519", held, made.slice(4), bytes.encode(signed)), where);
  return /** @type {string} */ (signed);
}

/**
 * @param {Uint8Array} tar
 * @returns {Promise<{size: number, root: string, key: string}>} the signed checkpoint and the key, in hexadecimal; throws Broken
 */
export async function checked(tar) {
  const found = members(tar);
  /** @param {string} name */
  const member = (name) => {
    check(found.has(name), name);
    return text.decode(found.get(name));
  };
  const names = [...found.keys()];
  check(names.slice(-4).join() === [...SEALED, "seal"].join(), "seal");
  /** @param {string[]} of */
  const digests = async (of) => {
    const lines = of.map(async (name) => `${hex(await sha256(/** @type {Uint8Array} */ (found.get(name))))}  ${name}\n`);
    return (await Promise.all(lines)).join("");
  };
  const told = member("digests");
  const own = await digests(names.slice(0, -4));
  if (told !== own) {
    const lines = told.split("\n");
    throw new Broken(names.find((_, at) => own.split("\n")[at] !== lines[at]) ?? "digests");
  }
  const { format, league, log, root: said, size } = JSON.parse(member("manifest.json"));
  check(format === FORMAT && log.split("/")[1] === league, "manifest.json");
  const lines = names.filter((name) => name.startsWith("entries/")).map(member).join("");
  const hashes = await leaves(lines, log);
  check(hashes.length === size && hashes.length > 0 && hex(await root(hashes)) === said, "manifest.json");
  const written = member("key").trim();
  const key = unbase64(written.split("+").slice(2).join("+"));
  const rooted = btoa(String.fromCharCode(...unhex(said)));
  check((await opened(member("checkpoint"), log, key, "checkpoint")) === `${log}\n${size}\n${rooted}\n`, "checkpoint");
  check((await opened(member("seal"), log, key, "seal")) === `${FORMAT}\n${log}\n${await digests(SEALED)}`, "seal");
  return { size, root: said, key: written };
}
