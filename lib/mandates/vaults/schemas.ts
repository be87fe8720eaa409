import { z } from "zod";
import { ZERO_ADDRESS } from "@/lib/core/address";
import { addressText, bytes32, recipientText } from "@/lib/core/address-text";
import { chosenSchema } from "@/lib/core/json-forms";
import { amount, limitAmount } from "@/lib/core/money";
import { VAULT_VERSIONS } from "@/lib/vaults/contracts";
import { PAYEES_MAX } from "@/lib/vaults/payees";
import { CONTRACT_DOMAIN_TYPE, typesView } from "@/lib/x402/domain-type";
import { signatureHex } from "@/lib/x402/schema";
import { seconds, vaultTypedDataView } from "../typed-data";

export { PAYEES_MAX };
export const PERIOD_MAX = 2 ** 32 - 1;

const payees = z
  .array(
    recipientText.refine((payee) => payee !== ZERO_ADDRESS, "must not be the zero address"),
    { error: "must be a list of addresses" },
  )
  .min(1, "must name at least one address; leave it out, or send null, for any payee")
  .max(PAYEES_MAX, `must have at most ${PAYEES_MAX} addresses`)
  .refine((list) => new Set(list).size === list.length, "must not name an address twice")
  .nullable();

const release = z
  .object(
    {
      amount: limitAmount,
      seconds: z
        .int({ error: "must be an integer number of seconds" })
        .min(1, "must be at least 1")
        .max(PERIOD_MAX, `must be at most ${PERIOD_MAX}`),
    },
    { error: "must be {amount, seconds}, or null for the whole limit at once" },
  )
  .nullable();

/** Vault terms that a person can change before the signature. An absent member stays as it is. */
export const vaultChange = z.object(
  {
    payees: payees.describe("The only addresses that it may pay").optional(),
    release: release.describe("The limit is released in parts, so much every so many seconds").optional(),
  },
  { error: "must be {payees?, release?}" },
);

/** Vault terms that an agent proposes, in case the owner signs with a vault. */
export const vaultProposal = z.object(
  {
    agentKey: addressText
      .refine((key) => key !== ZERO_ADDRESS, "must not be the zero address; leave it out for none")
      .describe("Address of a key that only the agent's own process has: it signs each payment too")
      .nullish()
      .transform((key) => key ?? null),
    payees: payees.optional().transform((list) => list ?? null),
    release: release.optional().transform((value) => value ?? null),
  },
  { error: "must be {agentKey?, payees?, release?}" },
);

/** A uint256 of typed data that is not money: Unix seconds, or a nonce. */
const integer = z
  .string({ error: "must be a decimal integer string" })
  .regex(/^(0|[1-9]\d{0,17})$/, "must be a decimal integer string in Unix seconds")
  .transform(BigInt);

/** The signature for the spending wallet. */
const forWallet = z.object({ mode: z.literal("wallet").optional(), signature: signatureHex });
const fundedNow = z.object({
  mode: z.literal("vault"),
  funding: z.literal("now"),
  /** The signature of the ReceiveWithAuthorization. */
  signature: signatureHex,
  /** As in the typed data; defaults to the mandate's limit. */
  amount: limitAmount.optional(),
  validBefore: integer,
});
const byPermit = z.object({
  mode: z.literal("vault"),
  funding: z.literal("permit"),
  /** The signature of the mandate. */
  signature: signatureHex,
  permitSignature: signatureHex,
  deadline: integer,
});

export type FundedNow = z.output<typeof fundedNow>;
export type ByPermit = z.output<typeof byPermit>;

/** The body that signs a mandate. Without `mode`: for the spending wallet. */
export const signatureBody = chosenSchema([forWallet, fundedNow, byPermit], (body) => {
  const parsed = modeOf.safeParse(body);
  if (!parsed.success || parsed.data.mode !== "vault") return forWallet;
  return parsed.data.funding === "permit" ? byPermit : fundedNow;
});

const modeOf = z.object({ mode: z.unknown(), funding: z.unknown() });

/** The agent's own signature of the payment's TransferWithAuthorization, from the vault to payTo. */
export const agentAuthorization = z.object(
  { validAfter: integer, validBefore: integer, nonce: bytes32, signature: signatureHex },
  { error: "must be {validAfter, validBefore, nonce, signature}" },
);

export type AgentAuthorization = z.output<typeof agentAuthorization>;

const tokenDomain = z.object({
  name: z.string(),
  version: z.string(),
  chainId: z.number(),
  verifyingContract: addressText,
});

/** The terms of a vault, as the contracts have them. */
export const termsView = z.object({
  contractVersion: z.literal(VAULT_VERSIONS),
  token: addressText,
  owner: addressText,
  signer: addressText,
  agent: addressText.nullable(),
  start: z.number(),
  end: z.number(),
  limit: amount,
  perPayment: amount.nullable(),
  release: z.object({ amount, seconds: z.number() }).nullable(),
  payees: z.string().nullable(),
  mandate: z.string(),
});

export const draftView = z.object({
  address: addressText,
  terms: termsView,
  mandateHash: z.string(),
  mandate: vaultTypedDataView,
});

/** One signature covers the mandate and the money: the nonce is the mandate's hash. */
export const fundingView = z.object({
  domain: tokenDomain,
  types: typesView("ReceiveWithAuthorization", CONTRACT_DOMAIN_TYPE),
  primaryType: z.literal("ReceiveWithAuthorization"),
  message: z.object({
    from: addressText,
    to: addressText,
    value: amount,
    validAfter: seconds,
    validBefore: seconds,
    nonce: z.string(),
  }),
  vault: draftView,
});

/** The mandate and the permit, which has to be signed as well. */
export const permitView = vaultTypedDataView.extend({
  permit: z.object({
    domain: tokenDomain,
    types: typesView("Permit", CONTRACT_DOMAIN_TYPE),
    primaryType: z.literal("Permit"),
    message: z.object({ owner: addressText, spender: addressText, value: amount, nonce: seconds, deadline: seconds }),
  }),
  vault: draftView,
});

export const revocationView = z.object({
  domain: tokenDomain,
  types: typesView("Revocation", CONTRACT_DOMAIN_TYPE),
  primaryType: z.literal("Revocation"),
  message: z.object({ mandate: z.string() }),
});
