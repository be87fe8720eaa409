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

export const REFUSALS = [
  "mandate_not_signed",
  "mandate_revoked",
  "mandate_disabled",
  "mandate_expired",
  "host_not_allowed",
  "mandate_payment_cap_exceeded",
  "mandate_insufficient_budget",
  "mandate_period_budget_used",
] as const;
export type MandateRefusal = (typeof REFUSALS)[number];

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

/** Why `m` must not pay `charge` at `now`; null if it may. */
export function refusal(m: Mandate, charge: Omit<Charge, "network">, now: Date): MandateRefusal | null {
  if (m.state === "revoked") return "mandate_revoked";
  if (m.state !== "signed") return "mandate_not_signed";
  if (!m.isEnabled) return "mandate_disabled";
  if (now >= m.validUntil) return "mandate_expired";
  const allowsHost =
    m.hostAllowlist === null
      ? // A payout has no host that could confirm its address, so a mandate that confirms payees must list PAYOUT_HOST to cover it.
        !(m.confirmPayees && charge.host === PAYOUT_HOST)
      : m.hostAllowlist.some((entry) => hostMatches(entry, charge.host, charge.defaultPort));
  if (!allowsHost) return "host_not_allowed";
  const largest = largestPayment(m);
  if (largest !== null && charge.amount > largest) return "mandate_payment_cap_exceeded";
  if (charge.amount > remaining(m)) return "mandate_insufficient_budget";
  const lacking = lackingPeriod(m, charge.amount, now);
  if (!lacking) return null;
  // Waiting does not help if the mandate ends before the budget resets.
  return lacking.resetsAt < m.validUntil ? "mandate_period_budget_used" : "mandate_insufficient_budget";
}

/** What the mandate can still pay before it ends. A day or month budget limits this only if it does not reset before then. */
export function spendable(m: Mandate, now: Date): Usdc {
  let least = remaining(m);
  for (const name of PERIOD_NAMES) {
    const period = periodOf(m, name, now);
    if (period && period.resetsAt >= m.validUntil && period.remainingAmount < least) least = period.remainingAmount;
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
export type MandateTerms = Pick<
  Mandate,
  | ("limitAmount" | "validUntil" | "hostAllowlist" | "confirmPayees")
  | ("maxAmountPerPayment" | "maxAmountPerDay" | "maxAmountPerMonth")
>;
/** The limits that were requested. */
export type RequestedTerms = Omit<MandateTerms, "confirmPayees">;
/** An undefined member stays unchanged; null means "any host" and "no cap". */
export type Narrowing = { [K in keyof MandateTerms]?: MandateTerms[K] | undefined };
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
export function narrowing(
  m: MandateTerms,
  change: Narrowing,
  now: Date,
  bounds: RequestedTerms = m,
): MandateTerms | NarrowingRefusal {
  const { limitAmount = m.limitAmount, validUntil = m.validUntil, hostAllowlist = m.hostAllowlist } = change;
  if (limitAmount > bounds.limitAmount) return "limit_not_narrower";
  if (validUntil > bounds.validUntil) return "validity_not_narrower";
  if (validUntil <= now) return "validity_in_the_past";
  const requestedHosts = bounds.hostAllowlist;
  // An entry has no scheme and so no default port: "a" is not narrower than "a:443".
  if (requestedHosts && !hostAllowlist?.every((host) => requestedHosts.some((entry) => hostMatches(entry, host, ""))))
    return "hosts_not_narrower";
  const { confirmPayees = m.confirmPayees } = change;
  const terms: MandateTerms = { ...capsOf(m), limitAmount, validUntil, hostAllowlist, confirmPayees };
  let largest = limitAmount;
  for (const name of CAPS) {
    const cap = change[name];
    const bound = bounds[name];
    if (cap === undefined) terms[name] = smaller(m[name], largest);
    else if (bound !== null && (cap === null || cap > bound)) return "cap_not_narrower";
    else if (cap !== null && cap > largest) return "cap_exceeds_limit";
    else terms[name] = cap;
    largest = terms[name] ?? largest;
  }
  return terms;
}

/** From the largest to the smallest: each is at most the one before, and the first at most the limit. */
const CAPS = ["maxAmountPerMonth", "maxAmountPerDay", "maxAmountPerPayment"] as const;
type Caps = Pick<Mandate, (typeof CAPS)[number]>;

const capsOf = ({ maxAmountPerPayment, maxAmountPerDay, maxAmountPerMonth }: Caps): Caps => ({
  maxAmountPerPayment,
  maxAmountPerDay,
  maxAmountPerMonth,
});

/** A lower limit, and the caps under it. */
export function cappedAt(m: Caps, limitAmount: Usdc): Caps & { limitAmount: Usdc } {
  const capped = { ...capsOf(m), limitAmount };
  for (const name of CAPS) capped[name] = smaller(m[name], limitAmount);
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

/** The visitor's next step on a mandate's signing page. */
export type SigningStep = "sign_in" | "claim" | "sign" | "linked_elsewhere" | "nothing";

export function nextStep(status: MandateStatus, visitor: "anonymous" | "owner" | "stranger"): SigningStep {
  if (status !== "draft" && status !== "pending_signature") return "nothing";
  if (visitor === "anonymous") return "sign_in";
  if (visitor === "stranger") return "linked_elsewhere";
  return status === "draft" ? "claim" : "sign";
}
