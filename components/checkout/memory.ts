/** A payment that this browser signed for a link. Kept until the payment has failed without moving money. */
export type Kept = {
  linkId: string;
  payer: string;
  /** The signed proof, as sent in `X-Payment`. Its nonce settles once: presenting it again never pays twice. */
  header: string;
  /** The signed nonce is the SHA-256 of this secret. It unlocks the purchased content and exists only in this browser. */
  secret: string;
  /** Milliseconds since 1970. */
  signedAt: number;
  settlementId?: string;
  /** The query of the link's URL that was paid: "" or "?…". Absent for a link without choices. */
  query?: string;
  /** The amount that was signed, in atomic units. */
  amount?: string;
};

/**
 * Stores the payment beyond the life of the tab: a payer who closes the tab before the response, or opens the link in a second tab, need
 * not sign again. Without storage, the payment is kept while the page is open.
 */
export function keep(entry: Kept): void {
  const key = keyOf(entry);
  fallback.set(key, entry);
  try {
    localStorage.setItem(key, JSON.stringify(entry));
  } catch {
    // Storage is full or forbidden: the fallback keeps it.
  }
}

export const recall = (linkId: string, payer: string): Kept | undefined =>
  recallAll(linkId).find((entry) => entry.payer.toLowerCase() === payer.toLowerCase());

/** All payments for the link in this browser: unanswered ones first, then the newest. */
export function recallAll(linkId: string): Kept[] {
  const entries = new Map(fallback);
  for (const key of storedKeys()) {
    const entry = readEntry(key);
    if (entry) entries.set(key, entry);
  }
  return [...entries.values()]
    .filter((entry) => entry.linkId === linkId)
    .sort((a, b) => rank(a) - rank(b) || b.signedAt - a.signedAt);
}

export function forget(entry: Kept): void {
  const key = keyOf(entry);
  fallback.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}

const PREFIX = "tessera.checkout";
const fallback = new Map<string, Kept>();

/** One key for each payment: a second payment is a second purchase. */
const keyOf = ({ linkId, payer, secret }: Kept) => `${PREFIX}.${linkId}.${payer.toLowerCase()}.${secret.slice(0, 16)}`;
const rank = (entry: Kept) => (entry.settlementId === undefined ? 0 : 1);

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX}.`));
  } catch {
    return [];
  }
}

function readEntry(key: string): Kept | undefined {
  try {
    const entry: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return isKept(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isKept(entry: unknown): entry is Kept {
  if (typeof entry !== "object" || entry === null) return false;
  const { linkId, payer, header, secret, signedAt, settlementId, query, amount } = entry as Record<keyof Kept, unknown>;
  const texts = [linkId, payer, header, secret];
  return (
    texts.every((text) => typeof text === "string") &&
    typeof signedAt === "number" &&
    [settlementId, query].every((text) => text === undefined || typeof text === "string") &&
    (amount === undefined || (typeof amount === "string" && /^\d{1,78}$/.test(amount)))
  );
}
