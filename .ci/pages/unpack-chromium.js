// Unpacks the browser that lies in a package, and prints where its program is and where its libraries are.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

if (process.platform !== "linux" || process.arch !== "x64") {
  console.error(`The browser that comes along runs on Linux on x86-64 only, and this is ${process.platform} on ${process.arch}.`);
  console.error("Install chromium, and run: .venv/bin/pytest -m 'browser and not slow' tests/browser");
  process.exit(1);
}

const modules = new URL("node_modules/", import.meta.url);
const packed = new URL("@sparticuz/chromium/bin/", modules);
const place = new URL(".chromium/", modules);
const unpacked = (name) => brotliDecompressSync(readFileSync(new URL(name, packed)));

if (!existsSync(new URL("chromium", place))) {
  mkdirSync(place, { recursive: true });
  for (const name of ["al2023.tar.br", "swiftshader.tar.br"]) {
    execFileSync("tar", ["--extract", "--directory", fileURLToPath(place)], { input: unpacked(name) });
  }
  writeFileSync(new URL("chromium.part", place), unpacked("chromium.br"), { mode: 0o755 });
  renameSync(new URL("chromium.part", place), new URL("chromium", place));
}
console.log(JSON.stringify({ program: fileURLToPath(new URL("chromium", place)), libraries: fileURLToPath(new URL("lib", place)) }));
