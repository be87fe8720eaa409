/** The steps of a visit to a link. */
export type VisitStep = { step: "viewed" | "connected" } | { step: "signed"; payer: string; nonce: string };

/**
 * Reports a step to the seller's statistics. Fire and forget: a payment never depends on it. The server counts each step once and ignores
 * steps backwards.
 */
export function reportVisit(linkId: string, step: VisitStep): void {
  fetch(`/api/payment-links/${linkId}/visits`, {
    method: "POST",
    // Completes the request even if the page is closed, which many visitors do at once.
    keepalive: true,
    credentials: "omit",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ visitId: visitOf(linkId), ...step }),
  })
    // An unread response would keep its connection open.
    .then((response) => response.text())
    .catch(() => {
      // Offline or blocked: one visit is not counted, which does not concern the visitor.
    });
}

/** Ends the visit. A second payment is a second visit. */
export function endVisit(linkId: string): void {
  visits.delete(linkId);
  try {
    sessionStorage.removeItem(keyOf(linkId));
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}

/** A random visit id per tab and link. Without storage, one per page load. */
function visitOf(linkId: string): string {
  const storedVisit = visits.get(linkId) ?? stored(linkId);
  const visit =
    storedVisit ??
    Array.from(crypto.getRandomValues(new Uint32Array(5)), (integer) => integer.toString(36).padStart(7, "0")).join("");
  visits.set(linkId, visit);
  if (storedVisit === undefined) store(linkId, visit);
  return visit;
}

const visits = new Map<string, string>();
const keyOf = (linkId: string) => `tessera.visit.${linkId}`;

function stored(linkId: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(linkId)) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(linkId: string, visit: string): void {
  try {
    sessionStorage.setItem(keyOf(linkId), visit);
  } catch {
    // Storage is full or forbidden: the page keeps it.
  }
}
