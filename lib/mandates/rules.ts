import { hostMatches, PAYOUT_HOST } from "@/lib/core/host";
import { add, subtract, type Usdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import type { NetworkName } from "@/lib/x402/networks";
import { lackingPeriod, largestPayment, PERIOD_NAMES, periodOf } from "./periods";
import type { Mandate } from "./store";
import type { MandateState } from "./tables";

export type MandateStatus = MandateState | "expired" | "exhausted";

/** A payment that is charged to a mandate. `defaultPort`: the port of its scheme, for a host without a port. */
export type Charge = { network: NetworkName; host: string; defaultPort: string; amount: Usdc };

export type Refusal =
  | "mandate_not_signed"
  | "mandate_revoked"
  | "mandate_disabled"
  | "mandate_expired"
  | "host_not_allowed"
  | "mandate_payment_cap_exceeded"
  | "mandate_insufficient_budget"
  | "mandate_period_budget_used";

export type Budget = Pick<Mandate, "limitAmount" | "spentAmount" | "pendingAmount">;
type Timed = Pick<Mandate, "state" | "createdAt" | "validUntil">;

/** Seconds after its creation in which a mandate can be signed. */
export const SIGNING_SECONDS_MAX = 86_400;

export const remaining = (b: Budget): Usdc => subtract(b.limitAmount, add(b.spentAmount, b.pendingAmount));

/** The public status: the state, or `expired` or `exhausted`. */
export function statusOf(m: Timed & Budget, now: Date): MandateStatus {
  if (m.state === "rejected" || m.state === "revoked") return m.state;
  if (m.state !== "signed") return hasLapsed(m, now) ? "expired" : m.state;
  if (now >= m.validUntil) return "expired";
  return remaining(m) <= 0n ? "exhausted" : "signed";
}

/** In the order of every list: usable, resumable, waiting for a signature, and the rest. */
export const MANDATE_GROUPS = ["active", "paused", "waiting", "ended"] as const;
export type MandateGroup = (typeof MANDATE_GROUPS)[number];

/** The group of a mandate in lists. `isIn` in `list-store.ts` is the same rule in SQL. */
export function groupOf({ status, isEnabled }: { status: MandateStatus; isEnabled: boolean }): MandateGroup {
  if (status === "draft" || status === "pending_signature") return "waiting";
  if (status !== "signed") return "ended";
  return isEnabled ? "active" : "paused";
}

/** Why `m` must not pay `charge` at `now`; null if it may. */
export function refusal(m: Mandate, charge: Omit<Charge, "network">, now: Date): Refusal | null {
  if (m.state === "revoked") return "mandate_revoked";
  if (m.state !== "signed") return "mandate_not_signed";
  if (!m.isEnabled) return "mandate_disabled";
  if (now >= m.validUntil) return "mandate_expired";
  if (!allowsHost(m, charge)) return "host_not_allowed";
  const largest = largestPayment(m);
  if (largest !== null && charge.amount > largest) return "mandate_payment_cap_exceeded";
  if (charge.amount > remaining(m)) return "mandate_insufficient_budget";
  const lacking = lackingPeriod(m, charge.amount, now);
  if (!lacking) return null;
  // Waiting does not help if the mandate ends before the budget resets.
  return lacking.resetsAt < m.validUntil ? "mandate_period_budget_used" : "mandate_insufficient_budget";
}

/** A payout has no host that could confirm its address, so a mandate that confirms payees must list PAYOUT_HOST to cover it. */
const allowsHost = (
  { hostAllowlist: list, confirmPayees }: Pick<Mandate, "hostAllowlist" | "confirmPayees">,
  charge: Pick<Charge, "host" | "defaultPort">,
): boolean =>
  list === null
    ? !(confirmPayees && charge.host === PAYOUT_HOST)
    : list.some((entry) => hostMatches(entry, charge.host, charge.defaultPort));

/** What the mandate can still pay before it ends. A day or month budget limits this only if it does not reset before then. */
export function spendable(m: Mandate, now: Date): Usdc {
  let least = remaining(m);
  for (const name of PERIOD_NAMES) {
    const period = periodOf(m, name, now);
    if (period && period.resetsAt >= m.validUntil && period.left < least) least = period.left;
  }
  return least;
}

/** Why `m` can no longer be decided; null while it waits for a decision. */
export function closing(m: Timed, now: Date): "mandate_not_pending" | "mandate_expired" | null {
  if (m.state !== "draft" && m.state !== "pending_signature") return "mandate_not_pending";
  return hasLapsed(m, now) ? "mandate_expired" : null;
}

const hasLapsed = (m: Timed, now: Date): boolean =>
  now >= m.validUntil || now >= addSeconds(m.createdAt, SIGNING_SECONDS_MAX);

/** The limits that a person signs. */
export type Terms = Pick<
  Mandate,
  | ("limitAmount" | "validUntil" | "hostAllowlist" | "confirmPayees")
  | ("maxAmountPerPayment" | "maxAmountPerDay" | "maxAmountPerMonth")
>;
/** The limits that were requested. */
export type Asked = Omit<Terms, "confirmPayees">;
/** An undefined member stays unchanged; null means "any host" and "no cap". */
export type Narrowing = { [K in keyof Terms]?: Terms[K] | undefined };
export type NarrowingRefusal =
  | "limit_not_narrower"
  | "validity_not_narrower"
  | "validity_in_the_past"
  | "hosts_not_narrower"
  | "cap_not_narrower"
  | "cap_exceeds_limit";

/**
 * The terms after `change`, or a refusal if they would allow more than was requested (`bounds`). An earlier narrowing may be
 * undone.
 */
export function narrowing(m: Terms, change: Narrowing, now: Date, bounds: Asked = m): Terms | NarrowingRefusal {
  const { limitAmount = m.limitAmount, validUntil = m.validUntil, hostAllowlist = m.hostAllowlist } = change;
  if (limitAmount > bounds.limitAmount) return "limit_not_narrower";
  if (validUntil > bounds.validUntil) return "validity_not_narrower";
  if (validUntil <= now) return "validity_in_the_past";
  if (!coversHosts(bounds.hostAllowlist, hostAllowlist)) return "hosts_not_narrower";
  const { confirmPayees = m.confirmPayees } = change;
  const terms: Terms = { ...capsOf(m), limitAmount, validUntil, hostAllowlist, confirmPayees };
  let largest = limitAmount;
  for (const name of CAPS) {
    const cap = change[name];
    if (cap === undefined) terms[name] = smaller(m[name], largest);
    else if (exceeds(cap, bounds[name])) return "cap_not_narrower";
    else if (cap !== null && cap > largest) return "cap_exceeds_limit";
    else terms[name] = cap;
    largest = terms[name] ?? largest;
  }
  return terms;
}

const exceeds = (cap: Usdc | null, bound: Usdc | null): boolean => bound !== null && (cap === null || cap > bound);

/** From the largest to the smallest: each is at most the one before, and the first at most the limit. */
const CAPS = ["maxAmountPerMonth", "maxAmountPerDay", "maxAmountPerPayment"] as const;
type Caps = Pick<Mandate, (typeof CAPS)[number]>;

const capsOf = ({ maxAmountPerPayment, maxAmountPerDay, maxAmountPerMonth }: Caps): Caps => ({
  maxAmountPerPayment,
  maxAmountPerDay,
  maxAmountPerMonth,
});

/** The caps under a lower limit. */
export function cappedAt(m: Caps, limit: Usdc): Caps {
  const capped = capsOf(m);
  for (const name of CAPS) capped[name] = smaller(m[name], limit);
  return capped;
}

/** Whether each cap is at most the next larger one and the limit. */
export function areNested(m: Caps & Pick<Mandate, "limitAmount">): boolean {
  const sizes = [m.limitAmount, ...CAPS.flatMap((name) => m[name] ?? [])];
  return sizes.every((size, index) => size <= (sizes[index - 1] ?? size));
}

/** Whether the signing page proposes to confirm payees: the value chosen, or by default whether the mandate names hosts. */
export const proposesConfirmation = ({
  confirmPayees,
  hostAllowlist,
}: Pick<Mandate, "confirmPayees" | "hostAllowlist">): boolean =>
  confirmPayees ?? hostAllowlist?.some((host) => host !== PAYOUT_HOST) ?? false;

const smaller = (cap: Usdc | null, limit: Usdc): Usdc | null => (cap !== null && cap > limit ? limit : cap);

function coversHosts(old: string[] | null, newHosts: string[] | null): boolean {
  if (old === null) return true;
  // An entry has no scheme and so no default port: "a" is not narrower than "a:443".
  const isCovered = (host: string) => old.some((entry) => hostMatches(entry, host, ""));
  return newHosts?.every(isCovered) ?? false;
}

/** The visitor's next step on a mandate's signing page. */
export type NextStep = "sign_in" | "claim" | "sign" | "linked_elsewhere" | "nothing";

export function nextStep(status: MandateStatus, visitor: "anonymous" | "owner" | "stranger"): NextStep {
  if (status !== "draft" && status !== "pending_signature") return "nothing";
  if (visitor === "anonymous") return "sign_in";
  if (visitor === "stranger") return "linked_elsewhere";
  return status === "draft" ? "claim" : "sign";
}
