import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { agentId, anyIdText } from "@/lib/core/id-text";
import type { MandateId } from "@/lib/core/ids";
import { amount, formatUsdc, type Usdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { isoDate } from "@/lib/core/time-text";
import type { KeyFor } from "@/lib/platform/secrets";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { releasedBy } from "@/lib/vaults/terms";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { askedOf } from "./asked";
import { lackingPeriod, largestPayment, type PeriodBudget, periodOf } from "./periods";
import { type Charge, closing, type MandateRefusal, remaining, spendable, statusOf } from "./rules";
import type { Mandate } from "./store";
import type { VaultRow } from "./vaults/store";
import { signedVault } from "./vaults/terms";

export const vaultView = z.object({
  address: addressText,
  factory: addressText,
  funding: z.enum(["now", "permit"]).describe("permit: the money stays in the owner's wallet until it is needed"),
  state: z.enum(["opening", "open", "closing", "closed", "failed"]),
  failure: z.string().nullable().describe("Why it can never be opened, in words for the owner"),
  funded: amount.describe("What came in, as far as the contract counted it"),
  balance: amount,
  spent: amount.describe("What left, by the contract's count: payments, and what was returned to the owner"),
  returned: amount.describe(
    "What went back to the owner, from the vault and its pocket, as far as the chain was searched for it",
  ),
  released: amount.describe("What may have been spent by now, in all"),
  release: z.object({ amount, seconds: z.number() }).nullable(),
  agentKey: addressText.nullable().describe("A key that signs each payment as well"),
  payees: z.number().nullable().describe("How many addresses it may pay; null: any"),
  pocket: z
    .object({ address: addressText, balance: amount })
    .nullable()
    .describe(
      "The account through which it pays sellers that refuse contracts, with what is in it; null until one did",
    ),
  isRevoked: z.boolean().describe("Whether the owner revoked it on the chain"),
  readAtBlock: z
    .string()
    .nullable()
    .describe("The block whose state funded, balance, spent and isRevoked are; null: none was read yet"),
});

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
export const mandateId = z
  .custom<MandateId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be a mandate id (mand_…)",
  )
  .meta(anyIdText);
/** The budget of a calendar day or month in UTC. */
const periodView = z.object({
  usedAmount: amount.describe("Reserved or paid in it"),
  remainingAmount: amount,
  resetsAt: isoDate.meta({ description: "When the next one begins" }),
});
export const mandateView = z.object({
  mandateId,
  agentId,
  /** Where the mandate's money is; `wallet` before the signature. */
  mode: z.enum(["wallet", "vault"]),
  /** Null unless it was signed with a vault. */
  vault: vaultView.nullable(),
  status: z.enum(["draft", "pending_signature", "signed", "rejected", "revoked", "expired", "exhausted"]),
  isEnabled: z.boolean(),
  requestedBy: z.enum(["agent", "owner"]),
  naturalLanguage: z.string(),
  category: z.string().nullable(),
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  limitAmount: amount,
  limitAmountFormatted: z.string(),
  maxAmountPerPayment: amount.nullable(),
  maxAmountPerDay: amount.nullable(),
  maxAmountPerMonth: amount.nullable(),
  /** Null without such a cap. */
  today: periodView.nullable(),
  thisMonth: periodView.nullable(),
  spentAmount: amount,
  spentAmountFormatted: z.string(),
  pendingSpentAmount: amount,
  pendingSpentAmountFormatted: z.string(),
  remainingAmount: amount,
  remainingAmountFormatted: z.string(),
  validFrom: isoDate,
  validUntil: isoDate,
  /** Empty means any host. */
  hostAllowlist: z.array(z.string()),
  asked: z
    .object({
      limitAmount: amount,
      maxAmountPerPayment: amount.nullable(),
      maxAmountPerDay: amount.nullable(),
      maxAmountPerMonth: amount.nullable(),
      validUntil: isoDate,
      hostAllowlist: z.array(z.string()),
    })
    .nullable()
    .describe("What was asked for, while the mandate waits for its signature and its owner has changed it"),
  /** Whether each new pair of host and payTo is confirmed before it is paid. */
  confirmPayees: z.boolean(),
  mandateHash: z.string().nullable(),
  replaces: mandateId
    .nullable()
    .describe(
      "The mandate whose rest this one takes over when the user signs it: a move from the spending wallet to a vault",
    ),
  replacedBy: mandateId.nullable().describe("The mandate that took over the rest of this one: pay with that one"),
  signedAt: isoDate.nullable(),
  createdAt: isoDate,
  updatedAt: isoDate,
  detailsUrl: z.string().describe("The user's page of this mandate"),
  signUrl: z
    .string()
    .describe(
      "The page where the user signs. For the agent, while the mandate waits for its signature, this is the authorizationUrl of create-intent: show it unchanged",
    ),
});

