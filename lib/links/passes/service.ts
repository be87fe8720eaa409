import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import { type LinkId, newId, type PassCallId, type SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { batchedOn } from "@/lib/platform/batch";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { sendFor } from "@/lib/platform/outbound-guard";
import { keysFor } from "@/lib/platform/secrets";
import type { PassRefusal } from "@/lib/settlements/responses";
import type { SaleOffer, Settlement } from "@/lib/settlements/service";
import { linkErrors } from "../errors";
import { type Link, payeeFor, unavailable } from "../rules";
import * as links from "../store";
import { secretHeaders } from "../upstream/columns";
import { type Ended, type Forwarded, forward } from "../upstream/forward";
import { roomOf, type Seat } from "../upstream/room";
import { type PaidRequest, quote, type UpstreamFailure } from "../upstream/rules";
import * as upstreams from "../upstream/service";
import { passUrl } from "../urls";
import { type Admitted, admittedBy, type PassState, passToken, passWords, settlementOf, statusOf } from "./rules";
import * as store from "./store";

export { passIn } from "./rules";
export type { SoldPass } from "./store";

const passKeys = (system: System) => keysFor(system, "pass of a settlement");

/**
 * What a link's pass costs; `closed` when it cannot be bought now. A deleted link has a closed offer, so that buyers still get their
 * passes. Throws LINK_NOT_FOUND, WALLET_NOT_LINKED.
 */
export async function offerPass(system: System, linkId: LinkId): Promise<{ link: Link; offer: SaleOffer }> {
  const link = await links.findEver(system.db, linkId);
  const receiver = link && (await agents.receiverOf(system, link.agentId, link.network));
  if (!link || receiver === null || receiver === "missing") throw linkErrors.LINK_NOT_FOUND();
  const payee = receiver === "no_wallet" ? null : payeeFor(link, receiver);
  if (!payee) throw linkErrors.WALLET_NOT_LINKED({ authorizationUrl: addAgentUrl(system.config.baseUrl, link) });
  const pass = link.upstream?.pass ?? null;
  const url = passUrl(system, linkId);
  const words = pass && passWords(pass);
  return {
    link,
    offer: {
      purpose: "link",
      subject: linkId,
      agentId: link.agentId,
      ownerId: payee.ownerId,
      requirement: {
        network: link.network,
        amount: pass ? toUsdc(BigInt(pass.amount)) : link.amount,
        payTo: payee.address,
        resource: url,
        isResourceBound: true,
        description: [words, link.description || link.title].filter(Boolean).join(": "),
      },
      closed: await whyClosed(system, link),
    },
  };
}

async function whyClosed(system: System, link: Link) {
  if (link.deletedAt !== null) return linkErrors.LINK_NOT_FOUND();
  if (!link.upstream?.pass) return linkErrors.PASS_NOT_OFFERED();
  const uses = await links.usesOf(system.db, link.maxUses === null ? [] : [link.linkId]);
  const reason = unavailable(link, uses(link.linkId), system.now());
  return reason && linkErrors[reason]();
}

/** Returns a function that writes the pass, at the terms of the offer that is paid, in its claim's transaction. */
export const passWriter =
  ({ now }: System, { linkId, upstream }: Link): ((tx: Tx, settlementId: SettlementId) => Promise<void>) =>
  async (tx, settlementId) => {
    if (!upstream?.pass) throw linkErrors.PASS_NOT_OFFERED();
    const { calls, hours, isRefundable } = upstream.pass;
    const terms = { calls, hours, isRefundable, admitted: admittedBy(upstream) };
    await store.add(tx, { ...terms, settlementId, linkId, createdAt: now() });
  };

/** Whether an earlier payment bought a pass of this link, and not a call. */
export async function isPassOf({ db }: System, linkId: LinkId, { id }: Settlement): Promise<boolean> {
  return (await store.find(db, id))?.pass.linkId === linkId;
}

/** The payment of a pass that the payer can still use. A pass that is used up is not found: a client that signs in first would never buy again. */
export const usablePass = ({ db, now }: System, linkId: LinkId, payer: Address): Promise<Settlement | null> =>
  store.findUsable(db, { linkId, payer }, now());

/** A pass for its buyer. */
export type OwnPass = store.SoldPass & { token: string };

/** The pass that a settlement paid. The caller must have authenticated the buyer. */
export async function readPass(system: System, settlementId: SettlementId): Promise<OwnPass> {
  await store.giveBackDead(system.db, settlementId, system.now());
  const sold = await store.find(system.db, settlementId);
  if (!sold) throw new Error(`${settlementId} bought no pass`);
  return { ...sold, token: passToken(settlementId, await passKeys(system)) };
}

/** The pass of a token at this link; null if the token is of none. */
export async function openPass(system: System, linkId: LinkId, token: string): Promise<OwnPass | null> {
  const settlementId = await paymentOf(system, token);
  const pass = settlementId && (await readPass(system, settlementId));
  return pass && pass.pass.linkId === linkId && pass.payment.state === "settled" ? pass : null;
}

export const stateOf = ({ pass, payment }: store.SoldPass): PassState => ({
  ...pass,
  // A pass is only shown while its payment is settled.
  settledAt: payment.endedAt ?? pass.createdAt,
});

export type PassCall =
  | (upstreams.Answered & { callsLeft: number | null })
  /** `busy`: this server ends. */
  | { type: "failed"; failure: UpstreamFailure | "busy" }
  | { type: "refused"; code: PassRefusal };

/** The payment of a pass, by its token; null if this service did not issue it. Needs no database. */
export const paymentOf = async (system: System, token: string): Promise<SettlementId | null> =>
  settlementOf(token, await passKeys(system));

type CallKey = { linkId: LinkId; settlementId: SettlementId; callId: PassCallId };

/**
 * Sends a request to the link's upstream on a pass: one statement takes the call before, and one ends it or gives it back after. If the
 * process dies in between, the call comes back at `busyUntil`. The request is read first: a body that breaks off takes nothing. Throws
 * PATH_NOT_OFFERED, METHOD_NOT_OFFERED, CALLS_FULL, and the errors of `read`.
 */
export async function callOnPass(
  ctx: Ctx,
  pass: { linkId: LinkId; settlementId: SettlementId },
  read: (seat: Seat) => Promise<PaidRequest>,
  sign: (claims: Record<string, unknown>) => Promise<string>,
): Promise<PassCall> {
  const bodySeat = roomOf(ctx).seat([`buyer ${ctx.caller ?? "unknown"}`, `pass ${pass.settlementId}`]);
  try {
    const request = await read(bodySeat);
    const key = { ...pass, callId: newId("passCall") };
    const taken = await takeCall(ctx, key);
    return taken.type === "refused" ? taken : await makeCall(ctx, { ...taken.call, ...key }, request, sign);
  } finally {
    bodySeat.leave();
  }
}

type Taken = { type: "taken"; call: store.TakenCall } | Extract<PassCall, { type: "refused" }>;

async function takeCall(system: System, key: CallKey): Promise<Taken> {
  const { db } = system;
  const time = system.now();
  const { settlementId, linkId } = key;
  const firstCall = await store.takeCall(db, key, time);
  if (firstCall) return { type: "taken", call: firstCall };
  const { sold, callsBack } = await inspect(db, { settlementId, time });
  const call = callsBack > 0 ? await store.takeCall(db, key, time) : null;
  if (call) return { type: "taken", call };
  if (sold?.pass.linkId !== linkId || sold.payment.state !== "settled")
    return { type: "refused", code: "PASS_INVALID" };
  const status = statusOf(stateOf(sold), time);
  // `usable`: a call came back in between.
  return { type: "refused", code: status === "over" || status === "refunded" ? "PASS_OVER" : "PASS_USED_UP" };
}

type Inspected = { sold: store.SoldPass | null; callsBack: number };

/** Gives back the calls of processes that died, and reads the pass. Concurrent refusals share it. */
const inspect = batchedOn((db) => {
  const inspectOne = async (settlementId: SettlementId, time: Date): Promise<Inspected> => {
    const callsBack = await store.giveBackDead(db, settlementId, time);
    return { sold: await store.find(db, settlementId), callsBack };
  };
  return async (items: readonly { settlementId: SettlementId; time: Date }[]): Promise<Inspected[]> => {
    const byPass = new Map<SettlementId, Promise<Inspected>>();
    for (const { settlementId, time } of items)
      if (!byPass.has(settlementId)) byPass.set(settlementId, inspectOne(settlementId, time));
    return Promise.all(
      items.map(({ settlementId, time }) => byPass.get(settlementId) ?? inspectOne(settlementId, time)),
    );
  };
});

async function makeCall(
  ctx: Ctx,
  call: store.TakenCall & CallKey,
  request: PaidRequest,
  sign: (claims: Record<string, unknown>) => Promise<string>,
): Promise<PassCall> {
  const { db } = ctx;
  const { callId, settlementId, callsLeft } = call;
  const seat = upstreams.takeSeat(ctx, call);
  const giveBack = (isFailure: boolean) => store.giveBack(db, callId, { isFailure });
  // The buyer has the answer all the same. If the end is lost, the call comes back at its `busyUntil`.
  const logLoss = (err: unknown) => ctx.log.error({ settlementId, err }, "pass.call_not_ended");
  const end = async ({ type }: Ended): Promise<void> => {
    await failpoint("pass.answered");
    await (type === "answered" ? store.endCall(db, callId) : giveBack(!seat.closing.aborted));
  };
  const forwarded = await sendCall(ctx, call, request, seat, sign).catch(async (error: unknown) => {
    seat.leave();
    await giveBack(false);
    throw error;
  });
  switch (forwarded.type) {
    case "streaming": {
      const { head, body } = forwarded;
      const ended = forwarded.end.then(end).catch(logLoss);
      void Promise.all([ended, body.over]).then(seat.leave);
      return { type: "answered", answer: { ...head, body: body.stream }, callsLeft };
    }
    case "answered":
      await end(forwarded).catch(logLoss);
      return { ...upstreams.handOver(forwarded.answer, seat), callsLeft };
    case "failed":
      seat.leave();
      await end(forwarded).catch(logLoss);
      return { type: "failed", failure: seat.closing.aborted ? "busy" : forwarded.failure };
    default:
      return forwarded satisfies never;
  }
}

/** Throws PATH_NOT_OFFERED, METHOD_NOT_OFFERED, CALLS_FULL. */
async function sendCall(
  system: System,
  { upstream, admitted, payer, amount, network, linkId, settlementId, callId, ...call }: store.TakenCall & CallKey,
  request: PaidRequest,
  seat: Seat,
  sign: (claims: Record<string, unknown>) => Promise<string>,
): Promise<Forwarded> {
  assertAdmitted(admitted, amount, request);
  upstreams.assertRoom(seat, { upstream });
  await failpoint("pass.taken");
  const payment = { id: settlementId, payer, subject: linkId, amount, network };
  const claims = upstreams.paidRequestClaims(system, new URL(upstream.url).origin, payment, request);
  const own = {
    "idempotency-key": callId,
    "tessera-payment": await sign({ ...claims, passCall: callId }),
    "user-agent": `Tessera (+${system.config.baseUrl})`,
  };
  const headers = { secrets: secretHeaders(system, { linkId, ...call }), own };
  const send = sendFor(system, { replyBytesMax: upstream.answerBytesMax });
  return forward(send, upstream, request, headers, seat.closing);
}

function assertAdmitted({ methods, paths }: Admitted, amount: Usdc, request: PaidRequest): void {
  const priced = { methods, paths: paths.map((path) => ({ path, amount: null })) };
  const { type } = quote(priced, amount, request);
  if (type === "path_not_offered") throw linkErrors.PATH_NOT_OFFERED({ paths });
  if (type === "method_not_offered") throw linkErrors.METHOD_NOT_OFFERED({ methods });
}

/** The passes that a link sold, newest first. Throws LINK_NOT_FOUND. */
export async function listPasses(ctx: Ctx<Agent>, linkId: LinkId): Promise<store.SoldPass[]> {
  const link = await links.findOwn(ctx.db, ctx.actor.agentId, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  return passesOf(ctx, linkId);
}

/** The caller must have checked that the link is the owner's or the agent's. */
export const passesOf = ({ db }: System, linkId: LinkId): Promise<store.SoldPass[]> => store.listOf(db, linkId);

/** Ends the pass that a payment bought, in the transaction that records its refund. */
export const endRefunded: (tx: Tx, paymentId: number, time: Date) => Promise<void> = store.endRefunded;
