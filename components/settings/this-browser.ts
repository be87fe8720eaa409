/** Web push in this browser: permission, service worker and subscription. */

const WORKER = "/sw.js";

export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };
export type Seen =
  | { state: "unsupported" | "denied" }
  /** `endpoint`: the endpoint of the browser's subscription; null if there is none. */
  | { state: "ready"; endpoint: string | null };

const isSupported = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export async function look(): Promise<Seen> {
  if (!isSupported()) return { state: "unsupported" };
  if (Notification.permission === "denied") return { state: "denied" };
  return { state: "ready", endpoint: (await subscriptionHere())?.endpoint ?? null };
}

/** Requests permission and subscribes. Browsers allow the request only after a click. Null if the person refuses. */
export async function subscribe(publicKey: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await activeWorker();
  const previousSubscription = await pushManager.getSubscription();
  // Replaces a subscription with an older key, or of another account: an endpoint is never shared.
  await previousSubscription?.unsubscribe();
  const pushSubscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const subscription = toSubscription(pushSubscription);
  if (!subscription) throw new Error("The browser made a subscription without keys");
  return subscription;
}

function toSubscription(subscription: PushSubscription | null): Subscription | null {
  const { endpoint, keys: { p256dh, auth } = {} } = subscription?.toJSON() ?? {};
  return endpoint !== undefined && p256dh !== undefined && auth !== undefined
    ? { endpoint, keys: { p256dh, auth } }
    : null;
}

/** The subscription that the browser has, or null. */
export const current = async (): Promise<Subscription | null> => toSubscription(await subscriptionHere());

async function activeWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(WORKER, { scope: "/" });
  return navigator.serviceWorker.ready;
}

/** Ends the subscription: push messages no longer arrive, from any sender. */
export async function unsubscribe(): Promise<void> {
  if (isSupported()) await (await subscriptionHere())?.unsubscribe();
}
