import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const GZIP_BYTES_MAX = 9050;

async function sizeOf(entry: string): Promise<{ bytes: number; inputs: string[]; code: string }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    // Imported only when a seller speaks MPP, and for passes: no part of the core.
    external: ["*/challenges.ts", "*/passes.ts"],
    platform: "browser",
    target: "es2022",
    format: "esm",
    minify: true,
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const code = outputFiles[0]?.text ?? "";
  const bytes = gzipSync(code, { level: 9 }).length;
  process.stdout.write(`@tessera/client ${entry}: ${bytes} bytes gzip, ${code.length} minified\n`);
  return { bytes, code, inputs: Object.keys(metafile.inputs) };
}

test("the client's core has at most 9,050 bytes after gzip, and only its own files and those of x402", async () => {
  const { bytes, inputs, code } = await sizeOf("index.ts");
  expect(bytes).toBeLessThanOrEqual(GZIP_BYTES_MAX);
  expect(inputs.filter((input) => !/packages\/(?:client|x402)\/src\//.test(input))).toEqual([]);
  expect(code).not.toMatch(/["']node:|\bBuffer\b|\bprocess\./);
});
