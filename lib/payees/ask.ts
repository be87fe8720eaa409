import { createHash } from "node:crypto";
import type { Hex } from "viem";
import { edgeErrors } from "@/lib/http/errors";
import type { Agent, Ctx } from "@/lib/platform/context";
import type { Send } from "@/lib/platform/outbound";
import { isWebPort, sendFor } from "@/lib/platform/outbound-guard";
import { offersIn, requiredIn } from "@/lib/x402/required";
import type { AcceptedOffer, Why } from "./answers";
import { headersFor, takeOutboundTurn } from "./outbound";
import { findAccepted, isAskable, type PayeePayment, toAccepted } from "./rules";

/** A host's answer about a payee, as it is stored. */
export type HostAnswer =
  | { why: null; accepted: AcceptedOffer; answerHash: Hex }
  | { why: Why; accepted: null; answerHash: null };

const ASK_MS_MAX = 5_000;
/** Concurrent requests to hosts per agent and process. */
const PER_AGENT_MAX = 4;

const underway = {
  answers: new Map<string, Promise<HostAnswer>>(),
  perAgent: new Map<string, number>(),
};

/**
 * Asks a host about a payee. Identical concurrent calls of an agent share one request. An agent can have PER_AGENT_MAX requests
 * open, so that an unresponsive host affects only the agent that named it. Throws rate_limited.
 */
export async function askOnce(ctx: Ctx<Agent>, payment: PayeePayment): Promise<HostAnswer> {
  const { network, payTo, resource, method, amount } = payment;
  const key = JSON.stringify([ctx.actor.agentId, network, payTo, resource, method, String(amount)]);
  const { answers: pendingRequests } = underway;
  const pendingRequest = pendingRequests.get(key);
  if (pendingRequest) return pendingRequest;
  const request = limitPerAgent(ctx, async () => {
    const url = new URL(resource);
    if (!isWebPort(ctx, url)) return no("port");
    if (isAskable(method)) await takeOutboundTurn(ctx, url);
    // This service's own links confirm payees like any other host; the request contains nothing that this service trusts.
    const send = sendFor(ctx, url.origin === new URL(ctx.config.baseUrl).origin ? { isRefused: () => false } : {});
    return ask(send, payment, headersFor(ctx));
  }).finally(() => pendingRequests.delete(key));
  pendingRequests.set(key, request);
  return request;
}

async function limitPerAgent<T>({ actor: { agentId } }: Ctx<Agent>, work: () => Promise<T>): Promise<T> {
  const { perAgent } = underway;
  const open = perAgent.get(agentId) ?? 0;
  if (open >= PER_AGENT_MAX) throw edgeErrors.rate_limited({ retryAfterSeconds: 2 });
  perAgent.set(agentId, open + 1);
  try {
    return await work();
  } finally {
    const remainingCount = (perAgent.get(agentId) ?? 1) - 1;
    if (remainingCount > 0) perAgent.set(agentId, remainingCount);
    else perAgent.delete(agentId);
  }
}

/**
 * Requests the resource without a payment, and without the agent's body and headers, which could determine the answer. Never throws.
 * Why: docs/decisions.md, 139.
 */
export async function ask(
  send: Send,
  payment: PayeePayment,
  headers: Record<string, string> = {},
): Promise<HostAnswer> {
  const { resource, method } = payment;
  if (!isAskable(method)) return no("method");
  const url = new URL(resource);
  url.hash = "";
  const reply = await send(url, { method, headers, msMax: ASK_MS_MAX });
  if (!reply.isAnswered) return no(reply.why === "address_refused" ? "private_address" : "no_answer");
  if (reply.status !== 402) return no("not_402");
  // The missing part of an incomplete body could state other terms.
  if (reply.end !== "whole") return no("no_answer");
  const offer = findAccepted(offersIn(reply), payment);
  if (!offer) return no("other_terms");
  const evidence = offer.challenge ? reply.headers["www-authenticate"] : requiredIn(reply)?.bytes;
  const answerHash = createHash("sha256")
    .update(evidence ?? "")
    .digest("hex");
  return { why: null, accepted: toAccepted(offer), answerHash: `0x${answerHash}` };
}

const no = (reason: Why): HostAnswer => ({ why: reason, accepted: null, answerHash: null });
