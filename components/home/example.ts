import type { ShownMandate } from "@/components/mandates/words";
import { agentId } from "@/lib/core/id-text";
import { formatUsdc, toUsdc, ZERO } from "@/lib/core/usdc";

/** The mandate of our pictures: what an agent could ask for. */
export const EXAMPLE_AGENT = "Research agent";
export const EXAMPLE_INTENT = {
  naturalLanguage: "Buy weather and market data for the weekly report, about one request an hour",
  limitAmount: "10000000",
  maxAmountPerPayment: "500000",
  validForSeconds: 7 * 86_400,
  hostAllowlist: ["data.example.com", "weather.example.com"],
};

/** The same as its owner sees it before signing. */
export function exampleMandate(now: Date): ShownMandate {
  const limit = toUsdc(BigInt(EXAMPLE_INTENT.limitAmount));
  const nothing = formatUsdc(ZERO);
  return {
    mandateId: "mand_example",
    agentId: agentId.parse("5f0c7a52-3b1e-4c58-9a44-2f6d1e8b7c30"),
    agentName: EXAMPLE_AGENT,
    ownerAddress: null,
    walletAddress: null,
    mode: "wallet",
    vault: null,
    status: "pending_signature",
    isEnabled: true,
    requestedBy: "agent",
    naturalLanguage: EXAMPLE_INTENT.naturalLanguage,
    category: null,
    currency: "USDC",
    network: "base",
    limitAmount: limit,
    limitAmountFormatted: formatUsdc(limit),
    maxAmountPerPayment: toUsdc(BigInt(EXAMPLE_INTENT.maxAmountPerPayment)),
    maxAmountPerDay: null,
    maxAmountPerMonth: null,
    today: null,
    thisMonth: null,
    spentAmount: ZERO,
    spentAmountFormatted: nothing,
    pendingSpentAmount: ZERO,
    pendingSpentAmountFormatted: nothing,
    remainingAmount: limit,
    remainingAmountFormatted: formatUsdc(limit),
    validFrom: now,
    validUntil: new Date(now.getTime() + EXAMPLE_INTENT.validForSeconds * 1_000),
    hostAllowlist: EXAMPLE_INTENT.hostAllowlist,
    asked: null,
    confirmPayees: false,
    proposesConfirmation: true,
    mandateHash: null,
    replaces: null,
    replacedBy: null,
    signedAt: null,
    createdAt: now,
    updatedAt: now,
    detailsUrl: "",
    signUrl: "",
  };
}
