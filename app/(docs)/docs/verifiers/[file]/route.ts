import { textAt } from "@/lib/docs/text";
import { system } from "@/lib/wiring";

/** Serves the code samples of the documentation as files. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }) {
  return textAt(system().config, ["verifiers", (await params).file], "");
}
