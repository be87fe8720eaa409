import { decodeEventLog, type Hex } from "viem";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { TOKEN_ABI } from "@/lib/x402/token";
import type { Use } from "./chain";

/**
 * Pairs each AuthorizationUsed with its Transfer: the next one from the same account before any other use. An
 * authorization that was used without a transfer has no payment.
 */
export function usesIn(logs: { topics: readonly Hex[]; data: Hex }[]): Use[] {
  const uses: Use[] = [];
  let open: Use | undefined;
  for (const log of logs) {
    const event = decodeTokenLog(log);
    if (event?.eventName === "AuthorizationUsed") {
      open = { payer: toAddress(event.args.authorizer), nonce: event.args.nonce, transfer: null };
      uses.push(open);
    } else if (event?.eventName === "Transfer" && open && toAddress(event.args.from) === open.payer) {
      open.transfer = { to: toAddress(event.args.to), value: toUsdc(event.args.value) };
      open = undefined;
    }
  }
  return uses;
}

function decodeTokenLog(log: { topics: readonly Hex[]; data: Hex }) {
  try {
    return decodeEventLog({ abi: TOKEN_ABI, topics: log.topics as [Hex, ...Hex[]], data: log.data });
  } catch {
    // Another event of the token (Approval, Mint).
    return null;
  }
}
