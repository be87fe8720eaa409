import { plainResponse } from "@/lib/docs/responses";
import { securityText } from "@/lib/security-txt";
import { system } from "@/lib/wiring";

export function GET() {
  const { config, now } = system();
  return plainResponse(securityText(config, now()));
}
