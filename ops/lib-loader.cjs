// For Next's bundler: a module of lib/ is what the compiled package has (ops/compile-lib.ts).
const { relative, sep } = require("node:path");

/** @this {{ resourcePath: string }} */
module.exports = function () {
  const name = relative(process.cwd(), this.resourcePath).split(sep).join("/").replace(/\.ts$/, "");
  return `module.exports = require("@tessera/lib").load(${JSON.stringify(name)});`;
};
