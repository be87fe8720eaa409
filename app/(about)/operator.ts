import type { Operator } from "@/components/about/operator";
import { system } from "@/lib/wiring";

/** Who runs this service, as far as they said. */
export function operator(): Operator {
  const { site, baseUrl } = system().config;
  return { ...site.operator, host: new URL(baseUrl).host };
}
