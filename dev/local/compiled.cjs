// Loaded before the server: keeps what V8 makes of the bundle's files, since compiling them is most of what a start costs.
// The server runs the same text all the same: a file that has changed is compiled again.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const vm = require("node:vm");

const directory = process.env.COMPILED_DIR;
/** By then the functions that every start calls have been compiled too. */
const KEEP_AFTER_MS = 8_000;
const LONG = 20_000;

const read = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

/** Compiled since the start, with nothing kept of an earlier one. */
const fresh = [];

function keep() {
  for (const { script, path } of fresh.splice(0)) {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, path);
  }
}

if (directory) {
  mkdirSync(directory, { recursive: true });
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename, ...rest) {
    // What is kept knows no way to import a module later.
    if (content.length < LONG || content.startsWith("#!") || content.includes("import("))
      return compile.call(this, content, filename, ...rest);
    const name = createHash("sha1").update(process.version).update(filename).update(content).digest("hex");
    const path = join(directory, name);
    const script = new vm.Script(Module.wrap(content), { filename, cachedData: read(path) });
    if (script.cachedDataRejected !== false) fresh.push({ script, path });
    const require = Module.createRequire(filename);
    return script.runInThisContext().call(this.exports, this.exports, require, this, filename, dirname(filename));
  };
  setTimeout(keep, KEEP_AFTER_MS).unref();
}
