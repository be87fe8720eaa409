import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A package of this build as `npm install <URL>` takes it. */
export async function packedPackage(name: "client" | "firewall"): Promise<Response> {
  const archive = await readFile(join(process.cwd(), ".next", `tessera-${name}.tgz`));
  const headers = { "Content-Type": "application/gzip", "Cache-Control": "public, max-age=300" };
  return new Response(new Uint8Array(archive), { headers });
}
