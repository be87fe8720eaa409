import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A package of this build for `npm install <URL>`. */
export async function packedPackage(name: "client" | "firewall"): Promise<Response> {
  const archive = await readFile(join(process.cwd(), ".next", `tessera-${name}.tgz`));
  const headers = { "Content-Type": "application/gzip", "Cache-Control": "public, max-age=300" };
  return new Response(new Uint8Array(archive), { headers });
}
