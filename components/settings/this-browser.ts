/** Notices in the browser that this runs in: its permission, its service worker and its subscription. */

const WORKER = "/sw.js";

export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };
export type Seen =
  | { state: "unsupported" | "denied" }
  /** `endpoint`: of the subscription that the browser has, if any. */
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

/** Asks for the permission: call it from a click only. Null when the person did not give it. */
export async function subscribe(publicKey: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await activeWorker();
  const previousSubscription = await pushManager.getSubscription();
  // With another key of ours, or of somebody who was signed in here before: an address of one's own is never shared.
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

/** From now on nothing arrives here, whoever sends it. */
export async function unsubscribe(): Promise<void> {
  if (isSupported()) await (await subscriptionHere())?.unsubscribe();
}
