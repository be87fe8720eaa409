import { Resolver } from "node:dns/promises";
import { type DomainId, newId, type OwnerId, randomText } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { recordOfOwner } from "@/lib/platform/events";
import { createSend } from "@/lib/platform/outbound";
import { sellerErrors } from "./errors";
import { afterCheck, DOMAINS_MAX, isInFile, isInRecords, originOfDomain, PROOF_PATH, RECHECK_SECONDS } from "./rules";
import * as store from "./store";

export { type Domain, hasVerifiedDomain } from "./store";

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
  const { ownerId, origin, token } = domain;
  // No database connection is held while the domain's server responds.
  const [fileFault, recordsFault] = await Promise.all([
    checkFile(system, origin, token),
    checkRecords(new URL(origin).hostname, token),
  ]);
  const isShown = fileFault === null || recordsFault === null;
  const time = system.now();
  const standing = afterCheck(domain, isShown, time);
  const checked = await system.db.transaction(async (tx) => {
    const changed = await store.change(tx, domain.id, { ...standing, checkedAt: time });
    const isNews = (standing.verifiedAt === null) !== (domain.verifiedAt === null);
    const type = standing.verifiedAt === null ? "owner.domain_lost" : "owner.domain_verified";
    if (changed && isNews) await recordOfOwner(tx, time, ownerId, type, { origin });
    return changed;
  });
  return { checked, reason: isShown ? null : `${recordsFault}; ${fileFault}` };
}

const LOOK_MS_MAX = 5_000;
const FILE_BYTES_MAX = 4_096;

/** Null if the file shows the token; otherwise why not. Uses the outbound guard, because the host is not trusted. Never throws. */
async function checkFile({ config }: System, origin: string, token: string): Promise<string | null> {
  const send = createSend({
    allowsLoopback: config.mode === "devnet",
    totalMsMax: LOOK_MS_MAX,
    replyBytesMax: FILE_BYTES_MAX,
  });
  const headers = { accept: "text/plain", "user-agent": "Tessera" };
  const reply = await send(new URL(PROOF_PATH, origin), { method: "GET", headers });
  if (!reply.isAnswered) return "the file could not be requested";
  if (reply.status !== 200) return `the request for the file was answered ${reply.status}`;
  return isInFile(reply.bytes.toString("utf8"), token) ? null : "the file does not contain the token";
}

/** Null if a TXT record shows the token; otherwise why not. Never throws. */
export async function checkRecords(
  host: string,
  token: string,
  resolver: Pick<Resolver, "resolveTxt" | "cancel"> = new Resolver({ timeout: LOOK_MS_MAX / 2, tries: 1 }),
): Promise<string | null> {
  if (host === "localhost") return "localhost has no DNS records";
  const limit = setTimeout(() => resolver.cancel(), LOOK_MS_MAX);
  try {
    return isInRecords(await resolver.resolveTxt(host), token) ? null : "no TXT record contains the token";
  } catch {
    // No such name, no such record, or no name server: the proof is not there now.
    return "no TXT record was found";
  } finally {
    clearTimeout(limit);
  }
}
