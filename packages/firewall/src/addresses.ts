import { isBurn, isReserved, isTokenContract, ZERO } from "./chain/accounts.ts";

/**
 * Why tokens sent to an address are lost, judged from the address alone: nobody can spend from it (`burn`), it is a
 * precompile or kept for one (`reserved`), or it is a token's own contract (`token`). null when none of these is known.
 */
export function unpayable(address: string): "burn" | "reserved" | "token" | null {
  const text = address.toLowerCase();
  if (text === ZERO || isBurn(text)) return "burn";
  if (isReserved(text)) return "reserved";
  return isTokenContract(text) ? "token" : null;
}
