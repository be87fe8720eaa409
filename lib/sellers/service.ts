import { type DomainId, newId, type OwnerId, randomText } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { recordOfOwner } from "@/lib/platform/events";
import { sellerErrors } from "./errors";
import { lookFor } from "./lookup";
import { afterCheck, DOMAINS_MAX, originOfDomain, RECHECK_SECONDS } from "./rules";
import * as store from "./store";

export type { Domain } from "./store";

/** Oldest first. */
export const listDomains = ({ db, actor }: Ctx<Owner>): Promise<store.Domain[]> => store.list(db, actor.ownerId);

/** Adds a domain, not verified yet; idempotent. Throws domain_invalid, too_many_domains. */
export async function addDomain(ctx: Ctx<Owner>, typed: string): Promise<store.Domain> {
  const { ownerId } = ctx.actor;
  const origin = originOfDomain(typed, ctx.config.mode === "devnet");
  if (origin === null) throw sellerErrors.domain_invalid();
  return ctx.db.transaction(async (tx) => {
    const domainCount = await store.lockCount(tx, ownerId);
    const existingDomain = await store.findByOrigin(tx, ownerId, origin);
    if (existingDomain) return existingDomain;
    if (domainCount >= DOMAINS_MAX) throw sellerErrors.too_many_domains();
    const time = ctx.now();
    await recordOfOwner(tx, time, ownerId, "owner.domain_added", { origin });
    return store.add(tx, { id: newId("domain"), ownerId, origin, token: randomText(), createdAt: time });
  });
}

/** Checks the proof now. Throws domain_not_found, domain_not_proved, rate_limited. */
export async function verifyDomain(ctx: Ctx<Owner>, id: DomainId): Promise<store.Domain> {
  const { ownerId } = ctx.actor;
  await limit(ctx, "domain_check_per_owner", ownerId);
  const domain = await store.find(ctx.db, ownerId, id);
  if (!domain) throw sellerErrors.domain_not_found();
  await limit(ctx, "outbound_per_host", new URL(domain.origin).hostname);
  const { checked, reason } = await check(ctx, domain);
  if (!checked) throw sellerErrors.domain_not_found();
  if (reason !== null) throw sellerErrors.domain_not_proved({ reason });
  return checked;
}

/** The owner's links no longer redirect there. Throws domain_not_found. */
export async function removeDomain(ctx: Ctx<Owner>, id: DomainId): Promise<void> {
  const { ownerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const domain = await store.find(tx, ownerId, id);
    if (!domain || !(await store.remove(tx, ownerId, id))) throw sellerErrors.domain_not_found();
    await recordOfOwner(tx, ctx.now(), ownerId, "owner.domain_removed", { origin: domain.origin });
  });
}

/** The origins that the owner has verified, oldest first. */
export async function provedOrigins({ db }: System, ownerId: OwnerId): Promise<string[]> {
  const domains = await store.list(db, ownerId);
  return domains.filter(({ verifiedAt }) => verifiedAt !== null).map(({ origin }) => origin);
}

export const hasVerifiedDomain = (db: Queryable, ownerId: OwnerId): Promise<boolean> => store.hasVerified(db, ownerId);

const CHECKS_AT_ONCE = 20;

/** Checks the proofs of verified domains again; returns whether more may be due. */
export async function recheckDomains(system: System): Promise<boolean> {
  const due = await store.listDue(system.db, addSeconds(system.now(), -RECHECK_SECONDS), CHECKS_AT_ONCE);
  for (const domain of due) await check(system, domain);
  return due.length === CHECKS_AT_ONCE;
}

async function check(
  system: System,
  domain: store.Domain,
): Promise<{ checked: store.Domain | null; reason: string | null }> {
  // No database connection is held while the domain's server responds.
  const lookup = await lookFor(system, domain);
  const time = system.now();
  const standing = afterCheck(domain, lookup.isShown, time);
  const { ownerId, origin } = domain;
  const checked = await system.db.transaction(async (tx) => {
    const changed = await store.change(tx, domain.id, { ...standing, checkedAt: time });
    const isNews = (standing.verifiedAt === null) !== (domain.verifiedAt === null);
    const type = standing.verifiedAt === null ? "owner.domain_lost" : "owner.domain_verified";
    if (changed && isNews) await recordOfOwner(tx, time, ownerId, type, { origin });
    return changed;
  });
  return { checked, reason: lookup.isShown ? null : lookup.reason };
}
