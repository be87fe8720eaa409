import { type Hex, toHex } from "viem";
import { runAttempt } from "@/lib/attempts/service";
import type { AppError } from "@/lib/core/errors";
import { type MandateId, newId, type PaymentId } from "@/lib/core/ids";
import { scanX402 } from "@/lib/firewall/service";
import { aboveRoom, isAboveCap } from "@/lib/mandates/caps/charge";
import { mandateErrors } from "@/lib/mandates/errors";
import {
  type Charging,
  chargeableMandate,
  charging,
  type Guard,
  reserving,
  untilWritten,
} from "@/lib/mandates/reservations/service";
import type { Mandate } from "@/lib/mandates/store";
import { vaultErrors } from "@/lib/mandates/vaults/errors";
import { vaultPayer } from "@/lib/mandates/vaults/payer";
import { pocketPayer, refusesContracts } from "@/lib/mandates/vaults/pocket";
import type { AgentAuthorization } from "@/lib/mandates/vaults/schemas";
import type { SignedVault } from "@/lib/mandates/vaults/terms";
import { getForAgent } from "@/lib/mandates/views";
import * as payees from "@/lib/payees/service";
import { announceSoon } from "@/lib/platform/announcements";
import type { Agent, Ctx } from "@/lib/platform/context";
import { isConflict } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { createLanes } from "@/lib/platform/lanes";
import { assertPayable } from "@/lib/screening/service";
import * as wallets from "@/lib/wallets/service";
import type { Authorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { nonceFor } from "@/lib/x402/payment-auth";
import { paymentRequest, type RequestedV2 } from "./contract";
import { paymentErrors } from "./errors";
import {
  asRequirement,
  authorizationOf,
  type CreditPaymentRequest,
  type IndexedOffer,
  type PaymentOrder,
  type PaymentRequest,
  parseOrder,
  payableOffers,
  type SignedPayment,
  WINDOW_SECONDS_DEFAULT,
} from "./rules";
import * as store from "./store";

/** Whether a person has approved exactly this payment, and it was not made since. */
export type IsApproved = (order: PaymentOrder) => Promise<boolean>;

/**
 * A payment request, with the HTTP method of the paid request and the signature of the agent's own key. `isApproved`: of callers that ask
 * a person. Only called for an owner who lets payments wait.
 */
export type MandateRequest = PaymentRequest & {
  method: payees.PayeePayment["method"];
  agentAuthorization?: AgentAuthorization | undefined;
  isApproved?: IsApproved | undefined;
};
/** Nothing was signed: the owner must confirm the payee first. */
export type PayeeRequired = { type: "unconfirmed"; payee: payees.Payee };
/**
 * Nothing was signed: the payment is above the owner's caps and a person may approve it, or has. `refusal`: for callers that do not ask.
 * `fits`: the caps cover it, and what was approved pays it first.
 */
export type AboveCaps = { type: "above_caps"; order: PaymentOrder; refusal: AppError; fits: boolean };

/**
 * Signs a payment under a mandate, or returns what the owner must decide first. Throws the request's errors and the reason why the
 * mandate does not pay.
 */
export async function sign(
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  request: MandateRequest,
): Promise<SignedPayment | PayeeRequired | AboveCaps> {
  const order = requireOrder(request);
  return runAttempt(ctx, { ...order, mandateId }, () => signOrder(ctx, mandateId, request, order));
}

const signOrder = (
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  request: MandateRequest,
  order: PaymentOrder,
): Promise<SignedPayment | PayeeRequired | AboveCaps> =>
  untilWritten(async () => {
    const { mandate, wallet, vault, caps } = await chargeableMandate(ctx, mandateId, order);
    await assertPayable(ctx, { payees: [order.payTo], site: order, wallet });
    assertUnsuspicious(ctx, request);
    const payer = { wallet, agentId: ctx.actor.agentId };
    const above = await aboveRoom(ctx, caps, payer, { amount: order.amount, time: ctx.now() });
    if (above && !above.canAsk) throw above.refusal;
    const { agentAuthorization, isApproved } = request;
    // Also if it fits again: the owner sees that what they approved was used.
    const isForApproval = !above && caps.some(({ waitingMax }) => waitingMax > 0) && (await isApproved?.(order));
    const refusal = isForApproval ? mandateErrors.mandate_changed() : above?.refusal;
    const waits = refusal && ({ type: "above_caps", order, refusal, fits: above === null } as const);
    if (!vault && agentAuthorization) throw vaultErrors.agent_authorization_unexpected();
    const charge = async (...also: Guard[]) => {
      // Called only once the payee is confirmed: it may draw money into the vault or move it to the pocket.
      const payer = vault
        ? await vaultOrPocketPayer(ctx, { mandate, vault, wallet }, order, agentAuthorization)
        : walletPayer(ctx, wallet);
      const draft = draftOf(ctx, order);
      const charged = charging(mandate, { amount: order.amount, time: draft.signedAt, caps }, ...payer.guards, ...also);
      return signDraft(ctx, draft, payer, charged);
    };
    if (!mandate.confirmPayees) return waits ?? charge();
    const { network, payTo, amount, resource } = order;
    const payment = { ownerId: wallet.ownerId, mandateId, network, payTo, amount, resource, method: request.method };
    const { payee, state, isNew } = await payees.confirm(ctx, payment);
    if (state === "waiting") return { type: "unconfirmed", payee };
    // Null repeats the attempt: the mandate may have ended during the request to the host.
    return isNew ? null : (waits ?? charge(payees.isConfirmed(payee.id)));
  });

/** The order of a request. Throws errors of the request. */
export function requireOrder(request: PaymentRequest): PaymentOrder {
  const order = parseOrder(request);
  if (typeof order === "string") throw paymentErrors[order]();
  return order;
}

/**
 * Signs the first offer that the mandate can pay, and returns it as `accepted`. `resource`: the URL that the agent called. Default: the
 * one that the seller states.
 */
export async function signOffer(
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  request: RequestedV2,
  {
    resource = request.resource.url,
    ...options
  }: Pick<MandateRequest, "method" | "agentAuthorization" | "isApproved"> & {
    resource?: string | undefined;
  },
): Promise<((SignedPayment | AboveCaps) & { accepted: unknown }) | PayeeRequired> {
  const mandate = await getForAgent(ctx, mandateId);
  const offers = payableOffers(request.accepts, mandate.network);
  if (offers === "unsupported_network") {
    throw paymentErrors.unsupported_network({
      message: `This mandate pays on ${mandate.network} only, and accepts has no offer there. Create a mandate for another network with intent.network in POST /api/mandates/create-intent`,
    });
  }
  if (typeof offers === "string") throw paymentErrors[offers]();
  const { index, parsed } =
    offers.map((offer) => parseOffer(request, resource, offer)).find((candidate) => candidate.parsed.success) ??
    parseOffer(request, resource, offers[0]);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw paymentErrors.invalid_request({ message: `accepts.${index}.${issue?.path.join(".")}: ${issue?.message}` });
  }
  const outcome = await sign(ctx, mandateId, { ...parsed.data, ...options });
  return outcome.type === "unconfirmed" ? outcome : { ...outcome, accepted: request.accepts[index] };
}

