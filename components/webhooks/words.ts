import type { BadgeTone } from "@/components/ui/badge";
import type { WebhookItem } from "@/lib/webhooks/contract";
import type { AttemptItem, DeliveryItem } from "@/lib/webhooks/deliveries/contract";

type State = { label: string; tone: BadgeTone };

type Standing = Pick<
  WebhookItem,
  "enabled" | "verifiedAt" | "disabledBy" | "lastSuccessAt" | "lastFailureAt" | "updatedAt"
>;

/** Whether a webhook receives events, and the reason if it does not. */
export function webhookState({
  enabled,
  verifiedAt,
  disabledBy,
  lastSuccessAt,
  lastFailureAt,
  updatedAt,
}: Standing): State {
  if (enabled) {
    // Failures before the last update say nothing about the current settings.
    const since = lastSuccessAt !== null && lastSuccessAt > updatedAt ? lastSuccessAt : updatedAt;
    const isFailing = lastFailureAt !== null && lastFailureAt >= since;
    if (isFailing) return { label: "Failing", tone: "warn" };
    return verifiedAt === null ? { label: "Not verified", tone: "warn" } : { label: "Enabled", tone: "good" };
  }
  if (disabledBy === "gone") return { label: "Disabled: receiver gone", tone: "bad" };
  if (disabledBy === "failing") return { label: "Disabled: failed for three days", tone: "bad" };
  return { label: "Disabled", tone: "neutral" };
}

export function deliveryState({ state, underway, attempts }: DeliveryItem): State {
  if (underway) return { label: "Sending", tone: "info" };
  return state === "waiting" && attempts.length === 0 ? { label: "Waiting", tone: "info" } : STATES[state];
}

const STATES: Record<DeliveryItem["state"], State> = {
  waiting: { label: "Retrying", tone: "warn" },
  paused: { label: "Paused", tone: "neutral" },
  delivered: { label: "Delivered", tone: "good" },
  failed: { label: "Failed", tone: "bad" },
};

/** The result of an attempt. */
export function attemptWords({ status, failure, durationMs }: AttemptItem, isUnderway: boolean): string {
  if (durationMs === null) {
    return isUnderway
      ? "No response yet"
      : "We stopped before a response arrived, so it may or may not have been delivered";
  }
  if (failure === null) return `Accepted (${status})`;
  return FAILURES[failure](status);
}

const FAILURES: Record<NonNullable<AttemptItem["failure"]>, (status: number | null) => string> = {
  status: (status) => `Refused (${status})`,
  gone: () => "Responded 410 Gone",
  redirect: (status) => `Responded ${status}: redirects are not followed`,
  timeout: () => "No response within ten seconds",
  connection: () => "No connection, or it was interrupted",
  certificate: () => "Its TLS certificate is not valid",
  name_unknown: () => "Its host name cannot be resolved",
  address_refused: () => "Its host has a private or local address, where nothing is sent",
  not_http: () => "The response was not HTTP",
  not_echoed: () => "The response did not repeat the challenge",
};

/** "All events", or the number of types. */
export function eventsWords(eventTypes: readonly string[] | null): string {
  if (eventTypes === null) return "All events";
  return eventTypes.length === 1 ? "1 event type" : `${eventTypes.length} event types`;
}

/** What a person who has a webhook's secret can do. */
export const SECRET_RISK = "Anyone with this secret can forge events.";
