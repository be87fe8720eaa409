import { z } from "zod";
import { type Address, addressText } from "@/lib/core/address";
import { amount, ZERO } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { NETWORKS } from "@/lib/x402/networks";
import type { Mandate } from "./store";

const FIELDS = [
  { name: "mandateId", type: "string" },
  { name: "agentId", type: "string" },
  { name: "owner", type: "address" },
  { name: "wallet", type: "address" },
  { name: "asset", type: "address" },
  { name: "limitAmount", type: "uint256" },
  { name: "maxAmountPerPayment", type: "uint256" },
  { name: "validFrom", type: "uint64" },
  { name: "validUntil", type: "uint64" },
  { name: "hostAllowlist", type: "string[]" },
  { name: "category", type: "string" },
  { name: "naturalLanguage", type: "string" },
] as const;

/** Version 1: a mandate that does not confirm payees. Its type and hash do not change. Version 2 states that it does. */
const VERSIONS = {
  "1": { SpendingMandate: FIELDS },
  "2": { SpendingMandate: [...FIELDS, { name: "confirmPayees", type: "bool" }] },
} as const;

/** uint64 Unix seconds; a decimal string in JSON. */
const seconds = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String });

export const typedDataView = z.object({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.number() }),
  types: z.object({ SpendingMandate: z.array(z.object({ name: z.string(), type: z.string() })).readonly() }),
  primaryType: z.literal("SpendingMandate"),
  message: z.object({
    mandateId: z.string(),
    agentId: z.string(),
    owner: addressText,
    wallet: addressText,
    asset: addressText,
    limitAmount: amount,
    maxAmountPerPayment: amount,
    validFrom: seconds,
    validUntil: seconds,
    hostAllowlist: z.array(z.string()),
    category: z.string(),
    naturalLanguage: z.string(),
    /** Only in version 2, and true. */
    confirmPayees: z.boolean().optional(),
  }),
});

/**
 * The EIP-712 data that an owner signs. EIP-712 has no null: 0 means no cap on one payment, an empty list any host, and an
 * empty string no category. In JSON the integers are decimal strings.
 */
export const typedDataOf = (m: Mandate, owner: Address, wallet: Address) => ({
  domain: { name: "Agent Spending Mandate", version: versionOf(m), chainId: NETWORKS[m.network].chainId },
  types: VERSIONS[versionOf(m)],
  primaryType: "SpendingMandate" as const,
  message: {
    mandateId: m.id,
    agentId: m.agentId,
    owner,
    wallet,
    asset: NETWORKS[m.network].usdc,
    limitAmount: m.limitAmount,
    maxAmountPerPayment: m.maxAmountPerPayment ?? ZERO,
    validFrom: BigInt(unixSeconds(m.validFrom)),
    validUntil: BigInt(unixSeconds(m.validUntil)),
    hostAllowlist: m.hostAllowlist ?? [],
    category: m.category ?? "",
    naturalLanguage: m.naturalLanguage,
    ...(m.confirmPayees && { confirmPayees: true }),
  },
});

const versionOf = ({ confirmPayees }: Pick<Mandate, "confirmPayees">) => (confirmPayees ? "2" : "1");

export type MandateTypedData = ReturnType<typeof typedDataOf>;
