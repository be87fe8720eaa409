import { sentenceFor } from "@/components/dashboard/words";
import type { Answer } from "@/lib/http/client";
import type { Faults, LinkField } from "./draft";

type Failure = Extract<Answer<unknown>, { ok: false }>;

/** Why something about a link could not be done, for a person. */
export const linkSentence = (failure: Failure): string => SENTENCES[failure.code]?.(failure) ?? sentenceFor(failure);

/** The same beside the field that it is about. */
export function faultsOf(failure: Failure): Faults {
  const field = FIELDS[failure.code] ?? fieldIn(failure);
  const { reason } = failure.details ?? {};
  const says =
    failure.code === "invalid_request" && typeof reason === "string" ? sentence(reason) : linkSentence(failure);
  return { [field ?? "form"]: says };
}

const SENTENCES: Record<string, (failure: Failure) => string> = {
  link_not_found: () => "This link is not here any more.",
  expiry_in_past: () => "Choose a moment that is still to come, or clear it.",
  redirect_origin_not_allowed: () => "This server does not send payers there. See below which sites it allows.",
  body_too_large: () => "Together the texts are too large to send. Shorten the content.",
  max_uses_too_low: ({ details }) => {
    const [settled, open] = [Number(details?.useCount), Number(details?.open)];
    const underWay = open > 0 ? `, and ${open} ${open === 1 ? "payment is" : "payments are"} under way` : "";
    return `It was paid ${settled} ${settled === 1 ? "time" : "times"}${underWay}. Allow at least ${settled + open}.`;
  },
};

const FIELDS: Record<string, LinkField> = {
  agent_not_found: "agentId",
  expiry_in_past: "expiresAt",
  redirect_origin_not_allowed: "redirectUrl",
  max_uses_too_low: "maxUses",
  body_too_large: "resourceContent",
};

const NAMES: readonly LinkField[] = [
  "agentId",
  "amount",
  "network",
  "description",
  "resourceContent",
  "redirectUrl",
  "expiresAt",
  "maxUses",
];

const fieldIn = ({ details }: Failure): LinkField | undefined => NAMES.find((name) => name === details?.field);

const sentence = (reason: string): string => `It ${reason}.`;

/** What a link is called in lists: the first line of its description that shows anything, or null. */
export const titleOf = (description: string): string | null =>
  description
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .find((line) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(line)) ?? null;
