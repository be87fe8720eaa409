import { createHash, timingSafeEqual } from "node:crypto";
import { type AgentId, newId, type OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { Owner, System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import { agentErrors } from "./errors";
import * as store from "./store";

/** Permanent tokens of agents (`tok_…`). Only hashes are stored. */

/** The agent whose permanent token this is, or was until a moment ago. */
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

const OLD_TOKEN_SECONDS = 600;

/** `oldTokenUntil`: how long the token before this one is good; null when it is not. */
export type NewToken = { token: string; oldTokenUntil: Date | null };

/**
 * A new permanent token for an agent; the one before is good for ten minutes, or with `revokesOld` no longer, and neither
 * are login JWTs. By `proof` of the newest token, or in the name of the owner. Throws agent_not_found, nothing_signed_yet;
 * answers wrong_token.
 */
async function rotate(
  system: System,
  agentId: AgentId,
  by: { proof: string } | { ownerId: OwnerId },
  revokesOld: boolean,
): Promise<NewToken | "wrong_token"> {
  const token = newId("token");
  const at = system.now();
  const oldTokenUntil = revokesOld ? null : addSeconds(at, OLD_TOKEN_SECONDS);
  return system.db.transaction(async (tx) => {
    const agent = await store.lock(tx, agentId);
    if (!agent || ("ownerId" in by && agent.ownerId !== by.ownerId)) throw agentErrors.agent_not_found();
    if ("ownerId" in by && agent.boundAt === null) throw agentErrors.nothing_signed_yet();
    if ("proof" in by && !isOf(by.proof, agent.tokenHash)) return "wrong_token";
    await store.changeToken(tx, agentId, {
      tokenHash: hashOf(token),
      oldTokenHash: revokesOld ? null : agent.tokenHash,
      oldTokenUntil,
      ...(revokesOld && { loginsFrom: at }),
    });
    const meta = { by: "ownerId" in by ? "owner" : "agent", isOldRevoked: revokesOld };
    await record(tx, at, { type: "agent.token_rotated", subject: agentId, agentId, ownerId: agent.ownerId, meta });
    return { token, oldTokenUntil };
  });
}

/** By the agent, which shows its newest token: the one before it proves nothing here. Throws agent_not_found. */
export const rotateToken = (system: System, agentId: AgentId, proof: string, revokesOld: boolean) =>
  rotate(system, agentId, { proof }, revokesOld);

/** By its owner. Throws agent_not_found, nothing_signed_yet, rate_limited. */
export async function rotateOwned(
  { actor, ...system }: System & { actor: Owner },
  agentId: AgentId,
  revokesOld: boolean,
): Promise<NewToken> {
  const agent = await store.findOwned(system.db, actor.ownerId, agentId);
  if (!agent) throw agentErrors.agent_not_found();
  if (agent.boundAt === null) throw agentErrors.nothing_signed_yet();
  // Counted apart from the agent's own: a thief of its token must not use up what the owner stops them with.
  const retryAfterSeconds = await takeTurn(system, "rotate_per_agent", `owner ${agentId}`);
  if (retryAfterSeconds !== null) throw agentErrors.rate_limited({ retryAfterSeconds });
  const made = await rotate(system, agentId, { ownerId: actor.ownerId }, revokesOld);
  if (made === "wrong_token") throw agentErrors.agent_not_found();
  return made;
}

/** The token has 142 random bits: a fast hash is enough. */
const isOf = (token: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(hashOf(token), "hex"));
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");
