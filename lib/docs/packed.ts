import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleOf } from "./bundle";

const packed = (name: "client" | "firewall"): Promise<Buffer> =>
  readFile(join(process.cwd(), ".next", `tessera-${name}.tgz`));

const download = (bytes: Buffer, type: string): Response =>
  new Response(new Uint8Array(bytes), { headers: { "Content-Type": type, "Cache-Control": "public, max-age=300" } });

/** A package of this build for `npm install <URL>`. */
export const packedPackage = async (name: "client" | "firewall"): Promise<Response> =>
  download(await packed(name), "application/gzip");

let built: { baseUrl: string; bytes: Buffer } | undefined;

/** The client's MCP server as a bundle. Built once per process. */
export async function clientBundle(baseUrl: string): Promise<Response> {
  if (built?.baseUrl !== baseUrl) built = { baseUrl, bytes: bundleOf(await packed("client"), baseUrl) };
  return download(built.bytes, "application/zip");
}
