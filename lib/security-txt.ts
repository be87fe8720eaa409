import { addSeconds } from "@/lib/core/time";
import type { Config } from "@/lib/platform/config";

const DAY_SECONDS = 86_400;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/** The text of /.well-known/security.txt (RFC 9116). Contact is the page /security if the operator has set no contact. */
export function securityText({ baseUrl, site }: Pick<Config, "baseUrl" | "site">, now: Date): string {
  const today = new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`);
  const page = `${baseUrl}/security`;
  const fields = [
    ["Contact", site.operator.securityContact ?? page],
    ["Expires", addSeconds(today, VALID_DAYS * DAY_SECONDS).toISOString()],
    ["Preferred-Languages", "en"],
    ["Canonical", `${baseUrl}/.well-known/security.txt`],
    ["Policy", page],
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join("");
}
