import { z } from "zod";
import { type Address, ZERO_ADDRESS } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { amount, type Usdc, ZERO } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import type { Terms } from "@/lib/vaults/terms";
import { DOMAIN_TYPE, typesView } from "@/lib/x402/domain-type";
import { NETWORKS } from "@/lib/x402/networks";
import { hasPeriods } from "./periods";
import type { Mandate } from "./store";

const PARTIES = [
  { name: "mandateId", type: "string" },
  { name: "agentId", type: "string" },
  { name: "owner", type: "address" },
] as const;
const LIMITS = [
  { name: "asset", type: "address" },
  { name: "limitAmount", type: "uint256" },
  { name: "maxAmountPerPayment", type: "uint256" },
  { name: "validFrom", type: "uint64" },
  { name: "validUntil", type: "uint64" },
  { name: "hostAllowlist", type: "string[]" },
  { name: "category", type: "string" },
  { name: "naturalLanguage", type: "string" },
] as const;
const FIELDS = [...PARTIES, { name: "wallet", type: "address" }, ...LIMITS] as const;

const CONFIRMED = [...FIELDS, { name: "confirmPayees", type: "bool" }] as const;
/** Caps of calendar days and months in UTC. 0 means no cap. */
const PERIODS = [
  { name: "maxAmountPerDay", type: "uint256" },
  { name: "maxAmountPerMonth", type: "uint256" },
] as const;

/**
 * Version 1: does not confirm payees; its type and hash never change. Version 2: confirms payees. Version 4: has a budget for
 * each day or month, and states whether it confirms payees.
 */
const VERSIONS = {
  "1": { SpendingMandate: FIELDS },
  "2": { SpendingMandate: CONFIRMED },
  "4": { SpendingMandate: [...CONFIRMED, ...PERIODS] },
} as const;

/** Fields of a mandate with a vault. They leave out the vault's address, which is derived from this data's hash. */
const VAULT_FIELDS = [
  ...PARTIES,
  ...LIMITS,
  { name: "confirmPayees", type: "bool" },
  { name: "vaultFactory", type: "address" },
  { name: "signer", type: "address" },
  { name: "agentKey", type: "address" },
  { name: "releaseAmount", type: "uint256" },
  { name: "releaseSeconds", type: "uint32" },
  { name: "payees", type: "address[]" },
] as const;

/** Version 5 has a budget for each day or month. */
const VAULT_VERSIONS = {
  "3": { SpendingMandate: VAULT_FIELDS },
  "5": { SpendingMandate: [...VAULT_FIELDS, ...PERIODS] },
} as const;

export const MANDATE_DOMAIN_NAME = "Agent Spending Mandate";

/** The types of every version. */
export const MANDATE_VERSIONS = [...Object.values(VERSIONS), ...Object.values(VAULT_VERSIONS)];

/** Types that owners sign for a vault, besides the mandate. */
export { VAULT_DOMAIN, VAULT_TYPES, VAULT_USDC_TYPES } from "@/lib/vaults/typed-data";

/** uint64 Unix seconds; a decimal string in JSON. */
export const seconds = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String });

const parties = { mandateId: z.string(), agentId: z.string(), owner: addressText };
const limits = {
  asset: addressText,
  limitAmount: amount,
  maxAmountPerPayment: amount,
  validFrom: seconds,
  validUntil: seconds,
  hostAllowlist: z.array(z.string()),
  category: z.string(),
  naturalLanguage: z.string(),
};

/** In versions 4 and 5. */
const periods = { maxAmountPerDay: amount.optional(), maxAmountPerMonth: amount.optional() };

const mandateData = <M extends z.ZodType>(message: M) =>
  z.object({
    domain: z.object({ name: z.string(), version: z.string(), chainId: z.number() }),
    types: typesView("SpendingMandate", DOMAIN_TYPE),
    primaryType: z.literal("SpendingMandate"),
    message,
  });

export const typedDataView = mandateData(
  z.object({
    ...parties,
    wallet: addressText,
    ...limits,
    /** In version 2, always true; in version 4. */
    confirmPayees: z.boolean().optional(),
    ...periods,
  }),
);

export const vaultTypedDataView = mandateData(
  z.object({
    ...parties,
    ...limits,
    confirmPayees: z.boolean(),
    vaultFactory: addressText,
    signer: addressText,
    agentKey: addressText,
    releaseAmount: amount,
    releaseSeconds: z.number(),
    payees: z.array(addressText).readonly(),
    ...periods,
  }),
);

/**
 * The EIP-712 data that an owner signs. EIP-712 has no null: 0 means no cap on one payment, an empty list any host, and an
 * empty string no category. In JSON the integers are decimal strings.
 */
export const typedDataOf = (m: Mandate, owner: Address, wallet: Address) => ({
  domain: domainOf(m, versionOf(m)),
  types: VERSIONS[versionOf(m)],
  primaryType: "SpendingMandate" as const,
  message: {
    ...messageOf(m, owner),
    wallet,
    ...(versionOf(m) !== "1" && { confirmPayees: m.confirmPayees ?? false }),
    ...periodsOf(m),
  },
});

/** The EIP-712 data of a mandate with a vault. 0 and an empty list mean: no agent's key, all at once, any payee. */
export const vaultTypedDataOf = (
  m: Mandate,
  owner: Address,
  { signer, contractVersion }: Pick<Terms, "signer" | "contractVersion">,
) => ({
  domain: domainOf(m, vaultVersionOf(m)),
  types: VAULT_VERSIONS[vaultVersionOf(m)],
  primaryType: "SpendingMandate" as const,
  message: {
    ...messageOf(m, owner),
    confirmPayees: m.confirmPayees ?? false,
    vaultFactory: VAULT_CONTRACTS[contractVersion].factory.address,
    signer,
    agentKey: m.vaultAgentKey ?? ZERO_ADDRESS,
    releaseAmount: m.vaultReleaseAmount ?? ZERO,
    releaseSeconds: m.vaultReleaseSeconds ?? 0,
    payees: m.vaultPayees ?? [],
    ...periodsOf(m),
  },
});

const domainOf = (m: Mandate, version: string) => ({
  name: MANDATE_DOMAIN_NAME,
  version,
  chainId: NETWORKS[m.network].chainId,
});

const messageOf = (m: Mandate, owner: Address) => ({
  mandateId: m.id,
  agentId: m.agentId,
  owner,
  asset: NETWORKS[m.network].usdc,
  limitAmount: m.limitAmount,
  maxAmountPerPayment: m.maxAmountPerPayment ?? ZERO,
  validFrom: BigInt(unixSeconds(m.validFrom)),
  validUntil: BigInt(unixSeconds(m.validUntil)),
  hostAllowlist: m.hostAllowlist ?? [],
  category: m.category ?? "",
  naturalLanguage: m.naturalLanguage,
});

const versionOf = (m: Mandate) => (hasPeriods(m) ? "4" : m.confirmPayees ? "2" : "1");
const vaultVersionOf = (m: Mandate) => (hasPeriods(m) ? "5" : "3");

const periodsOf = (m: Mandate): { maxAmountPerDay?: Usdc; maxAmountPerMonth?: Usdc } =>
  hasPeriods(m) ? { maxAmountPerDay: m.maxAmountPerDay ?? ZERO, maxAmountPerMonth: m.maxAmountPerMonth ?? ZERO } : {};

export type MandateTypedData = ReturnType<typeof typedDataOf>;
export type VaultMandateTypedData = ReturnType<typeof vaultTypedDataOf>;
