// Makes the vendored file, its manifest and its licences anew; with --check it only compares, and fails where they differ.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = new URL("./", import.meta.url);
const folder = new URL("../../scorekeeper/web/static/vendor/", here);

const made = await build({
  absWorkingDir: fileURLToPath(here),
  entryPoints: ["vendored.js"],
  bundle: true,
  charset: "utf8",
  format: "esm",
  legalComments: "none",
  minify: true,
  target: "es2022",
  write: false,
});
const content = made.outputFiles[0].text;

const packaged = (name, file) => readFileSync(new URL(`node_modules/${name}/${file}`, here), "utf8");
const packages = ["preact", "@preact/signals", "@preact/signals-core", "htm"].map((name) => {
  const { version, license } = JSON.parse(packaged(name, "package.json"));
  return { name, version, license };
});
// Their licences ask that whoever hands on a copy hands on the text as well.
const licences = packages.map(({ name, version }) => `${name} ${version}\n\n${packaged(name, "LICENSE").trim()}\n`).join("\n\n");
const manifest = {
  file: "preact.js",
  sha256: createHash("sha256").update(content).digest("hex"),
  packages,
  bundler: `esbuild ${JSON.parse(readFileSync(new URL("node_modules/esbuild/package.json", here), "utf8")).version}`,
};

const files = { "preact.js": content, "manifest.json": `${JSON.stringify(manifest, null, 2)}\n`, "preact.LICENSE.txt": licences };
for (const [name, text] of Object.entries(files)) {
  const path = new URL(name, folder);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`vendor/${name} is not what the recipe makes: run .ci/with-node node .ci/pages/vendor.js`);
    process.exitCode = 1;
  }
}
