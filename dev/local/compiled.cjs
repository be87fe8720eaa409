// Preloaded by the server: caches V8's compiled code of the bundle, since compiling is most of the start-up time.
// The server still runs the same source: a changed file is compiled again.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const vm = require("node:vm");

const directory = process.env.COMPILED_DIR;
/** By then the functions that every start calls are compiled. */
const KEEP_AFTER_MS = 8_000;
const LONG = 20_000;
const SERVICE = join("@tessera", "lib", "service.js");

const read = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

/** Compiled since the start and not cached before. */
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
    // Cached code has no dynamic import. The service is compiled without, and only speaks of it in comments.
    const hasImport = content.includes("import(") && !filename.endsWith(SERVICE);
    if (content.length < LONG || content.startsWith("#!") || hasImport)
      return compile.call(this, content, filename, ...rest);
    // The content too: V8 compares no more of it than its length.
    const name = createHash("sha1").update(process.version).update(filename).update(content).digest("hex");
    const path = join(directory, name);
    const script = new vm.Script(Module.wrap(content), { filename, cachedData: read(path) });
    if (script.cachedDataRejected !== false) fresh.push({ script, path });
    const require = Module.createRequire(filename);
    return script.runInThisContext().call(this.exports, this.exports, require, this, filename, dirname(filename));
  };
  setTimeout(keep, KEEP_AFTER_MS).unref();
}
