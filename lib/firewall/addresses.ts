import type { Address } from "@/lib/core/address";
import { isBurn, isReserved, isTokenContract, ZERO } from "./rules/accounts";

/** Why tokens sent to an address are lost, as far as the address itself tells. */
export function unpayable(address: Address): "burn" | "reserved" | "token" | null {
  const text = address.toLowerCase();
  if (text === ZERO || isBurn(text)) return "burn";
  if (isReserved(text)) return "reserved";
  return isTokenContract(text) ? "token" : null;
}
