// Unpacks the browser that lies in a package, and prints where its program is and where its libraries are.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

const modules = new URL("node_modules/", import.meta.url);
const packed = new URL("@sparticuz/chromium/bin/", modules);
const place = new URL(".chromium/", modules);
const unpacked = (name) => brotliDecompressSync(readFileSync(new URL(name, packed)));

if (!existsSync(new URL("chromium", place))) {
  mkdirSync(place, { recursive: true });
  for (const name of ["al2023.tar.br", "swiftshader.tar.br"]) {
    execFileSync("tar", ["--extract", "--directory", place.pathname], { input: unpacked(name) });
  }
  writeFileSync(new URL("chromium.part", place), unpacked("chromium.br"), { mode: 0o755 });
  renameSync(new URL("chromium.part", place), new URL("chromium", place));
}
console.log(JSON.stringify({ program: new URL("chromium", place).pathname, libraries: new URL("lib", place).pathname }));
