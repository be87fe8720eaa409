import { normalizeHost } from "@/lib/core/host";
import { parseUsdc, type Usdc } from "@/lib/core/money";

/** The current terms of a mandate. */
export type Terms = {
  limitAmount: Usdc;
  maxAmountPerPayment: Usdc | null;
  validFrom: Date;
  validUntil: Date;
  /** Empty means any host. */
  hostAllowlist: string[];
};

/** The state of the form. */
export type Draft = {
  limit: string;
  cap: string;
  /** "keep", "moment" (then `moment` is a local date and time), or seconds from now. */
  ends: string;
  moment: string;
  /** One per line; used when the mandate has no list. */
  hosts: string;
  /** Removed from the list; used when the mandate has one. */
  removed: string[];
};

export type Fault = { field: "limit" | "cap" | "ends" | "hosts" | "form"; text: string };

/** The body of the PATCH: only the changes. */
export type Change = {
  limitAmount?: string;
  maxAmountPerPayment?: string;
  validUntil?: string;
  hostAllowlist?: string[];
};

/** The changes of `draft` to `terms`, or its first fault. The server validates again. */
export function narrower(terms: Terms, draft: Draft, now: number): { change: Change } | { fault: Fault } {
  const limit = parseUsdc(draft.limit);
  if (limit === null) return fault("limit", "Enter an amount, for example, 12.50.");
  if (limit > terms.limitAmount) return fault("limit", "You can only lower the limit.");

  const cap = draft.cap.trim() === "" ? terms.maxAmountPerPayment : parseUsdc(draft.cap);
  if (cap === null && draft.cap.trim() !== "")
    return fault("cap", "Enter an amount, for example, 1.00, or leave it empty.");
  if (cap !== null && cap > limit) return fault("cap", "The cap cannot be more than the limit.");
  if (cap !== null && terms.maxAmountPerPayment !== null && cap > terms.maxAmountPerPayment) {
    return fault("cap", "You can only lower the cap.");
  }

  const ends = endOf(draft, now);
  if (ends !== null && Number.isNaN(ends)) return fault("ends", "Choose a date and a time.");
  if (ends !== null && ends <= now) return fault("ends", "It must end in the future.");
  if (ends !== null && ends > terms.validUntil.getTime()) return fault("ends", "You can only make it end earlier.");

  const hosts = hostsOf(terms, draft);
  if ("fault" in hosts) return hosts;

  const change: Change = {
    ...(limit !== terms.limitAmount && { limitAmount: limit.toString() }),
    ...(cap !== null && cap !== terms.maxAmountPerPayment && { maxAmountPerPayment: cap.toString() }),
    ...(ends !== null && { validUntil: new Date(ends).toISOString() }),
    ...(hosts.list && { hostAllowlist: hosts.list }),
  };
  if (Object.keys(change).length === 0) return fault("form", "Nothing is narrower yet. Change one of the fields.");
  return { change };
}

const fault = (field: Fault["field"], text: string): { fault: Fault } => ({ fault: { field, text } });

/** Milliseconds; null when the end stays the same; NaN when no time was chosen. */
function endOf(draft: Draft, now: number): number | null {
  if (draft.ends === "keep") return null;
  if (draft.ends === "moment") return new Date(draft.moment).getTime();
  return now + Number(draft.ends) * 1000;
}

function hostsOf(terms: Terms, draft: Draft): { list: string[] | null } | { fault: Fault } {
  if (terms.hostAllowlist.length > 0) {
    const kept = terms.hostAllowlist.filter((host) => !draft.removed.includes(host));
    if (kept.length === 0) return fault("hosts", "Leave at least one host, or reject the request.");
    return { list: kept.length < terms.hostAllowlist.length ? kept : null };
  }
  const lines = draft.hosts.split(/[\s,]+/).filter((line) => line !== "");
  const wrong = lines.find((line) => normalizeHost(line) === null);
  if (wrong !== undefined)
    return fault("hosts", `"${wrong}" is not a host. Enter a host, for example, api.example.com.`);
  return { list: lines.length > 0 ? lines : null };
}