const parseOffer = (request: RequestedV2, resource: string, { index, offer }: IndexedOffer) => ({
  index,
  parsed: paymentRequest.safeParse({
    network: offer.network,
    amount: offer.amount,
    assetAddress: offer.asset,
    payTo: offer.payTo,
    resource,
    description: request.resource.description ?? "",
    validityWindowSeconds: offer.maxTimeoutSeconds ?? WINDOW_SECONDS_DEFAULT,
  }),
});

/** Scans the payment if the owner has the scan enabled. Throws firewall_blocked, with the findings. */
export function assertUnsuspicious(
  { actor, config }: Ctx<Agent>,
  request: PaymentRequest | CreditPaymentRequest,
): void {
  if (actor.paymentScan === "off") return;
  const paymentRequired = asRequirement(request, config.baseUrl);
  const { verdict, riskScore, findings, rulesetVersion } = scanX402({ paymentRequired });
  const isRefused = verdict === "block" || (verdict === "review" && actor.paymentScan === "review");
  if (isRefused) throw paymentErrors.firewall_blocked({ verdict, riskScore, findings, rulesetVersion });
}

/** A payment that is not written yet. `service`: the payee, if it is paid in service credits. */
export type PaymentDraft = {
  paymentId: PaymentId;
  order: PaymentOrder;
  service: string | null;
  nonce: Hex;
  signedAt: Date;
};

