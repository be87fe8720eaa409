import { parseUrl } from "@tessera/x402/url";
import { formatUsdc, toUsdc } from "@/lib/core/money";
import type { Window } from "@/lib/mandates/caps/rules";
import {
  amountInWords,
  isReal,
  nameInWords,
  networkInWords,
  oneLine,
  shortHost,
  sumInWords,
  summaryIn,
  WINDOWS_IN_WORDS,
} from "@/lib/platform/summary";
import type { NetworkName } from "@/lib/x402/networks";
import type { NoticeKind } from "./kinds";

/** The members of an event that a notice uses. */
export type Happened = {
  id: string;
  type: string;
  subject: string;
  agentName: string | null;
  meta: Record<string, unknown>;
};

/**
 * A notice without its recipient. An owner gets one notice per `about`. `isSmall`: about a sum so small that a stranger can send it
 * repeatedly.
 */
export type Notice = {
  kind: NoticeKind;
  about: string;
  subject: string;
  lines: readonly string[];
  path: string;
  isSmall?: boolean;
};

const nameOf = ({ agentName }: Happened): string => nameInWords(agentName);

function atomicOf({ meta }: Happened, name: string): bigint | null {
  const value = meta[name];
  return typeof value === "string" && /^\d{1,30}$/.test(value) ? BigInt(value) : null;
}

function sumOf(event: Happened, name = "amount"): string {
  const atomic = atomicOf(event, name);
  return atomic === null ? "a payment" : sumInWords(event.meta.network, atomic);
}

function hostOf({ meta }: Happened): string {
  const url = typeof meta.resource === "string" ? meta.resource : meta.origin;
  const urlHost = typeof url === "string" ? (parseUrl(url)?.host ?? null) : null;
  const host = typeof meta.host === "string" ? meta.host : urlHost;
  return host === null ? "an unknown host" : shortHost(host);
}

/** "on Base has 4.50 USDC left" */
function leftOf(event: Happened): string {
  const { network } = event.meta;
  const balance = atomicOf(event, "balance");
  return `on ${networkInWords(network)} has ${balance === null ? "little" : amountInWords(network, balance)} left`;
}

/** 1 USDC. */
const SMALL_BELOW = 1_000_000n;

type Compose = (event: Happened) => Omit<Notice, "about"> | null;

/** In the words of the request's summary; null for what waits for nobody. */
function asking({ meta, subject }: Happened): Omit<Notice, "about"> | null {
  const summary = summaryIn(meta.summary);
  if (summary === null) return null;
  const { kind, title, text } = summary;
  return { kind: "approval_wanted", subject: title, lines: [text], path: `/authorize/${kind}/${subject}` };
}

const COMPOSE: Record<string, Compose> = {
  "payment.approval_requested": asking,
  "payee.requested": asking,
  "mandate.created": (event) =>
    event.meta.by !== "owner"
      ? {
          kind: "approval_wanted",
          subject: `Sign a mandate of up to ${sumOf(event, "limitAmount")}?`,
          lines: [`${nameOf(event)} asks for a mandate of up to ${sumOf(event, "limitAmount")}.`],
          path: `/authorize/mandate/${event.subject}`,
        }
      : null,
  "payout.created": asking,
  "refund.created": (event) =>
    event.meta.by !== "owner"
      ? {
          kind: "approval_wanted",
          subject: `Approve a refund of ${sumOf(event)}?`,
          lines: [`${nameOf(event)} asks you to refund ${sumOf(event)}.`],
          path: `/authorize/refund/${event.subject}`,
        }
      : null,
  "payment.refused": (event) => ({
    kind: "payment_refused",
    subject: `A payment of ${sumOf(event)} was refused`,
    lines: [
      `${nameOf(event)} wanted to pay ${sumOf(event)} to ${hostOf(event)} and was refused (${oneLine(String(event.meta.reason), 60)}). No money moved.`,
    ],
    path: typeof event.meta.mandateId === "string" ? `/mandates/${event.meta.mandateId}` : "/dashboard/activity",
  }),
  "payee.denied_under_way": (event) => ({
    kind: "payment_refused",
    subject: "A payee was denied after a payment was signed",
    lines: [
      `${oneLine(event.subject, 60)} was put on ${event.meta.list === "yours" ? "your deny list" : `the operator's list "${oneLine(String(event.meta.list), 60)}"`} after a payment of ${sumOf(event)} to it was signed. That payment can still settle. Further ones are refused.`,
    ],
    path: "/dashboard/payments",
  }),
  "settlement.settled": (event) =>
    event.meta.purpose === "link" || event.meta.purpose === "upl" || event.meta.purpose === "deposit"
      ? {
          kind: "money_received",
          subject: `You received ${sumOf(event)}`,
          lines: [
            event.meta.purpose === "deposit"
              ? `A deposit of ${sumOf(event)} has arrived in your spending wallet.`
              : `${nameOf(event)} was paid ${sumOf(event)}.`,
          ],
          isSmall: !isReal(event.meta.network) || (atomicOf(event, "amount") ?? 0n) < SMALL_BELOW,
          path: `/receipt/${event.subject}`,
        }
      : null,
  "wallet.low": (event) => ({
    kind: "balance_low",
    subject: `Your spending wallet has ${sumOf(event, "balance")} left`,
    lines: [
      `Your spending wallet ${leftOf(event)}. A mandate may still spend more than that, so payments of your agents can fail until you add money.`,
    ],
    path: "/dashboard/wallet",
  }),
  "vault.low": (event) => ({
    kind: "balance_low",
    subject: `A vault has ${sumOf(event, "balance")} left`,
    lines: [`The vault of a mandate ${leftOf(event)}. The mandate may still spend more than that.`],
    path: `/mandates/${event.subject}`,
  }),
  "webhook.disabled": (event) => ({
    kind: "webhook_failing",
    subject: "A webhook was disabled",
    lines: ["A webhook of yours failed for days, so we disabled it. Its messages wait until you enable it again."],
    path: `/dashboard/webhooks/${event.subject}`,
  }),
  "owner.signed_in": () => ({
    kind: "sign_in",
    subject: "New sign-in to your account",
    lines: [
      "Somebody signed in with your wallet. If that was not you, end the session, and check who has your wallet's key.",
    ],
    path: "/dashboard/settings",
  }),
};

