import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId, PaymentId } from "@/lib/core/ids";
import { subtract, ZERO } from "@/lib/core/money";
import { addSeconds, fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { record, recordOfOwner } from "@/lib/platform/events";
import { aloneGas } from "@/lib/settlements/relayer/settler";
import { type PaymentRefusal, paymentRefusal } from "@/lib/vaults/rules";
import type { Authorization } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { submission } from "@/lib/x402/submission";
import { findOwn } from "../access";
import type { Mandate } from "../store";
import * as mandates from "../store";
import { vaultErrors } from "./errors";
import { pocketSealName, signedByVault } from "./keys";
import * as operations from "./operation-store";
import { assertReady, clockOf, refusal, standingOf, until, type VaultPayer, type VaultPayment } from "./payer";
import { pocketKeyOf } from "./pocket-calls";
import * as pockets from "./pocket-store";
import { burnedOf, DAY_SECONDS, fillPauseSeconds } from "./rules";
import * as store from "./store";
import { type SignedVault, signedVault } from "./terms";

/** After this time the seller is tried again: facilitators learn to accept contracts. */
const REFUSAL_SECONDS = 30 * 86_400;

/** Refusals count from this time on. */
const refusedSince = ({ now }: System): Date => addSeconds(now(), -REFUSAL_SECONDS);

/** Whether the seller refuses contracts as payers, according to this agent's reports or to what we saw for its owner. */
export const refusesContracts = (
  system: System,
  { ownerId, agentId }: { ownerId: OwnerId; agentId: AgentId },
  { network, host }: { network: NetworkName; host: string },
): Promise<boolean> => pockets.hasRefused(system.db, { ownerId, agentId, network, host }, refusedSince(system));

/** Maximum validity of a pocket's payment, whatever the seller offers: until it is made or has expired, the pocket pays nobody else. */
const WINDOW_SECONDS_MAX = 120;

/** Refusals that money in the pocket cannot remedy. */
const LIMITS: ReadonlySet<PaymentRefusal> = new Set(["revoked", "not_started", "ended", "over_payment_cap"]);

/**
 * The payer for a seller that refuses contracts: an ordinary account of the vault, which the vault first fills with the amount of
 * this one payment. It makes one payment at a time, so it never holds more. Not for terms with an agent key or a payee list: the
 * pocket would bypass both. Throws contract_payer_refused, pocket_busy, and as vaultPayer does.
 * Why: docs/decisions.md, 399.
 */
export async function pocketPayer(
  ctx: Ctx,
  { mandate, vault: initialVault }: { mandate: Mandate; vault: SignedVault },
  payment: VaultPayment,
  host: string,
): Promise<VaultPayer> {
  if (initialVault.terms.agent !== null || initialVault.payees !== null)
    throw vaultErrors.contract_payer_refused({ vault: initialVault.address });
  assertReady(ctx, initialVault);
  const { vault, pocket } = await withPocket(ctx, initialVault);
  const { terms, network } = vault;
  const clock = await clockOf(ctx, vault);
  const filling = await pockets.filling(ctx.db, mandate.id, clock.earliest);
  const standing = standingOf(vault, mandate, filling);
  const reason = (value: VaultPayment["value"]) =>
    paymentRefusal({ terms, payees: null }, { to: pocket, value }, standing, clock);
  const limit = reason(payment.value);
  if (limit && LIMITS.has(limit)) throw await refusal(ctx, limit, vault, payment, standing, clock);
  const busy = await pockets.busyUntil(ctx.db, vault, { agentId: mandate.agentId, host, payTo: payment.to });
  if (busy !== null) throw busyUntil(ctx, busy);
  if (filling?.endsAt === null || (await pockets.isEmptying(ctx.db, mandate.id))) throw vaultErrors.vault_not_ready();
  const missing = subtract(payment.value, vault.pocketBalance);
  if (missing > ZERO) {
    const fill = { ...payment, value: missing };
    const lacking = reason(missing);
    if (lacking) throw await refusal(ctx, lacking, vault, fill, standing, clock);
    // A failed fill can still be submitted: a new one could move the money twice.
    if (filling?.endsAt) throw busyUntil(ctx, filling.endsAt);
    // The agent waits if it had pockets filled without paying.
    const unpaid = await pockets.unpaidFills(ctx.db, mandate.agentId, addSeconds(ctx.now(), -DAY_SECONDS));
    const pause = fillPauseSeconds(unpaid, burnedOf(vault));
    const pauseEnd = unpaid.last === null ? 0 : unixSeconds(unpaid.last) + pause;
    if (pauseEnd > unixSeconds(ctx.now())) throw busyUntil(ctx, BigInt(pauseEnd), UNPAID);
    const row = { mandateId: mandate.id, network, kind: "fill_pocket" as const, amount: payment.value };
    await operations.add(ctx.db, { ...row, createdAt: ctx.now() });
    throw vaultErrors.vault_not_ready();
  }
  return {
    address: pocket,
    guard: pockets.pocketCovers(mandate, payment.value),
    authorize: (ordinary) => {
      const latest = BigInt(unixSeconds(ctx.now()) + WINDOW_SECONDS_MAX);
      const validBefore = ordinary.validBefore < latest ? ordinary.validBefore : latest;
      return until(terms, { ...ordinary, from: pocket, validBefore });
    },
    sign: (authorization) => signAuthorization(network, authorization, pocketKeyOf(ctx, vault)),
  };
}

const UNPAID =
  "Money was moved for payments to sellers that refuse contracts, and they were not made. No more is moved until availableAt: the pause doubles each time. Send the same request again then";

function busyUntil({ now }: System, seconds: bigint, message?: string): Error {
  const index = unixSeconds(now());
  const retryAfterSeconds = Math.max(2, Number(seconds) - index);
  const availableAt = fromUnixSeconds(index + retryAfterSeconds).toISOString();
  return vaultErrors.pocket_busy({ availableAt, retryAfterSeconds, ...(message && { message }) });
}

async function withPocket(ctx: System, vault: SignedVault) {
  if (vault.pocket !== null) return { vault, pocket: vault.pocket };
  const key = generatePrivateKey();
  const fresh = {
    pocket: toAddress(privateKeyToAddress(key)),
    sealedPocketKey: ctx.vault.seal(key, pocketSealName(vault)),
  };
  await pockets.setPocket(ctx.db, vault.mandateId, fresh);
  const storedVault = await store.find(ctx.db, vault.mandateId);
  if (!storedVault?.pocket) throw new Error(`the vault of ${vault.mandateId} has no pocket`);
  return { vault: signedVault(storedVault), pocket: storedVault.pocket };
}

const SHOWN_MAX = 50;

/** Sellers that refused a vault, so that vaults of the mandate's agent do not pay them. Throws mandate_not_found. */
export async function refusingSellers(ctx: Ctx<Owner>, id: MandateId): Promise<pockets.ContractRefusal[]> {
  const { network, agentId } = (await findOwn(ctx, id)).mandate;
  const party = { ownerId: ctx.actor.ownerId, agentId, network };
  return pockets.listRefusals(ctx.db, party, refusedSince(ctx), SHOWN_MAX);
}

/**
 * Forgets that a seller refused the owner's vaults on the mandate's network. The vault itself makes the next payment to the
 * seller. Idempotent. Throws mandate_not_found.
 */
export async function forgetSeller(ctx: Ctx<Owner>, id: MandateId, host: string): Promise<void> {
  const { network } = (await findOwn(ctx, id)).mandate;
  const { ownerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const wasKnown = await pockets.forget(tx, { ownerId, network, host });
    if (wasKnown) await recordOfOwner(tx, ctx.now(), ownerId, "owner.seller_forgotten", { network, host });
  });
}

