import { hash } from "node:crypto";
import type { Hex } from "viem";
import { confirmed, type Use } from "@/lib/confirmations/service";
import { type AgentId, newId, type OwnerId } from "@/lib/core/ids";
import { isSameSecret } from "@/lib/core/same-secret";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { agentErrors } from "./errors";
import * as store from "./store";

/** Permanent tokens of agents (`tok_…`). Only hashes are stored. */

/** The agent with this permanent token, which may be the previous one while it is still valid. */
export async function agentByToken(
  { db, now }: System,
  agentId: AgentId,
  token: string,
): Promise<store.AgentRow | "missing" | "wrong_token"> {
  const agent = await store.find(db, agentId);
  if (!agent) return "missing";
  const { tokenHash, oldTokenHash, oldTokenUntil } = agent;
  const isOld = oldTokenHash !== null && oldTokenUntil !== null && now() < oldTokenUntil && isOf(token, oldTokenHash);
  return isOld || isOf(token, tokenHash) ? agent : "wrong_token";
}

/** The agent that holds this permanent token, for callers that send only the token; null if there is none. */
export async function agentOfToken(system: System, token: string): Promise<store.AgentRow | null> {
  const [row] = await store.listByTokenHash(system.db, hash("sha256", token, "hex"));
  const agent = row && (await agentByToken(system, row.id, token));
  return agent && typeof agent === "object" ? agent : null;
}

const OLD_TOKEN_SECONDS = 600;

/**
 * A revocation also covers logins issued up to this many seconds later: JWT times are whole seconds, and a request that read the old
 * token may still issue one. New logins are dated after that.
 */
const REVOKED_AHEAD_SECONDS = 2;

/**
 * `oldTokenUntil`: when the previous token expires; null when it was revoked. `loginsFrom`: the earliest issue time of valid logins;
 * null if all are valid.
 */
export type NewToken = { token: string; oldTokenUntil: Date | null; loginsFrom: Date | null };

/** The agent with its newest token, or its owner with a signature. */
export type Authority = { type: "agent"; proof: string } | { type: "owner"; ownerId: OwnerId; use: Use };

/**
 * A new permanent token for an agent. The previous one stays valid for ten minutes; with `revokesOld` it is revoked at once,
 * together with all login JWTs. Authorised by `proof` (the newest token, not the previous one) or by the owner's signature. Throws
 * agent_not_found, nothing_signed_yet; returns wrong_token.
 * Why: docs/decisions.md, 104.
 */
export async function rotateToken(
  system: System,
  agentId: AgentId,
  authority: Authority,
  revokesOld: boolean,
): Promise<NewToken | "wrong_token"> {
  const token = newId("token");
  return system.db.transaction(async (tx) => {
    const agent = await store.lock(tx, agentId);
    const time = system.now();
    const oldTokenUntil = revokesOld ? null : addSeconds(time, OLD_TOKEN_SECONDS);
    const loginsFrom = revokesOld ? addSeconds(time, REVOKED_AHEAD_SECONDS) : null;
    if (!agent || (authority.type === "owner" && agent.ownerId !== authority.ownerId))
      throw agentErrors.agent_not_found();
    if (authority.type === "owner" && agent.boundAt === null) throw agentErrors.nothing_signed_yet();
    if (authority.type === "agent" && !isOf(authority.proof, agent.tokenHash)) return "wrong_token";
    if (authority.type === "owner") await authority.use(tx);
    await store.changeToken(tx, agentId, {
      tokenHash: hash("sha256", token, "hex"),
      oldTokenHash: revokesOld ? null : agent.tokenHash,
      oldTokenUntil,
      ...(loginsFrom && { loginsFrom }),
    });
    const meta = { by: authority.type, isOldRevoked: revokesOld };
    await record(tx, time, { type: "agent.token_rotated", subject: agentId, agentId, ownerId: agent.ownerId, meta });
    return { token, oldTokenUntil, loginsFrom: loginsFrom ?? agent.loginsFrom };
  });
}

/**
 * Rotation by the owner. Needs a signature: the holder of a token can spend what every mandate of the agent allows. Throws
 * agent_not_found, nothing_signed_yet, signature_required, rate_limited.
 */
export async function rotateOwned(
  ctx: Ctx<Owner>,
  agentId: AgentId,
  { revokeOld, signature }: { revokeOld: boolean; signature?: Hex | undefined },
): Promise<NewToken> {
  const { ownerId } = ctx.actor;
  const agent = await store.findOwned(ctx.db, ownerId, agentId);
  if (!agent) throw agentErrors.agent_not_found();
  if (agent.boundAt === null) throw agentErrors.nothing_signed_yet();
  const action = { type: "AgentToken" as const, agent: agent.name, agentId, isOldRevoked: revokeOld };
  return confirmed(ctx, action, signature, async (use) => {
    // Separate from the agent's own turns: a thief of its token must not exhaust the owner's limit.
    await limit(ctx, "rotate_per_agent", `owner ${agentId}`, agentErrors.rate_limited);
    const rotated = await rotateToken(ctx, agentId, { type: "owner", ownerId, use }, revokeOld);
    if (rotated === "wrong_token") throw agentErrors.agent_not_found();
    return rotated;
  });
}

/** The token has 142 random bits, so a fast hash is enough. */
const isOf = (token: string, tokenHash: string): boolean => isSameSecret(tokenHash, hash("sha256", token, "hex"));
