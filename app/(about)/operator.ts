import type { Operator } from "@/components/about/operator";
import { system } from "@/lib/wiring";

/** The operator's details, as configured. */
export function operator(): Operator {
  const { site, baseUrl } = system().config;
  return { ...site.operator, host: new URL(baseUrl).host };
}
