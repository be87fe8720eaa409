import { llmsFullText } from "@/lib/docs/llms";
import { plainResponse } from "@/lib/docs/responses";
import { docsSite } from "@/lib/docs/service";
import { system } from "@/lib/wiring";

export function GET() {
  const { config } = system();
  return plainResponse(llmsFullText(config.baseUrl, docsSite(config)));
}
