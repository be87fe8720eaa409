import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const dynamic = "force-dynamic";

/** The packed `packages/client` of this build, for `npm install <base url>/tessera-client.tgz`. */
export async function GET(): Promise<Response> {
  const archive = await readFile(join(process.cwd(), ".next", "tessera-client.tgz"));
  const headers = { "Content-Type": "application/gzip", "Cache-Control": "public, max-age=300" };
  return new Response(new Uint8Array(archive), { headers });
}
