import { AppError } from "@/lib/core/errors";
import type { AgentId, AttemptId, MandateId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";

/** A payment that an agent requested. */
export type RequestedPayment = {
  mandateId: MandateId | null;
  network: string;
  host: string;
  amount: Usdc;
  /** For a payout, the payee of its first transfer. */
  payTo: string;
};

/** Refusals of one agent under one mandate, for one reason, at one host, within one minute. */
export type RefusedPayments = RequestedPayment & {
  ownerId: OwnerId;
  agentId: AgentId;
  reason: string;
  minute: Date;
  count: number;
  firstAt: Date;
  lastAt: Date;
};

export type AttemptView = Pick<RefusedPayments, "host" | "reason" | "count" | "amount" | "payTo" | "lastAt"> & {
  id: AttemptId;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HOST_CHARACTERS_MAX = 253;

const floor = (time: Date, ms: number): Date => new Date(time.getTime() - (time.getTime() % ms));

/** The error code if `error` is a refusal by the owner's rules (kind `forbidden`); null for invalid requests and transient errors. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof AppError && error.kind === "forbidden" ? error.code : null;

export function refusedAt(
  { host, ...paymentTerms }: RequestedPayment,
  actor: { ownerId: OwnerId; agentId: AgentId },
  reason: string,
  time: Date,
): RefusedPayments {
  const cut = host.slice(0, HOST_CHARACTERS_MAX);
  return {
    ...paymentTerms,
    ...actor,
    host: cut,
    reason,
    minute: floor(time, MINUTE_MS),
    count: 1,
    firstAt: time,
    lastAt: time,
  };
}

/** Refusals with the same key share one row. */
export const keyOf = ({ agentId, mandateId, reason, host, minute }: RefusedPayments): string =>
  JSON.stringify([agentId, mandateId, reason, host, minute.getTime()]);

/** Merges two refusals with the same key. */
export function together(one: RefusedPayments, otherRefusal: RefusedPayments): RefusedPayments {
  const [first, last] = one.lastAt <= otherRefusal.lastAt ? [one, otherRefusal] : [otherRefusal, one];
  const firstAt = new Date(Math.min(one.firstAt.getTime(), otherRefusal.firstAt.getTime()));
  return { ...last, count: first.count + last.count, firstAt };
}

/** A refusal of an agent over its daily row limit: without the host, and for the whole UTC day. */
export const ofDay = (refusal: RefusedPayments): RefusedPayments => ({
  ...refusal,
  host: "",
  minute: floor(refusal.minute, DAY_MS),
});
