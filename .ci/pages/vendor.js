// Makes the vendored file and its manifest anew; with --check it only compares, and fails where they differ.
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

const packages = ["preact", "@preact/signals", "@preact/signals-core", "htm"].map((name) => {
  const { version, license } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, here), "utf8"));
  return { name, version, license };
});
const manifest = {
  file: "preact.js",
  sha256: createHash("sha256").update(content).digest("hex"),
  packages,
  bundler: `esbuild ${JSON.parse(readFileSync(new URL("node_modules/esbuild/package.json", here), "utf8")).version}`,
};

const files = { "preact.js": content, "manifest.json": `${JSON.stringify(manifest, null, 2)}\n` };
for (const [name, text] of Object.entries(files)) {
  const path = new URL(name, folder);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`vendor/${name} is not what the recipe makes: run .ci/pages/vendor`);
    process.exitCode = 1;
  }
}