/** More gas than a vault's transfer takes, even with a list of a thousand payees. */
const TRANSFER_GAS = 250_000n;

export type RefusedPayment = {
  mandateId: MandateId;
  paymentId: PaymentId;
  seller: { network: NetworkName; host: string };
  authorization: Authorization;
  /** Whether we presented the payment to the seller ourselves, instead of an agent reporting it. */
  isWitnessed: boolean;
};

/**
 * Whether a seller refused a payment only because a vault made it: the transfer would succeed on the chain now. Remembers the
 * seller for this agent, or for all of the owner's agents if we saw the refusal. Not for terms with an agent key, whose signature
 * we do not have. Throws ChainUnavailable.
 */
export async function isRefusalOfContract(
  system: System,
  { mandateId, paymentId, seller, authorization, isWitnessed }: RefusedPayment,
  reason: string,
): Promise<boolean> {
  const parties = await mandates.findWithParties(system.db, mandateId);
  const { mandate, vault: row } = parties ?? {};
  if (!mandate?.ownerId || mandate.mode !== "vault" || !row || row.address !== authorization.from) return false;
  const vault = signedVault(row);
  if (vault.terms.agent !== null) return false;
  const call = submission(seller.network, authorization, signedByVault(system, vault, authorization));
  const gas = aloneGas(call, TRANSFER_GAS);
  const result = await system.chains[seller.network].simulateAlone(vault.terms.owner, call, gas);
  if (!result.ok) return false;
  const { ownerId, agentId } = mandate;
  const time = system.now();
  await system.db.transaction(async (tx) => {
    await pockets.remember(tx, { ownerId, agentId, ...seller }, { reason, seenAt: time, isWitnessed });
    const meta = { ...seller, paymentRecordId: paymentId, reason };
    await record(tx, time, { type: "vault.payer_refused", subject: mandateId, ownerId, agentId, meta });
  });
  return true;
}
