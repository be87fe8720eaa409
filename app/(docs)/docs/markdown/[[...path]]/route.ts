import { textAt } from "@/lib/docs/text";
import { system } from "@/lib/wiring";

/** The text form of an address below /docs: next.config.ts rewrites `.md` and `Accept: text/markdown` to it. */
export async function GET(req: Request, { params }: { params: Promise<{ path?: string[] }> }) {
  const { path = [] } = await params;
  return textAt(system().config, path, new URL(req.url).searchParams.get("q") ?? "");
}