export type MandateView = z.output<typeof mandateView>;

/** A mandate with its vault: null without one. */
export type WithVault = { mandate: Mandate; vault: VaultRow | null };

/**
 * A mandate as the API shows it. `tokenOf`: for its agent only. While a person can still decide, `signUrl` then has the token
 * of the authorizationUrl.
 */
export function toMandateView(
  { mandate: m, vault }: WithVault,
  now: Date,
  baseUrl: string,
  tokenOf?: KeyFor,
): MandateView {
  const remainingAmount = remaining(m);
  const asked = m.asked && askedOf(m);
  return {
    mandateId: m.id,
    agentId: m.agentId,
    mode: m.mode,
    vault: toVaultView(vault, now),
    status: statusOf(m, now),
    isEnabled: m.isEnabled,
    requestedBy: m.requestedBy,
    naturalLanguage: m.naturalLanguage,
    category: m.category,
    currency: "USDC",
    network: m.network,
    limitAmount: m.limitAmount,
    limitAmountFormatted: formatUsdc(m.limitAmount),
    maxAmountPerPayment: m.maxAmountPerPayment,
    maxAmountPerDay: m.maxAmountPerDay,
    maxAmountPerMonth: m.maxAmountPerMonth,
    today: toPeriodView(periodOf(m, "day", now)),
    thisMonth: toPeriodView(periodOf(m, "month", now)),
    spentAmount: m.spentAmount,
    spentAmountFormatted: formatUsdc(m.spentAmount),
    pendingSpentAmount: m.pendingAmount,
    pendingSpentAmountFormatted: formatUsdc(m.pendingAmount),
    remainingAmount: remainingAmount,
    remainingAmountFormatted: formatUsdc(remainingAmount),
    validFrom: m.validFrom,
    validUntil: m.validUntil,
    hostAllowlist: m.hostAllowlist ?? [],
    asked: asked && { ...asked, hostAllowlist: asked.hostAllowlist ?? [] },
    confirmPayees: m.confirmPayees ?? false,
    mandateHash: m.mandateHash,
    replaces: m.replaces,
    replacedBy: m.replacedBy,
    signedAt: m.signedAt,
    createdAt: m.createdAt,
    updatedAt: m.updatedAt,
    detailsUrl: `${baseUrl}/mandates/${m.id}`,
    signUrl: signUrl(m.id, baseUrl, closing(m, now) === null ? tokenOf?.(m.id) : undefined),
  };
}

const toPeriodView = (period: PeriodBudget | null): z.output<typeof periodView> | null =>
  period && { usedAmount: period.usedAmount, remainingAmount: period.remainingAmount, resetsAt: period.resetsAt };

/** The page where the user links the agent and signs. The token proves that the visitor got the URL from the agent. */
export const signUrl = (id: MandateId, baseUrl: string, token?: string): string =>
  `${baseUrl}/authorize/mandate/${id}${token === undefined ? "" : `?token=${token}`}`;

const PRIMER =
  "This wallet pays x402 requests out of mandates: budgets with a limit, an end and a list of hosts, each of which its user signs once. You cannot sign or widen one yourself.";
const INSTRUCTIONS = {
  mandate_not_signed:
    "Show the user the authorizationUrl of this error, unchanged. Wait until GET /api/mandates/agent/{mandateId} says mandate.status signed, then repeat this payment.",
  mandate_revoked:
    "Do not retry. Ask the user whether a new mandate may be created with POST /api/mandates/create-intent.",
  mandate_disabled: "Do not retry until the user has resumed the mandate at detailsUrl.",
  mandate_expired: "Create a new mandate with POST /api/mandates/create-intent and show the user its authorizationUrl.",
  host_not_allowed:
    "Look for a mandate that covers this host with GET /api/mandates/eligible, or create one that names it. Do not pay another host instead.",
  mandate_payment_cap_exceeded:
    "Look for another mandate with GET /api/mandates/eligible, or create one. Do not split the payment.",
  mandate_insufficient_budget:
    "Look for another mandate with GET /api/mandates/eligible, or create one. Amounts pending for unused proofs come back after they expire.",
  mandate_period_budget_used:
    "Wait until availableAt, then repeat this payment. If it cannot wait, look for another mandate with GET /api/mandates/eligible. Do not split the payment.",
} as const satisfies Record<MandateRefusal, string>;
/** Error details for a payment on another network than the mandate's, with the next step. */
export const onlyOn = (network: NetworkName, requestedNetwork: string) => ({
  message: `This mandate pays on ${network} only`,
  network,
  payment_model_context: {
    primer: PRIMER,
    instructions: `Choose an offer on ${network}, look for a mandate with GET /api/mandates/eligible?network=${requestedNetwork}, or create one with intent.network ${requestedNetwork} in POST /api/mandates/create-intent.`,
  },
});
const ENDED_OR_FAILED =
  "The user revoked this mandate, or its vault could not be opened: vault.failure of the mandate says why";
