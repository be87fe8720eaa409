import { hash } from "node:crypto";
import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import { type AgentId, type MandateId, newId, type OwnerId } from "@/lib/core/ids";
import { addSeconds, fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import * as wallets from "@/lib/wallets/service";
import { networkNamed } from "@/lib/x402/networks";
import { tokens } from "./access";
import { mandateErrors } from "./errors";
import type { Intent } from "./intent";
import { signUrl } from "./responses";
import { areNested } from "./rules";
import type { Mandate } from "./store";
import * as store from "./store";

export type Proposed = {
  mandateId: MandateId;
  authorizationUrl: string;
  expiresAt: Date;
  agentStatus: AgentStatus;
  ownerAddress: Address | null;
};
export type AgentStatus = "ready" | "needs_wallet_authorization";

export const agentStatus = (actor: Agent): AgentStatus => (actor.ownerId ? "ready" : "needs_wallet_authorization");

/**
 * Creates the mandate that the agent requests; it allows nothing until a person signs it. `caller` is the client address: it
 * limits drafts of agents without an owner, because anyone can register any number of agents. Throws rate_limited and the errors
 * of the intent.
 */
export async function createIntent(ctx: Ctx<Agent>, intent: Intent, caller: string): Promise<Proposed> {
  const { agentId, ownerId } = ctx.actor;
  const { token, write } = await propose(ctx, ctx.actor, "agent", intent);
  await limit(ctx, "intent_per_agent", agentId);
  if (ownerId === null) await limit(ctx, "draft_per_address", caller);
  const mandate = await ctx.db.transaction(write);
  return {
    mandateId: mandate.id,
    authorizationUrl: signUrl(mandate.id, ctx.config.baseUrl, token),
    expiresAt: mandate.validUntil,
    agentStatus: agentStatus(ctx.actor),
    ownerAddress: await agents.ownerAddressOf(ctx.db, agentId),
  };
}

/**
 * Prepares a mandate for an agent of the signed-in owner, for the owner to sign. The returned function inserts it in the
 * caller's transaction. Throws agent_not_found, cap_exceeds_limit.
 */
export async function prepare(
  ctx: Ctx<Owner>,
  agentId: AgentId,
  intent: Intent,
): Promise<(tx: Tx) => Promise<Mandate>> {
  await agents.getOwned(ctx, agentId);
  const { write } = await propose(ctx, { agentId, ownerId: ctx.actor.ownerId }, "owner", intent);
  return write;
}

/** A mandate that is not inserted yet, with its token. Throws the errors of the intent. */
async function propose(
  system: System,
  { agentId, ownerId }: { agentId: AgentId; ownerId: OwnerId | null },
  requestedBy: Mandate["requestedBy"],
  intent: Intent,
): Promise<{ token: string; write: (tx: Tx) => Promise<Mandate> }> {
  if (intent.currency !== "USDC") throw mandateErrors.currency_mismatch();
  const network = networkNamed(intent.network)?.name;
  if (!network) throw mandateErrors.unsupported_network();
  if (!areNested(intent)) throw mandateErrors.cap_exceeds_limit();
  const wallet = ownerId && (await wallets.spendingWallet(system, ownerId, network));
  const id = newId("mandate");
  const token = (await tokens(system))(id);
  const time = system.now();
  // In whole seconds, as in the typed data that the owner signs.
  const validFrom = fromUnixSeconds(unixSeconds(time));
  const row = {
    id,
    agentId,
    ownerId,
    walletId: wallet?.id ?? null,
    network,
    state: wallet ? ("pending_signature" as const) : ("draft" as const),
    requestedBy,
    naturalLanguage: intent.naturalLanguage,
    category: intent.category,
    limitAmount: intent.limitAmount,
    maxAmountPerPayment: intent.maxAmountPerPayment,
    maxAmountPerDay: intent.maxAmountPerDay,
    maxAmountPerMonth: intent.maxAmountPerMonth,
    hostAllowlist: intent.hostAllowlist,
    confirmPayees: intent.confirmPayees,
    vaultAgentKey: intent.vault?.agentKey ?? null,
    vaultPayees: intent.vault?.payees ?? null,
    vaultReleaseAmount: intent.vault?.release?.amount ?? null,
    vaultReleaseSeconds: intent.vault?.release?.seconds ?? null,
    validFrom,
    validUntil: addSeconds(validFrom, intent.validForSeconds),
    tokenHash: hash("sha256", token, "hex"),
    createdAt: time,
    updatedAt: time,
  };
  return {
    token,
    write: async (tx) => {
      const meta = { limitAmount: intent.limitAmount.toString(), network, by: requestedBy };
      await record(tx, time, { type: "mandate.created", subject: row.id, agentId, ownerId, meta });
      return store.insert(tx, row);
    },
  };
}
