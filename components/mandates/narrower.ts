import { normalizeHost } from "@/lib/core/host";
import { parseUsdc, type Usdc } from "@/lib/core/usdc";

/** The limits of a mandate that waits for its signature. */
export type Terms = Caps & {
  limitAmount: Usdc;
  validUntil: Date;
  /** Empty means any host. */
  hostAllowlist: string[];
};

type Caps = { maxAmountPerPayment: Usdc | null; maxAmountPerDay: Usdc | null; maxAmountPerMonth: Usdc | null };

/** `asked` is the agent's request, which no change may exceed. `current` is what would be signed now. */
export type Choice = { asked: Terms; current: Terms };

export type Draft = {
  limit: string;
  /** In each cap field, empty means the requested value. */
  month: string;
  day: string;
  cap: string;
  /** "keep", "asked", "moment" (then `moment` is a local date and time), or seconds from now. */
  ends: string;
  moment: string;
  /** One host per line. Used if any host was requested. */
  hosts: string;
  /** The requested hosts that the owner removed. Used if specific hosts were requested. */
  removed: string[];
};

export type Fault = { field: "limit" | "month" | "day" | "cap" | "ends" | "hosts"; text: string };

/** The body of the PATCH: only the changes. */
export type Change = {
  limitAmount?: string;
  maxAmountPerPayment?: string | null;
  maxAmountPerDay?: string | null;
  maxAmountPerMonth?: string | null;
  validUntil?: string;
  hostAllowlist?: string[];
};

type Invalid = { type: "invalid"; fault: Fault };

/** The changes of `draft`, none if it has none, or its first fault. The server validates again. */
export function narrower(
  { asked: requestedTerms, current }: Choice,
  draft: Draft,
  currentTime: number,
): { type: "valid"; change: Change } | Invalid {
  const limit = parseUsdc(draft.limit);
  if (limit === null) return fault("limit", "Enter an amount, for example, 12.50.");
  if (limit > requestedTerms.limitAmount) return fault("limit", "You can only lower the limit.");

  const change: Change = { ...(limit !== current.limitAmount && { limitAmount: limit.toString() }) };
  let larger: { amount: Usdc; name: string } = { amount: limit, name: "the limit" };
  for (const { field, member, name } of CAPS) {
    const cap = capOf(draft[field], requestedTerms[member], current[member], larger);
    if (typeof cap === "string") return fault(field, cap);
    if (cap.changed !== undefined) change[member] = cap.changed?.toString() ?? null;
    if (cap.amount !== null) larger = { amount: cap.amount, name };
  }

  const ends = endOf(draft, requestedTerms, currentTime);
  if (ends !== null && Number.isNaN(ends)) return fault("ends", "Choose a date and a time.");
  if (ends !== null && ends <= currentTime) return fault("ends", "It must end in the future.");
  if (ends !== null && ends > requestedTerms.validUntil.getTime())
    return fault("ends", "You can only make it end earlier.");
  if (ends !== null && ends !== current.validUntil.getTime()) change.validUntil = new Date(ends).toISOString();

  const hosts = hostsOf({ asked: requestedTerms, current }, draft);
  if (hosts.type === "invalid") return hosts;
  if (hosts.list) change.hostAllowlist = hosts.list;
  return { type: "valid", change };
}

/** From the largest to the smallest period. */
const CAPS = [
  { field: "month", member: "maxAmountPerMonth", name: "the budget of a month" },
  { field: "day", member: "maxAmountPerDay", name: "the budget of a day" },
  { field: "cap", member: "maxAmountPerPayment", name: "the cap" },
] as const;

type Cap = { amount: Usdc | null; changed?: Usdc | null | undefined };

/** A cap after the change, or an error. An untouched cap is lowered along with a larger cap. */
function capOf(
  text: string,
  requestedCap: Usdc | null,
  current: Usdc | null,
  larger: { amount: Usdc; name: string },
): Cap | string {
  const isEmpty = text.trim() === "";
  const typed = isEmpty ? requestedCap : parseUsdc(text);
  if (typed === null && !isEmpty) return "Enter an amount, for example, 1.00, or leave it empty.";
  if (typed !== null && typed > larger.amount) {
    const isTyped = !isEmpty && typed !== current;
    return isTyped ? `This cannot be more than ${larger.name}.` : { amount: larger.amount };
  }
  if (typed !== null && requestedCap !== null && typed > requestedCap) return "You can only lower the cap.";
  return typed === current ? { amount: typed } : { amount: typed, changed: typed };
}

const fault = (field: Fault["field"], text: string): Invalid => ({ type: "invalid", fault: { field, text } });

/** Unix time in milliseconds; null if the end is unchanged; NaN if no time was chosen. */
function endOf(draft: Draft, requestedTerms: Terms, currentTime: number): number | null {
  if (draft.ends === "keep") return null;
  if (draft.ends === "asked") return requestedTerms.validUntil.getTime();
  if (draft.ends === "moment") return new Date(draft.moment).getTime();
  return currentTime + Number(draft.ends) * 1000;
}

/** The hosts that can be kept: the requested ones, and their ports that were added since. */
export const hostsToKeep = ({ asked: requestedTerms, current }: Choice): string[] =>
  requestedTerms.hostAllowlist.length === 0
    ? []
    : [...new Set([...requestedTerms.hostAllowlist, ...current.hostAllowlist])];

function hostsOf(choice: Choice, draft: Draft): { type: "valid"; list: string[] | null } | Invalid {
  const { current } = choice;
  const offered = hostsToKeep(choice);
  const list =
    offered.length > 0
      ? offered.filter((host) => !draft.removed.includes(host))
      : draft.hosts.split(/[\s,]+/).filter((line) => line !== "");
  if (offered.length > 0 && list.length === 0) return fault("hosts", "Keep at least one host, or reject the request.");
  const wrong = list.find((line) => normalizeHost(line) === null);
  if (wrong !== undefined)
    return fault("hosts", `"${wrong}" is not a host. Enter a host, for example, api.example.com.`);
  const isSame = list.length === current.hostAllowlist.length && list.every((h) => current.hostAllowlist.includes(h));
  return { type: "valid", list: isSame ? null : list };
}