const LAPSED =
  "This mandate was not signed in time and can no longer be. Create a new one with POST /api/mandates/create-intent";
function tooLarge(m: Mandate) {
  const largest = largestPayment(m);
  if (largest === null || largest === m.maxAmountPerPayment) return { maxAmountPerPayment: largest?.toString() };
  const period = largest === m.maxAmountPerDay ? "day" : "month";
  return {
    message: `This mandate allows ${formatUsdc(largest)} USDC a ${period}, so no payment can be larger. Ask the user for another mandate`,
    maxAmountPerPayment: largest.toString(),
  };
}

function waitFor(m: Mandate, amount: Usdc, now: Date) {
  const lacking = lackingPeriod(m, amount, now);
  if (!lacking) return {};
  const { name, remainingAmount, resetsAt } = lacking;
  return {
    message: `The mandate has ${formatUsdc(remainingAmount)} USDC left ${name === "day" ? "today" : "this month"} (UTC) and this payment needs ${formatUsdc(amount)}`,
    period: name,
    remainingAmount: remainingAmount.toString(),
    availableAt: resetsAt.toISOString(),
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)),
  };
}

type Explanation = Record<string, unknown> & { message?: string; authorizationUrl?: string };

/** Error details of a refusal for an agent: amounts, URLs for its user, and the next step. */
export function explain(
  code: MandateRefusal,
  m: Mandate,
  charge: Pick<Charge, "amount" | "host">,
  now: Date,
  baseUrl: string,
  tokenOf: KeyFor,
): Explanation {
  const isLapsed = code === "mandate_not_signed" && statusOf(m, now) === "expired";
  const context = (instructions: string) => ({ payment_model_context: { primer: PRIMER, instructions } });
  switch (code) {
    case "mandate_not_signed": {
      const url = signUrl(m.id, baseUrl, tokenOf(m.id));
      if (m.state === "rejected")
        return { message: "The user declined this mandate", ...context(INSTRUCTIONS.mandate_revoked) };
      if (isLapsed) return { message: LAPSED, ...context(INSTRUCTIONS.mandate_expired) };
      return { signUrl: url, authorizationUrl: url, ...context(INSTRUCTIONS[code]) };
    }
    case "mandate_disabled":
      return { detailsUrl: `${baseUrl}/mandates/${m.id}`, ...context(INSTRUCTIONS[code]) };
    case "host_not_allowed":
      return { hostAllowlist: m.hostAllowlist ?? [], host: charge.host, ...context(INSTRUCTIONS[code]) };
    case "mandate_payment_cap_exceeded":
      return { ...tooLarge(m), ...context(INSTRUCTIONS[code]) };
    case "mandate_insufficient_budget":
      return {
        message: `The mandate has ${formatUsdc(spendable(m, now))} USDC left and this payment needs ${formatUsdc(charge.amount)}`,
        remainingAmount: spendable(m, now).toString(),
        ...context(INSTRUCTIONS[code]),
      };
    case "mandate_period_budget_used":
      return { ...waitFor(m, charge.amount, now), ...context(INSTRUCTIONS[code]) };
    case "mandate_revoked":
      if (m.replacedBy !== null)
        return {
          message: `The user moved what is left of this mandate to another one, ${m.replacedBy}. Send the same request with that mandateId`,
          replacedBy: m.replacedBy,
          ...context(
            `Repeat this payment with mandateId ${m.replacedBy}, and use that mandate from now on. The user has signed it.`,
          ),
        };
      return { ...(m.mode === "vault" && { message: ENDED_OR_FAILED }), ...context(INSTRUCTIONS[code]) };
    case "mandate_expired":
      return context(INSTRUCTIONS[code]);
    default:
      return code satisfies never;
  }
}

/** Null until the owner has signed the mandate with a vault. */
function toVaultView(vault: VaultRow | null, now: Date): z.output<typeof vaultView> | null {
  if (!vault || vault.state === "proposed") return null;
  const { address, funding, terms } = signedVault(vault);
  return {
    address,
    factory: VAULT_CONTRACTS[terms.contractVersion].factory.address,
    funding,
    state: vault.state,
    failure: vault.failure,
    funded: vault.funded,
    balance: vault.balance,
    spent: vault.spent,
    returned: vault.returned,
    released: releasedBy(terms, unixSeconds(now)),
    release: terms.release,
    agentKey: terms.agent,
    payees: vault.payees?.length ?? null,
    pocket: vault.pocket === null ? null : { address: vault.pocket, balance: vault.pocketBalance },
    isRevoked: vault.isRevoked,
    readAtBlock: vault.readBlock?.toString() ?? null,
  };
}
