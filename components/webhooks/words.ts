import type { BadgeTone } from "@/components/ui/badge";
import type { WebhookItem } from "@/lib/webhooks/contract";
import type { AttemptItem, DeliveryItem } from "@/lib/webhooks/deliveries/contract";

type State = { word: string; tone: BadgeTone };

type Standing = Pick<WebhookItem, "enabled" | "disabledBy" | "lastSuccessAt" | "lastFailureAt" | "updatedAt">;

/** Whether a webhook is told anything, and why not. */
export function webhookState({ enabled, disabledBy, lastSuccessAt, lastFailureAt, updatedAt }: Standing): State {
  if (enabled) {
    // What failed before it was changed or switched on says nothing of how it is now.
    const since = lastSuccessAt !== null && lastSuccessAt > updatedAt ? lastSuccessAt : updatedAt;
    const isFailing = lastFailureAt !== null && lastFailureAt >= since;
    return isFailing ? { word: "On, but failing", tone: "warn" } : { word: "On", tone: "good" };
  }
  if (disabledBy === "gone") return { word: "Off: its receiver is gone", tone: "bad" };
  if (disabledBy === "failing") return { word: "Off: it failed for three days", tone: "bad" };
  return { word: "Off", tone: "neutral" };
}

export function deliveryState({ state, underway, attempts }: DeliveryItem): State {
  if (underway) return { word: "Being sent", tone: "info" };
  return state === "waiting" && attempts.length === 0 ? { word: "Next", tone: "info" } : STATES[state];
}

const STATES: Record<DeliveryItem["state"], State> = {
  waiting: { word: "To be tried again", tone: "warn" },
  paused: { word: "Paused", tone: "neutral" },
  delivered: { word: "Delivered", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
};

/** How an attempt ended, in a sentence. */
export function attemptWords({ status, failure, durationMs }: AttemptItem, isUnderway: boolean): string {
  if (durationMs === null) {
    return isUnderway ? "No answer yet" : "We stopped before the answer came, so it may have arrived or not";
  }
  if (failure === null) return `Taken, with ${status}`;
  return FAILURES[failure](status);
}

const FAILURES: Record<NonNullable<AttemptItem["failure"]>, (status: number | null) => string> = {
  status: (status) => `Refused, with ${status}`,
  gone: () => "Answered 410: gone for good",
  redirect: (status) => `Answered ${status}: we do not follow redirects`,
  timeout: () => "No answer within ten seconds",
  connection: () => "No connection, or it broke off",
  certificate: () => "Its TLS certificate is not good",
  name_unknown: () => "Its host name is not known",
  address_refused: () => "Its host is at a private or local address, where we send nothing",
  not_http: () => "What came back was no HTTP",
  not_echoed: () => "The reply did not repeat the challenge",
};

/** "All events", or how many kinds. */
export function eventsWords(eventTypes: readonly string[] | null): string {
  if (eventTypes === null) return "All events";
  return eventTypes.length === 1 ? "1 kind of event" : `${eventTypes.length} kinds of events`;
}
