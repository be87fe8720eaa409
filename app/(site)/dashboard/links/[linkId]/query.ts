import { z } from "zod";
import type { SettlementId } from "@/lib/core/ids";
import type { AttemptCursor } from "@/lib/links/visits/service";
import { cursor, oneOf } from "../../query";

export const SECTIONS = ["calls", "payments", "attempts", "history"] as const;
export type Section = (typeof SECTIONS)[number];

export const PERIODS = ["7", "30", "90", "all"] as const;
export type Period = (typeof PERIODS)[number];

const received = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .optional()
  .catch(undefined);

const ATTEMPT = /^(\d{1,13})\.(?:(stl_[0-9A-Za-z]{16,40})|(\d{1,15}))$/;

const attempt = z
  .string()
  .regex(ATTEMPT)
  .transform((text): AttemptCursor => {
    const [, milliseconds, settlementId, refusal] = ATTEMPT.exec(text) ?? [];
    // The cast is safe: ATTEMPT captures only texts in the form of a settlement id.
    return { at: new Date(Number(milliseconds)), id: (settlementId as SettlementId | undefined) ?? Number(refusal) };
  })
  .optional()
  .catch(undefined);

export const attemptText = ({ at: time, id }: AttemptCursor): string => `${time.getTime()}.${id}`;

/** As `readPaging` reads it. */
const text = z.string().optional().catch(undefined);

/** A cursor belongs to one list, so each parameter is named after its list. */
export const query = z.object({
  section: oneOf(SECTIONS),
  period: oneOf(PERIODS),
  payment: received,
  attempt,
  event: cursor,
  rows: text,
  at: text,
  passed: text,
});

export type Query = z.output<typeof query>;
