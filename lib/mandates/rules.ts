import { hostMatches, PAYOUT_HOST } from "@/lib/core/host";
import { add, subtract, type Usdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import type { NetworkName } from "@/lib/x402/networks";
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
  | "mandate_insufficient_budget";

export type Budget = Pick<Mandate, "limitAmount" | "spentAmount" | "pendingAmount">;
type Timed = Pick<Mandate, "state" | "createdAt" | "validUntil">;

/** Seconds in which a mandate can be signed. */
export const SIGNING_SECONDS_MAX = 86_400;

export const remaining = (b: Budget): Usdc => subtract(b.limitAmount, add(b.spentAmount, b.pendingAmount));

/** The public status: the state, or `expired` or `exhausted`. */
export function statusOf(m: Timed & Budget, now: Date): MandateStatus {
  if (m.state === "rejected" || m.state === "revoked") return m.state;
  if (m.state !== "signed") return hasLapsed(m, now) ? "expired" : m.state;
  if (now >= m.validUntil) return "expired";
  return remaining(m) <= 0n ? "exhausted" : "signed";
}

/** In the order of every list: usable, can be resumed, waits for a signature, and the rest. */
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
  if (m.maxAmountPerPayment !== null && charge.amount > m.maxAmountPerPayment) return "mandate_payment_cap_exceeded";
  if (charge.amount > remaining(m)) return "mandate_insufficient_budget";
  return null;
}

/** A payout has no host that could confirm its address, so a mandate that confirms payees covers it only by name. */
const allowsHost = (
  { hostAllowlist: list, confirmPayees }: Pick<Mandate, "hostAllowlist" | "confirmPayees">,
  charge: Pick<Charge, "host" | "defaultPort">,
): boolean =>
  list === null
    ? !(confirmPayees && charge.host === PAYOUT_HOST)
    : list.some((entry) => hostMatches(entry, charge.host, charge.defaultPort));

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
  "limitAmount" | "validUntil" | "hostAllowlist" | "maxAmountPerPayment" | "confirmPayees"
>;
/** An undefined member stays unchanged; null means "any host" and "no cap". */
export type Narrowing = { [K in keyof Terms]?: Terms[K] | undefined };
export type NarrowingRefusal =
  | "limit_not_narrower"
  | "validity_not_narrower"
  | "validity_in_the_past"
  | "hosts_not_narrower"
  | "cap_not_narrower"
  | "cap_exceeds_limit";

/** The terms after `change`; a refusal if they would allow anything that the old terms did not. */
export function narrowing(m: Terms, change: Narrowing, now: Date): Terms | NarrowingRefusal {
  const { limitAmount = m.limitAmount, validUntil = m.validUntil, hostAllowlist = m.hostAllowlist } = change;
  if (limitAmount > m.limitAmount) return "limit_not_narrower";
  if (validUntil > m.validUntil) return "validity_not_narrower";
  if (validUntil <= now) return "validity_in_the_past";
  if (!coversHosts(m.hostAllowlist, hostAllowlist)) return "hosts_not_narrower";
  const { confirmPayees = m.confirmPayees, maxAmountPerPayment: cap } = change;
  const terms = { limitAmount, validUntil, hostAllowlist, confirmPayees };
  if (cap === undefined) return { ...terms, maxAmountPerPayment: smaller(m.maxAmountPerPayment, limitAmount) };
  if (m.maxAmountPerPayment !== null && (cap === null || cap > m.maxAmountPerPayment)) return "cap_not_narrower";
  if (cap !== null && cap > limitAmount) return "cap_exceeds_limit";
  return { ...terms, maxAmountPerPayment: cap };
}

/** Whether the signing page proposes to confirm payees: what was chosen, or else whether the mandate names hosts. */
export const proposesConfirmation = ({
  confirmPayees,
  hostAllowlist,
}: Pick<Mandate, "confirmPayees" | "hostAllowlist">): boolean =>
  confirmPayees ?? hostAllowlist?.some((host) => host !== PAYOUT_HOST) ?? false;

const smaller = (cap: Usdc | null, limit: Usdc): Usdc | null => (cap !== null && cap > limit ? limit : cap);

function coversHosts(old: string[] | null, wanted: string[] | null): boolean {
  if (old === null) return true;
  // An entry has no scheme and so no default port: "a" is not narrower than "a:443".
  const isCovered = (host: string) => old.some((entry) => hostMatches(entry, host, ""));
  return wanted?.every(isCovered) ?? false;
}

/** The visitor's next step on a mandate's signing page. */
export type NextStep = "sign_in" | "claim" | "sign" | "linked_elsewhere" | "nothing";

export function nextStep(status: MandateStatus, visitor: "anonymous" | "owner" | "stranger"): NextStep {
  if (status !== "draft" && status !== "pending_signature") return "nothing";
  if (visitor === "anonymous") return "sign_in";
  if (visitor === "stranger") return "linked_elsewhere";
  return status === "draft" ? "claim" : "sign";
}
