import { zeroAddress } from "viem";
import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import { type Address, toAddress } from "@/lib/core/address";
import { type LinkId, newId, type PassCallId, type SettlementId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { type Agent, type Ctx, type System, UNKNOWN_CALLER } from "@/lib/platform/context";
import type { Queryable, Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { keysFor } from "@/lib/platform/secrets";
import type { PassRefusal } from "@/lib/settlements/responses";
import type { SaleOffer, Settlement } from "@/lib/settlements/service";
import { closedBecause } from "../closed";
import { linkErrors } from "../errors";
import { type Link, payeeFor } from "../rules";
import * as links from "../store";
import { secretHeaders } from "../upstream/columns";
import { type Ended, type Forwarded, forward } from "../upstream/forward";
import { REPEAT_SECONDS } from "../upstream/limits";
import { roomOf, type Seat } from "../upstream/room";
import { isLimit, type PaidRequest, type UpstreamFailure } from "../upstream/rules";
import * as upstreams from "../upstream/service";
import { assertTool } from "../upstream/tools/service";
import { passUrl } from "../urls";
import {
  admittedBy,
  isStillSold,
  keyOfNamed,
  leastUnits,
  type PassState,
  passToken,
  passWords,
  type RefundBounds,
  refundBounds,
  settlementOf,
  statusOf,
  termsOf,
  unitsOf,
} from "./rules";
import * as store from "./store";

export { passIn } from "./rules";
export type { CallEnd, SoldPass } from "./store";

const passKeys = (system: System) => keysFor(system, "pass of a settlement");

/**
 * What a link's pass costs at the URL with these terms; `closed` when it cannot be bought now, or no longer at these terms. A deleted link
 * has a closed offer, so that buyers still get their passes, and so has one whose seller has no wallet any more. Throws LINK_NOT_FOUND.
 */
export async function offerPass(
  system: System,
  linkId: LinkId,
  terms: string | undefined,
): Promise<{ link: Link; offer: SaleOffer }> {
  const link = await links.findEver(system.db, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  const receiver = await agents.receiverOf(system, link.agentId, link.network);
  const payee =
    receiver === null || receiver === "missing" || receiver === "no_wallet" ? null : payeeFor(link, receiver);
  const pass = link.upstream?.pass ?? null;
  const words = pass && passWords(pass);
  return {
    link,
    offer: {
      purpose: "link",
      subject: linkId,
      agentId: link.agentId,
      ...(payee && { ownerId: payee.ownerId }),
      requirement: {
        network: link.network,
        amount: pass ? toUsdc(BigInt(pass.amount)) : link.amount,
        payTo: payee?.address ?? toAddress(zeroAddress),
        resource: passUrl(system.config.baseUrl, linkId, terms),
        isResourceBound: true,
        description: [words, link.description || link.title].filter(Boolean).join(": "),
      },
      closed: (await whyClosed(system, link, terms)) ?? (payee ? null : noWallet(system, link)),
    },
  };
}

const noWallet = (system: System, link: Link) =>
  linkErrors.WALLET_NOT_LINKED({ authorizationUrl: addAgentUrl(system.config.baseUrl, link) });

async function whyClosed(system: System, link: Link, terms: string | undefined) {
  const { linkId, deletedAt, upstream } = link;
  if (deletedAt !== null) return linkErrors.LINK_NOT_FOUND();
  if (!upstream?.pass) return linkErrors.PASS_NOT_OFFERED();
  const current = termsOf(upstream, upstream.pass, link.amount);
  if (terms !== current) return linkErrors.PASS_NOT_OFFERED({ url: passUrl(system.config.baseUrl, linkId, current) });
  const uses = await links.usesOf(system.db, link.maxUses === null ? [] : [linkId]);
  return closedBecause(link, uses(linkId), system.now());
}

/** Returns a function that writes the pass, at the terms of the offer that is paid, in its claim's transaction. */
export async function passWriter(
  ctx: Ctx,
  { linkId, amount, upstream }: Link,
): Promise<(tx: Tx, settlementId: SettlementId) => Promise<void>> {
  if (!upstream?.pass) throw linkErrors.PASS_NOT_OFFERED();
  const { calls, hours, isByUse, isRefundable, amount: price } = upstream.pass;
  const admitted = admittedBy(upstream, amount);
  const units = isByUse ? BigInt(price) : calls === null ? null : BigInt(calls);
  const terms = { units, leastUnits: leastUnits(isByUse, admitted), hours, isByUse, isRefundable, admitted };
  const row = { ...terms, linkId, callerHash: await upstreams.hashOfCaller(ctx), createdAt: ctx.now() };
  return (tx, settlementId) => store.add(tx, { ...row, settlementId });
}

/** Whether an earlier payment bought a pass of this link, and not a call. */
export async function isPassOf({ db }: System, linkId: LinkId, { id }: Settlement): Promise<boolean> {
  return (await store.find(db, id))?.pass.linkId === linkId;
}

/**
 * Whether the sender of a used proof may be the buyer of its pass: the address is the buyer's, and nobody has used the pass, so that the
 * buyer may have no token. The proof alone shows nothing, because anybody can read it on the chain.
 */
export async function isFromBuyer(ctx: Ctx, settlementId: SettlementId): Promise<boolean> {
  if ((ctx.caller ?? UNKNOWN_CALLER) === UNKNOWN_CALLER) return false;
  const pass = (await store.find(ctx.db, settlementId))?.pass;
  if (!pass || pass.lastUsedAt !== null || addSeconds(pass.createdAt, REPEAT_SECONDS) < ctx.now()) return false;
  return pass.callerHash === (await upstreams.hashOfCaller(ctx));
}

/** The payment of a pass that the payer can still use. A pass that is used up is not found: a client that signs in first would never buy again. */
export const usablePass = (
  { db, now }: System,
  { linkId, network }: Link,
  payer: Address,
): Promise<Settlement | null> => store.findUsable(db, { linkId, network, payer }, now());

/** Issues the tokens of passes. One admits calls once its payment has settled. */
export async function tokens(system: System): Promise<(sale: Pick<Settlement, "id">) => string> {
  const keyFor = await passKeys(system);
  return ({ id }) => passToken(id, keyFor);
}

/** A pass for its buyer. */
export type OwnPass = store.SoldPass & { token: string };

/** The pass that a settlement paid. The caller must have authenticated the buyer. */
export async function readPass(system: System, settlementId: SettlementId): Promise<OwnPass> {
  const sold = await store.find(system.db, settlementId);
  if (!sold) throw new Error(`${settlementId} bought no pass`);
  return { ...sold, token: (await tokens(system))(sold.payment) };
}

/** The pass of a token at this link; null if the token is of none. */
export async function openPass(system: System, linkId: LinkId, token: string): Promise<OwnPass | null> {
  const settlementId = await paymentOf(system, token);
  // The token of a claim that was rolled back has no pass.
  const sold = settlementId && (await store.find(system.db, settlementId));
  return sold && sold.pass.linkId === linkId && sold.payment.state === "settled" ? { ...sold, token } : null;
}

export const stateOf = ({ pass, payment, unitsUnderWay, isRefunded }: store.SoldPass): PassState => ({
  ...pass,
  unitsUnderWay,
  isRefunded,
  // A pass is only shown while its payment is settled.
  settledAt: payment.endedAt ?? pass.createdAt,
});

export type PassCall =
  | (upstreams.Answered & { left: PassLeft })
  /** `busy`: this server ends, or was too slow to count the call. */
  | { type: "failed"; failure: UpstreamFailure | "busy"; callEnd: store.CallEnd }
  | { type: "refused"; code: PassRefusal };

/** What is left of a pass after a call, and of one that is by use what the call has cost. */
export type PassLeft =
  | { type: "calls"; callsLeft: bigint }
  | { type: "any_number" }
  | { type: "amount"; amountLeft: bigint; cost: bigint };

/** The payment of a pass, by its token; null if this service did not issue it. Needs no database. */
export const paymentOf = async (system: System, token: string): Promise<SettlementId | null> =>
  settlementOf(token, await passKeys(system));

/** `name`: what the buyer calls it, the same for each try; null without one. */
type CallKey = { linkId: LinkId; settlementId: SettlementId; callId: PassCallId; name: string | null };

/**
 * Sends a request to the link's upstream on a pass: one statement takes the call before, and one ends it or gives it back after. If the
 * process dies in between, a job ends it. The request is read first: a body that breaks off takes nothing. `costMax`: the most that it may
 * take from a pass by use; null for its price. Throws CALLS_FULL, and the errors of `read`.
 */
export async function callOnPass(
  ctx: Ctx,
  { costMax, ...pass }: Omit<CallKey, "callId"> & { costMax: bigint | null },
  read: (seat: Seat) => Promise<PaidRequest>,
  sign: (claims: Record<string, unknown>) => Promise<string>,
): Promise<PassCall> {
  const bodySeat = roomOf(ctx).seat({ buyer: ctx.caller ?? UNKNOWN_CALLER, seller: pass.settlementId });
  try {
    const request = await read(bodySeat);
    const sale = await saleOf(ctx, pass.settlementId);
    if (sale?.linkId !== pass.linkId) return { type: "refused", code: "PASS_INVALID" };
    const units = unitsOf(sale, request);
    if (units === null) return { type: "refused", code: "PASS_NOT_FOR_THIS" };
    if (sale.isByUse && costMax !== null && units > costMax) return { type: "refused", code: "PASS_INSUFFICIENT" };
    const key = { ...pass, callId: newId("passCall") };
    const time = ctx.now();
    const taken = await store.takeCall(ctx.db, { ...key, units }, time);
    if (!taken) return { type: "refused", code: await whyRefused(ctx, pass, ctx.now()) };
    if (!isStillSold(sale.admitted, taken.upstream, request)) {
      await store.giveBack(ctx.db, key.callId, time);
      return { type: "refused", code: "PASS_NOT_FOR_THIS" };
    }
    // What was sold, which the link may no longer sell.
    const upstream = { ...taken.upstream, paths: sale.admitted.paths };
    return await makeCall(ctx, { ...taken, ...key, upstream, isByUse: sale.isByUse }, request, sign);
  } finally {
    bodySeat.leave();
  }
}

/** What a pass was sold for, which never changes. */
type Sale = Pick<store.SoldPass["pass"], "linkId" | "isByUse" | "admitted">;

const SALES_KEPT_MAX = 1_000;
/** The sales of passes that were used last, the newest at the end. */
const sales = new Map<SettlementId, Sale>();

async function saleOf({ db }: System, settlementId: SettlementId): Promise<Sale | null> {
  const sale = sales.get(settlementId) ?? (await store.find(db, settlementId))?.pass;
  if (!sale) return null;
  const { linkId, isByUse, admitted } = sale;
  sales.delete(settlementId);
  sales.set(settlementId, { linkId, isByUse, admitted });
  const [oldest] = sales.keys();
  if (sales.size > SALES_KEPT_MAX && oldest) sales.delete(oldest);
  return sale;
}

async function whyRefused(
  { db }: System,
  { linkId, settlementId }: Pick<CallKey, "linkId" | "settlementId">,
  time: Date,
): Promise<PassRefusal> {
  const sold = await store.find(db, settlementId);
  if (sold?.pass.linkId !== linkId || sold.payment.state !== "settled") return "PASS_INVALID";
  const status = statusOf(stateOf(sold), time);
  switch (status) {
    case "held":
      return "PASS_HELD";
    case "over":
      return "PASS_OVER";
    case "refunded":
      return "PASS_REFUNDED";
    case "used_up":
      return "PASS_USED_UP";
    case "usable":
      // Otherwise a call came back in between.
      return sold.pass.isByUse ? "PASS_INSUFFICIENT" : "PASS_USED_UP";
    default:
      return status satisfies never;
  }
}

/** The call counted as dead before it was answered. */
const TOO_LATE: PassCall = { type: "failed", failure: "busy", callEnd: "unknown" };

async function makeCall(
  ctx: Ctx,
  call: store.TakenCall & CallKey & Pick<Sale, "isByUse">,
  request: PaidRequest,
  sign: (claims: Record<string, unknown>) => Promise<string>,
): Promise<PassCall> {
  const { db } = ctx;
  const { callId, settlementId, units } = call;
  const { secondsMax } = call.upstream;
  const seat = upstreams.takeSeat(ctx, call, settlementId);
  const logLoss = (err: unknown) => ctx.log.error({ settlementId, err }, "pass.call_not_ended");
  /** What an answer takes from the pass: what the API says, at most what was taken for it. */
  const usedBy = ({ cost }: { cost: bigint | null }): bigint =>
    call.isByUse && cost !== null && cost < units ? cost : units;
  const endAnswered = async (used: bigint): Promise<boolean> => {
    await failpoint("pass.answered");
    return store.endCall(db, { ...call, used }, ctx.now());
  };
  /** What was asked of the upstream, and did not come. */
  const fail = async (failure: UpstreamFailure): Promise<PassCall> => {
    const isCut = seat.closing.aborted;
    const ending = isCut ? store.giveBack(db, callId, ctx.now()) : store.endFailed(db, callId, ctx.now());
    const callEnd = await ending.catch((err: unknown): store.CallEnd => {
      logLoss(err);
      return "unknown";
    });
    return { type: "failed", failure: isCut ? "busy" : failure, callEnd };
  };
  const endStream = async (ended: Ended, hasBegun: boolean, used: bigint): Promise<void> => {
    // Otherwise a buyer could read it up to the limit, or leave just before, and get the call back.
    const isAnswered = ended.type === "answered" || (hasBegun && isLimit(ended.failure));
    if (isAnswered) await endAnswered(used);
    else await fail(ended.failure);
  };
  const forwarded = await sendCall(ctx, call, request, seat, sign).catch(async (error: unknown) => {
    seat.leave();
    await store.giveBack(db, callId, ctx.now());
    throw error;
  });
  switch (forwarded.type) {
    case "streaming": {
      const { head, body, end } = forwarded;
      const used = usedBy(forwarded);
      const isAlive = await store.prolongCall(db, callId, { time: ctx.now(), secondsMax }).catch((err: unknown) => {
        logLoss(err);
        return false;
      });
      if (!isAlive) body.fail();
      const ended = end
        .then((result) => (isAlive ? endStream(result, body.hasBegun(), used) : undefined))
        .catch(logLoss);
      void Promise.all([ended, body.over]).then(seat.leave);
      return isAlive
        ? { type: "answered", answer: { ...head, body: body.stream }, left: leftOf(call, used) }
        : TOO_LATE;
    }
    case "answered": {
      // If its end cannot be stored, the buyer gets the answer all the same, and the job gives the call back.
      const used = usedBy(forwarded);
      const isCounted = await endAnswered(used).catch((err: unknown) => {
        logLoss(err);
        return true;
      });
      if (isCounted) return { ...upstreams.handOver(forwarded.answer, seat), left: leftOf(call, used) };
      seat.leave();
      return TOO_LATE;
    }
    case "failed":
      seat.leave();
      return fail(forwarded.failure);
    default:
      return forwarded satisfies never;
  }
}

function leftOf({ isByUse, units, unitsLeft }: store.TakenCall & Pick<Sale, "isByUse">, used: bigint): PassLeft {
  if (unitsLeft === null) return { type: "any_number" };
  return isByUse
    ? { type: "amount", amountLeft: unitsLeft + units - used, cost: used }
    : { type: "calls", callsLeft: unitsLeft };
}

/** Throws CALLS_FULL and the errors of `assertTool`. */
async function sendCall(
  ctx: Ctx,
  { upstream, payer, amount, network, linkId, settlementId, callId, name, ...call }: store.TakenCall & CallKey,
  request: PaidRequest,
  seat: Seat,
  sign: (claims: Record<string, unknown>) => Promise<string>,
): Promise<Forwarded> {
  upstreams.assertRoom(seat, { upstream });
  if (upstream.kind === "mcp") await assertTool(ctx, { ...call, linkId, upstream, amount }, request.path);
  await failpoint("pass.taken");
  const payment = { id: settlementId, payer, subject: linkId, amount, network };
  const claims = upstreams.paidRequestClaims(ctx, new URL(upstream.url).origin, payment, request);
  const passCall = name === null ? callId : keyOfNamed(settlementId, name);
  const own = {
    "idempotency-key": passCall,
    "tessera-payment": await sign({ ...claims, passCall }),
    "user-agent": `Tessera (+${ctx.config.baseUrl})`,
  };
  const headers = { secrets: secretHeaders(ctx, { linkId, ...call }), own };
  const send = upstreams.sendOf(ctx, linkId, upstream);
  return forward(send, upstream, request, headers, seat.closing);
}

export type PassPage = { passes: store.SoldPass[]; next: number | null };
type Page = { limit: number; cursor?: number | undefined };

/** The settled passes that a link sold, newest first. `next`: the cursor of the next page. Throws LINK_NOT_FOUND. */
export async function listPasses(ctx: Ctx<Agent>, linkId: LinkId, page: Page): Promise<PassPage> {
  const link = await links.findOwn(ctx.db, ctx.actor.agentId, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  return passesOf(ctx, linkId, page);
}

/** The caller must have checked that the link is the owner's or the agent's. */
export async function passesOf({ db }: System, linkId: LinkId, { limit, cursor }: Page): Promise<PassPage> {
  const rows = await store.listOf(db, linkId, { before: cursor, limit: limit + 1 });
  const passes = rows.slice(0, limit);
  return { passes, next: rows.length > limit ? (passes.at(-1)?.paymentId ?? null) : null };
}

/** Ends the calls of processes that died. Returns how many, at most `atOnce`. */
export const endDeadCalls = ({ db, now }: System, atOnce: number): Promise<number> => store.endDead(db, now(), atOnce);

/** What a refund that was requested at `time` can give back; null if the payment bought no pass. */
export async function refundBoundsOf(db: Queryable, paymentId: number, time: Date): Promise<RefundBounds | null> {
  const sold = await store.findPaid(db, paymentId);
  return sold && refundBounds(stateOf(sold), sold.payment.amount, time);
}

/** Ends the pass that a payment bought while this transfer, a refund of it, has settled or still can. */
export const endByRefund: (tx: Tx, paymentId: number, transfer: SettlementId) => Promise<void> = store.addRefund;
