import { agentErrors } from "@/lib/agents/errors";
import * as agents from "@/lib/agents/service";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import type { Agent, Ctx, Owner } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import * as store from "./store";

/**
 * Removes the agent's owner, if someone other than the agent's user opened the authorizationUrl first. Rejects mandates that wait
 * for that owner's signature. Does nothing without an owner. Throws agent_bound once the owner has signed a mandate or approved a
 * payment or payout of the agent.
 * Why: docs/decisions.md, 108.
 */
export async function unlinkSelf(ctx: Ctx<Agent>): Promise<void> {
  const { agentId, ownerId } = ctx.actor;
  if (ownerId === null) return;
  const time = ctx.now();
  const end = await ctx.db.transaction((tx) => unlinkUnsigned(tx, agentId, ownerId, time, "agent"));
  if (end === "bound") throw agentErrors.agent_bound();
}

/**
 * Deletes an agent of the signed-in owner. While the owner has signed nothing for it, only unlinks it: a stranger who opens
 * the authorizationUrl first must not be able to delete the agent. Throws agent_not_found.
 */
export async function deleteAgent(ctx: Ctx<Owner>, agentId: AgentId): Promise<{ isDeleted: boolean }> {
  const { ownerId } = ctx.actor;
  await agents.getOwned(ctx, agentId);
  const end = await ctx.db.transaction((tx) => unlinkUnsigned(tx, agentId, ownerId, ctx.now(), "owner"));
  if (end !== "bound") return { isDeleted: false };
  await agents.deleteOwned(ctx, agentId);
  return { isDeleted: true };
}

/** Lock order: mandates, then their agent. */
async function unlinkUnsigned(
  tx: Tx,
  agentId: AgentId,
  ownerId: OwnerId,
  time: Date,
  actor: "agent" | "owner",
): Promise<"unlinked" | "bound"> {
  const unsigned = await store.lockUnsigned(tx, agentId, ownerId);
  const end = await agents.unlink(tx, agentId, ownerId, time, actor);
  if (end === "bound") return end;
  for (const { id } of unsigned) {
    await store.change(tx, id, { state: "rejected" }, time);
    await record(tx, time, { type: "mandate.rejected", subject: id, ownerId, agentId, meta: { by: actor } });
  }
  return "unlinked";
}
