import { AppError } from "@/lib/core/errors";
import type { AgentId, AttemptId, MandateId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";

/** A payment that an agent asked for. */
export type Wanted = {
  mandateId: MandateId | null;
  network: string;
  host: string;
  amount: Usdc;
  /** The first one of a payout. */
  payTo: string;
};

/** Refusals of one agent and mandate for one reason, at one host, in one minute. */
export type Refused = Wanted & {
  ownerId: OwnerId;
  agentId: AgentId;
  reason: string;
  minute: Date;
  count: number;
  firstAt: Date;
  lastAt: Date;
};

/** What a page shows of a row. */
export type AttemptView = Pick<Refused, "host" | "reason" | "count" | "amount" | "lastAt"> & { id: AttemptId };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HOST_CHARACTERS_MAX = 253;

const floor = (time: Date, ms: number): Date => new Date(time.getTime() - (time.getTime() % ms));

/** The code of an error that is a refusal: what the owner has decided does not allow it. Others are mistakes of the request, or passing. */
export const reasonOf = (error: unknown): string | null =>
  error instanceof AppError && error.kind === "forbidden" ? error.code : null;

export function refusedAt(
  { host, ...paymentTerms }: Wanted,
  actor: { ownerId: OwnerId; agentId: AgentId },
  reason: string,
  time: Date,
): Refused {
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

/** Refusals with the same key are one row. */
export const keyOf = ({ agentId, mandateId, reason, host, minute }: Refused): string =>
  JSON.stringify([agentId, mandateId, reason, host, minute.getTime()]);

/** `otherRefusal` has the same key. */
export function together(one: Refused, otherRefusal: Refused): Refused {
  const [first, last] = one.lastAt <= otherRefusal.lastAt ? [one, otherRefusal] : [otherRefusal, one];
  const firstAt = new Date(Math.min(one.firstAt.getTime(), otherRefusal.firstAt.getTime()));
  return { ...last, count: first.count + last.count, firstAt };
}

/** The same without its host, for the whole day in UTC: what an agent's refusals become that has had too many rows. */
export const ofDay = (refusal: Refused): Refused => ({ ...refusal, host: "", minute: floor(refusal.minute, DAY_MS) });
