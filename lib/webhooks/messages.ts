import { z } from "zod";
import { withoutQuery } from "@/lib/core/host";
import { JsonError, parseJson } from "@/lib/core/json";
import { summaryIn } from "@/lib/platform/summary";
import { EVENT_TYPES, type EventType, entryOf, type PublicType } from "./catalogue";

const byRecordedName = new Map<string, EventType>(EVENT_TYPES.map((type) => [entryOf(type).recordedAs ?? type, type]));

/** A recorded event. */
export type Recorded = {
  type: string;
  subject: string;
  agentId: string | null;
  meta: Record<string, unknown>;
  createdAt: Date;
};
export type WebhookMessage = { type: PublicType; body: string };

/** The message for an event, with only the members that the catalogue lists; null for types that are not in the catalogue. */
export function messageOf({
  type: recorded,
  subject,
  agentId,
  meta,
  createdAt,
}: Recorded): (WebhookMessage & { type: EventType }) | null {
  const type = byRecordedName.get(recorded);
  if (!type) return null;
  const entry = entryOf(type);
  const members = Object.keys(entry.data).map((name) => [name, publicValue(name, meta[name])]);
  const data = { [entry.subject]: subject, agentId, ...Object.fromEntries(members) };
  return message(type, createdAt, data);
}

export const message = <T extends PublicType>(type: T, time: Date, data: object): WebhookMessage & { type: T } => ({
  type,
  body: JSON.stringify({ type, timestamp: time.toISOString(), data }),
});

const verification = z.object({ data: z.object({ challenge: z.string() }) });
const echo = z.object({ challenge: z.string() });

/** Whether a reply contains the verification's challenge: as plain text, or as `challenge` in a JSON object. */
export function isEcho(body: string, reply: string): boolean {
  const parsedMessage = verification.safeParse(parsed(body));
  if (!parsedMessage.success) return false;
  const { challenge } = parsedMessage.data.data;
  const answered = echo.safeParse(parsed(reply));
  return reply.trim() === challenge || (answered.success && answered.data.challenge === challenge);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** The public form of a member: a text, number, flag, list of texts, or object of texts. Any other value is internal and becomes null. */
function publicValue(name: string, value: unknown): unknown {
  if (name === "summary") return summaryIn(value);
  if (typeof value === "string") return name === "resource" ? withoutQuery(value) : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  return Object.values(value).every((item) => typeof item === "string") ? value : null;
}