/** The notice about an event; null if its type has none. Uses only the members of `meta` that this file names. */
export function noticeOf(event: Happened): Notice | null {
  const composed = Object.hasOwn(COMPOSE, event.type) ? COMPOSE[event.type]?.(event) : null;
  return composed ? { ...composed, about: event.id } : null;
}

export type BudgetUse = {
  mandateId: string;
  agentName: string | null;
  network: NetworkName;
  limit: bigint;
  used: bigint;
};

/** Whether 80 % of a budget is used. */
export const isLow = ({ limit, used }: Pick<BudgetUse, "limit" | "used">): boolean => used * 5n >= limit * 4n;

/** One notice per mandate. */
export const budgetNotice = ({ mandateId, agentName, network, limit, used }: BudgetUse): Notice => ({
  kind: "budget_low",
  about: `budget ${mandateId}`,
  subject: `${limit === 0n ? 100n : (used * 100n) / limit} % of a mandate is used`,
  lines: [`${nameInWords(agentName)} has used ${formatUsdc(toUsdc(used))} of ${sumInWords(network, limit)}.`],
  path: `/mandates/${mandateId}`,
});

export type CapUse = {
  about: string;
  agentName: string | null;
  network: NetworkName;
  window: Window;
  cap: bigint;
  used: bigint;
};

/** One notice per cap and length of its window. */
export const capNotice = ({ about, agentName, network, window, cap, used }: CapUse): Notice => {
  const says = WINDOWS_IN_WORDS[window];
  const whose = agentName === null ? "Your agents have" : `${nameInWords(agentName)} has`;
  return {
    kind: "budget_low",
    about,
    subject: `${cap === 0n ? 100n : (used * 100n) / cap} % of your limit for ${says} is used`,
    lines: [`${whose} used ${formatUsdc(toUsdc(used))} of ${sumInWords(network, cap)} in ${says}.`],
    path: "/dashboard/wallet",
  };
};

/** The text of a mail. `unsubscribe`: the URL that ends all mails. */
export const bodyOf = ({ lines, path }: Pick<Notice, "lines" | "path">, baseUrl: string, unsubscribe: string): string =>
  [
    ...lines,
    "",
    `${baseUrl}${path}`,
    "",
    "--",
    `Tessera at ${new URL(baseUrl).host}`,
    `No more of these mails: ${unsubscribe}`,
  ].join("\n");

const ATTEMPTS_MAX = 10;
const FIRST_SECONDS = 30;
const PAUSE_SECONDS_MAX = 6 * 3600;

/** `refused`: permanent, not retried. `unknown`: the message may have arrived; it is sent again. */
export type SendOutcome = "sent" | "refused" | "unknown";

/** What follows attempt number `attempts`: the final state, or the delay until the next attempt. */
export function afterAttempt(
  outcome: SendOutcome,
  attempts: number,
): { type: "over"; state: "sent" | "failed" } | { type: "waiting"; seconds: number } {
  if (outcome === "sent") return { type: "over", state: "sent" };
  if (outcome === "refused" || attempts >= ATTEMPTS_MAX) return { type: "over", state: "failed" };
  return { type: "waiting", seconds: Math.min(FIRST_SECONDS * 2 ** attempts, PAUSE_SECONDS_MAX) };
}

/** The outcome of a failed attempt from the mail server's reply code (RFC 5321, 4.2.1); `unknown` without one. */
export const outcomeOf = (responseCode: unknown): SendOutcome =>
  typeof responseCode === "number" && responseCode >= 500 && responseCode < 600 ? "refused" : "unknown";
