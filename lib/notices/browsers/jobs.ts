import webPush, { type RequestOptions } from "web-push";
import type { System } from "@/lib/platform/context";
import type { Lease } from "@/lib/platform/lease";
import { createSend, type OutboundRequest, type Send } from "@/lib/platform/outbound";
import type { Job } from "@/lib/platform/worker";
import * as outbox from "../outbox";
import type { OutboxRow } from "../outbox-store";
import { vapidKeys } from "./keys";
import { outcomeOf, waitSecondsOf } from "./rules";
import * as store from "./store";

const AT_ONCE = 20;
const PAUSE_MS = 1_000;
const MS_MAX = 5_000;
const REPLY_BYTES_MAX = 1_024;
/** How long a push service keeps a notice for an offline browser (TTL). After that, the pages show the same. */
const KEPT_SECONDS = 86_400;

export function pushJob(system: System, send: Send = createPushSend(system)): Job {
  return {
    name: "pushes",
    round: async (lease) => ((await pushSome(system, send, lease)) === AT_ONCE ? 0 : PAUSE_MS),
  };
}

/** Browsers supply the push services' addresses, so they are restricted as webhook URLs are. */
export const createPushSend = ({ config }: System): Send =>
  createSend({ allowsLoopback: config.mode === "devnet", totalMsMax: MS_MAX, replyBytesMax: REPLY_BYTES_MAX });

/** Sends up to twenty due notices; returns their number. */
export const pushSome = (system: System, send: Send, lease: Lease): Promise<number> =>
  outbox.sendSome(system, "pushes", lease, AT_ONCE, async (push) => {
    const browser = await store.find(system.db, push.browserId);
    if (!browser) return { outcome: "refused", error: "the browser's session was ended" };
    const { isGone, ...tried } = await attempt(system, send, push, browser);
    if (isGone) await store.remove(system.db, browser.id);
    else if (browser.lastError !== tried.error) await store.setError(system.db, browser.id, tried.error);
    return tried;
  });

async function attempt(
  system: System,
  send: Send,
  push: OutboxRow<"pushes">,
  browser: store.Browser,
): Promise<outbox.AttemptResult & { isGone: boolean }> {
  const vapidDetails = { subject: system.config.push.subject, ...(await vapidKeys(system)) };
  const preparation = requestTo(browser, push, vapidDetails);
  if (preparation.type === "impossible") return { outcome: "refused", error: preparation.reason, isGone: false };
  const response = await send(new URL(browser.endpoint), preparation.request);
  if (!response.isAnswered) {
    const outcome = response.why === "address_refused" ? "refused" : "unknown";
    return { outcome, error: response.why, isGone: false };
  }
  const outcome = outcomeOf(response.status);
  if (outcome === "sent") return { outcome, error: null, isGone: false };
  const error = `HTTP ${response.status}`;
  if (outcome === "gone") return { outcome: "refused", error, isGone: true };
  return { outcome, error, isGone: false, waitSeconds: waitSecondsOf(response.headers["retry-after"]) };
}

/** The request, or why it cannot be created. A retry would fail in the same way. */
function requestTo(
  { endpoint, p256dh, auth }: store.Browser,
  { body, isUrgent }: OutboxRow<"pushes">,
  vapidDetails: NonNullable<RequestOptions["vapidDetails"]>,
): { type: "ready"; request: OutboundRequest } | { type: "impossible"; reason: string } {
  try {
    const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, body, {
      vapidDetails,
      TTL: KEPT_SECONDS,
      urgency: isUrgent ? "high" : "normal",
    });
    // Node sets Content-Length itself.
    const { "Content-Length": _, ...headers } = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    return { type: "ready", request: { method: "POST", headers, body: request.body ?? undefined } };
  } catch (error) {
    return { type: "impossible", reason: `cannot be sent: ${outbox.reasonOf(error)}` };
  }
}
