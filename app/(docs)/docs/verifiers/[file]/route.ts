import { PUBLISHED_FILES } from "@/lib/docs/pages";
import { readDocs } from "@/lib/docs/read";
import { noSuchPage, plainResponse } from "@/lib/docs/responses";
import { system } from "@/lib/wiring";

/** Code that a page shows, as a file. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }) {
  const file = `verifiers/${(await params).file}`;
  return PUBLISHED_FILES.includes(file) ? plainResponse(readDocs(file, system().config.baseUrl)) : noSuchPage();
}
