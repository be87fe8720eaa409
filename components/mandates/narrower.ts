import { normalizeHost } from "@/lib/core/host";
import { parseUsdc, type Usdc } from "@/lib/core/money";

/** What a mandate allows now. */
export type Terms = {
  limitAmount: Usdc;
  maxAmountPerPayment: Usdc | null;
  validFrom: Date;
  validUntil: Date;
  /** Empty means any host. */
  hostAllowlist: string[];
};

/** The form as it is typed. */
export type Draft = {
  limit: string;
  cap: string;
  /** "keep", "moment" (then `moment` is a local date and time), or seconds from now. */
  ends: string;
  moment: string;
  /** One on each line; used while there is no list. */
  hosts: string;
  /** Taken off the list; used while there is one. */
  removed: string[];
};

export type Fault = { field: "limit" | "cap" | "ends" | "hosts" | "form"; text: string };

/** The body of the PATCH: only what differs. */
export type Change = {
  limitAmount?: string;
  maxAmountPerPayment?: string;
  validUntil?: string;
  hostAllowlist?: string[];
};

/** What `draft` narrows of `terms`, or the first thing that is wrong with it. The server decides again. */
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

/** Milliseconds; null when it ends as it stands; NaN when no moment was chosen. */
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
