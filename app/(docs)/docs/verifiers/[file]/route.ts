import { textAt } from "@/lib/docs/text";
import { system } from "@/lib/wiring";

/** Code that a page shows, as a file. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }) {
  return textAt(system().config.baseUrl, ["verifiers", (await params).file], "");
}
