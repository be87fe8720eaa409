import { sentenceFor } from "@/components/dashboard/words";
import type { BadgeTone } from "@/components/ui/badge";
import type { Failure } from "@/lib/http/client";
import type { PassStatus } from "@/lib/links/passes/rules";
import type { SaleView } from "@/lib/links/sales/contract";
import { LINK_TEXT_NAMES } from "@/lib/links/texts";
import type { UpstreamFailure } from "@/lib/links/upstream/rules";
import type { Faults, LinkField } from "./draft-types";

/** An error message for people. */
export const linkSentence = (failure: Failure): string => SENTENCES[failure.code]?.(failure) ?? sentenceFor(failure);

/** The error message at the field that caused the error. */
export function faultsOf(failure: Failure): Faults {
  const field = FIELDS[failure.code] ?? NAMES.find((name) => name === failure.details?.field);
  const { reason } = failure.details ?? {};
  const says =
    failure.code === "invalid_request" && typeof reason === "string" ? `It ${reason}.` : linkSentence(failure);
  return { [field ?? "form"]: says };
}

const SENTENCES: Record<string, (failure: Failure) => string> = {
  link_not_found: () => "This link no longer exists.",
  expiry_in_past: () => "Choose a time in the future, or clear it.",
  redirect_origin_not_allowed: () =>
    "This server does not redirect to this site. Verify your domain in Settings, or use a site that is listed below.",
  upstream_url_invalid: ({ details }) => UPSTREAM_FAULTS[String(details?.reason)] ?? "This address cannot be used.",
  upstream_with_content: () =>
    "A link that sells an API sells nothing else: empty what they get, the file, amounts, quantity and questions, and do not list it.",
  path_not_offered: () => "This link does not sell this path. Use one that it sells, with a value in place of {…}.",
  method_not_offered: () => "This link does not sell this method.",
  file_not_found: () => "This file is no longer stored. Upload it again.",
  image_not_found: () => "This image is no longer stored. Choose it again.",
  body_too_large: () => "The texts are too large in total. Shorten the content.",
  max_uses_too_low: ({ details }) => {
    const [settled, open] = [Number(details?.useCount), Number(details?.open)];
    const underWay = open > 0 ? `, and ${open} ${open === 1 ? "payment is" : "payments are"} under way` : "";
    return `It was paid ${settled} ${settled === 1 ? "time" : "times"}${underWay}. Allow at least ${settled + open}.`;
  },
};

const UPSTREAM_FAULTS: Record<string, string> = {
  url_invalid: "This is not an address.",
  url_has_credentials: "Leave user and password out. Put them into the headers.",
  url_not_https: "It must begin with https://.",
  url_not_public: "It must be reachable from the internet.",
  url_has_port: "Use the usual port of https.",
  url_has_query: "Leave out what follows the question mark: buyers send their own.",
  url_is_ours: "This is an address of this server.",
};

const FIELDS: Record<string, LinkField> = {
  upstream_url_invalid: "upstreamUrl",
  upstream_with_content: "upstreamUrl",
  agent_not_found: "agentId",
  expiry_in_past: "expiresAt",
  redirect_origin_not_allowed: "redirectUrl",
  max_uses_too_low: "maxUses",
  file_not_found: "fileId",
  image_not_found: "imageId",
  body_too_large: "resourceContent",
};

const NAMES: readonly LinkField[] = [
  "agentId",
  "amount",
  "network",
  "reference",
  "metadata",
  "maxQuantity",
  "fields",
  ...LINK_TEXT_NAMES,
  "cancelUrl",
  "description",
  "resourceContent",
  "redirectUrl",
  "expiresAt",
  "maxUses",
  "isListed",
  "isRepeatable",
];

/** Why an API or an MCP server gave no answer that a buyer gets. */
export const FAILURE_WORDS: Record<UpstreamFailure, string> = {
  unreachable: "It could not be reached.",
  timeout: "It did not answer in time.",
  redirect: "It redirected. Name the address where it answers.",
  refused_us: "It refused this server (401, 402, 407, 408 or 429). Check the headers and its limits.",
  error: "It answered with an error of its own.",
  too_large: "The answer is larger than the link allows.",
  incomplete: "The answer broke off.",
  encoded: "The answer is compressed, although it must not be.",
  secret: "The answer contains one of your headers’ values.",
};

type CallOutcome = { status: number | null; failure: UpstreamFailure | null; isTest?: boolean };

/** How a request to an API ended. */
export function callStatus({ status, failure, isTest = false }: CallOutcome): { tone: BadgeTone; label: string } {
  if (failure !== null) return { tone: "bad", label: status === null ? "No answer" : `Failed · ${status}` };
  if (status === null) return { tone: "info", label: isTest ? "No answer" : "Under way" };
  return { tone: status < 400 ? "good" : "warn", label: `${status}` };
}

export const PASS_STATUS_WORDS: Record<PassStatus, { tone: BadgeTone; label: string }> = {
  usable: { tone: "good", label: "Usable" },
  used_up: { tone: "neutral", label: "Used up" },
  over: { tone: "neutral", label: "Over" },
  held: { tone: "info", label: "Refund under way" },
  refunded: { tone: "neutral", label: "Refunded" },
};

/** The title of a link in lists: its own, or the first visible line of its description, or null. */
export const titleOf = ({ title, description }: { title?: string | null | undefined; description: string }) =>
  title ?? firstLine(description);

const firstLine = (description: string): string | null =>
  description
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .find((line) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(line)) ?? null;

/** "A ticket × 2". */
export const soldText = (title: string, quantity: number): string => (quantity > 1 ? `${title} × ${quantity}` : title);

type Sold = Pick<SaleView, "title" | "quantity"> & { settlement: Pick<SaleView["settlement"], "description"> };

/** What a sale sold, in lists: the title that it was sold with, or the first line of the description. */
export const soldTitle = ({ title, settlement, quantity }: Sold): string | null => {
  const sold = titleOf({ title, description: settlement.description });
  return sold === null ? null : soldText(sold, quantity);
};