/** Throws challenge_over. */
export function draftOf(ctx: Ctx<Agent>, order: PaymentOrder, service: string | null = null): PaymentDraft {
  const signedAt = ctx.now();
  const { challenge } = order;
  if (challenge?.expires && challenge.expires <= signedAt) throw paymentErrors.challenge_over();
  const nonce = challenge ? nonceFor(challenge) : toHex(crypto.getRandomValues(new Uint8Array(32)));
  return { paymentId: newId("payment"), order, service, signedAt, nonce };
}

/** The payer of a draft. `wallet` is the owner's, even if a vault pays. `guards` are further conditions of the inserting statement. */
export type Payer = {
  wallet: wallets.Wallet;
  guards: readonly Guard[];
  authorize: (draft: PaymentDraft) => Authorization;
  sign: (authorization: Authorization) => Hex;
};

export const walletPayer = (ctx: Ctx, wallet: wallets.Wallet): Payer => ({
  wallet,
  guards: [],
  authorize: (draft) => authorizationOf(draft, wallet.address),
  sign: (authorization) => wallets.signTransfer(ctx, wallet, authorization),
});

type OfVault = { mandate: Mandate; vault: SignedVault; wallet: wallets.Wallet };

/** The vault itself, or its pocket for a seller that refuses contracts. */
async function vaultOrPocketPayer(
  ctx: Ctx<Agent>,
  { wallet, ...source }: OfVault,
  order: PaymentOrder,
  agentAuthorization: AgentAuthorization | undefined,
): Promise<Payer> {
  const { payTo: to, amount: value, challenge } = order;
  const payment = { to, value, ...(challenge && { nonce: nonceFor(challenge), until: challenge.expires }) };
  const isRefused = await refusesContracts(ctx, { ownerId: wallet.ownerId, agentId: ctx.actor.agentId }, order);
  const { address, guard, authorize, sign } = isRefused
    ? await pocketPayer(ctx, source, payment, order.host)
    : await vaultPayer(ctx, source, payment, agentAuthorization);
  return { wallet, guards: [guard], authorize: (draft) => authorize(authorizationOf(draft, address)), sign };
}

/** Writes the payment if `charged` allows it, and signs it. Null when it was not written. Throws challenge_over, agent_nonce_used. */
export async function signDraft(
  ctx: Ctx<Agent>,
  draft: PaymentDraft,
  payer: Payer,
  charged: Charging,
): Promise<SignedPayment | null> {
  const authorization = payer.authorize(draft);
  const { paymentId, order } = draft;
  const isWritten = await writeDraft(ctx, draft, payer.wallet, authorization, charged).catch((error: unknown) => {
    // The service's own nonces are random: a payment has the nonce of this challenge, or of this authorization of the agent.
    if (isConflict(error, "reservations_authorization"))
      throw order.challenge ? paymentErrors.challenge_over({}, error) : vaultErrors.agent_nonce_used({}, error);
    throw error;
  });
  if (!isWritten) return null;
  return { type: "signed", paymentId, network: order.network, authorization, signature: payer.sign(authorization) };
}

/**
 * How many payments of one wallet a process writes at once. They often lock the same rows: the more of them wait in the database, the more
 * each costs, and each holds a connection that others need.
 */
export const WRITES_PER_WALLET = 8;
const inLane = createLanes(WRITES_PER_WALLET);

/** Writes the payment and its reservation if `charged` allows it; otherwise returns false and writes nothing. */
export async function writeDraft(
  ctx: Ctx<Agent>,
  { paymentId, order, service, signedAt }: PaymentDraft,
  wallet: wallets.Wallet,
  authorization: Authorization,
  charged: Charging,
): Promise<boolean> {
  const { network, host, resource, description } = order;
  const reserved = reserving(charged, { walletId: wallet.id, agentId: ctx.actor.agentId }, network, authorization);
  const insert = () =>
    store.insert(ctx.db, reserved, {
      id: paymentId,
      agentId: ctx.actor.agentId,
      walletId: wallet.id,
      asset: NETWORKS[network].usdc,
      creditPayee: service,
      validAfter: authorization.validAfter,
      host,
      resource,
      description,
      createdAt: signedAt,
    });
  const isWritten = await inLane(wallet.id, insert).catch((error: unknown) => {
    if (isAboveCap(error)) return false;
    throw error;
  });
  // A crash after this loses only the proof: the reservation is released once the chain is past validBefore.
  if (isWritten) {
    await failpoint("payment.reserved");
    announceSoon(ctx, wallet.ownerId, "payment.signed");
  }
  return isWritten;
}
