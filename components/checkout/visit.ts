/** How far this visit of a link has come. */
export type VisitStep = { step: "viewed" | "connected" } | { step: "signed"; payer: string; nonce: string };

/**
 * Tells the seller's statistics of a step. Nothing waits for it and nobody looks at its answer: a payment goes its way
 * whether or not we heard of it, and the server takes no step twice and none back.
 */
export function tellVisit(linkId: string, step: VisitStep): void {
  fetch(`/api/payment-links/${linkId}/visits`, {
    method: "POST",
    // Goes on when the page is left, as many are right after they were opened.
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ visitId: visitOf(linkId), ...step }),
  })
    // An answer that nobody reads keeps its connection.
    .then((answer) => answer.text())
    .catch(() => {
      // Offline or blocked: a visit less is counted, which is no matter of the visitor's.
    });
}

/** Ends the visit. A second payment is a second visit. */
export function endVisit(linkId: string): void {
  visits.delete(linkId);
  try {
    sessionStorage.removeItem(keyOf(linkId));
  } catch {
    // Forbidden: nothing is there.
  }
}

/** A number of this tab, drawn when the link is first opened in it. A browser without storage draws one for each page. */
function visitOf(linkId: string): string {
  const known = visits.get(linkId) ?? stored(linkId);
  const visit = known ?? draw();
  visits.set(linkId, visit);
  if (known === undefined) store(linkId, visit);
  return visit;
}

const visits = new Map<string, string>();
const keyOf = (linkId: string) => `tessera.visit.${linkId}`;
const draw = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(5)), (word) => word.toString(36).padStart(7, "0")).join("");

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
    // Full, or forbidden: the page has it.
  }
}
