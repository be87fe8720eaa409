import { createHash } from "node:crypto";
import type { Hex } from "viem";
import { confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import type { AgentId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import type { PaymentScan } from "@/lib/core/scans";
import type { Ctx, Owner } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { ensureSpendingWallets } from "@/lib/wallets/service";
import { agentErrors } from "./errors";
import { isLost } from "./rules";
import { getOwned, type OwnedAgent } from "./service";
import * as store from "./store";

export type AgentSettings = {
  name?: string | undefined;
  receivingAddress?: Address | null | undefined;
  paymentScan?: PaymentScan | undefined;
};

/**
 * Renames an agent, sets the address it is paid at (null: the owner's wallet), or sets whether its payments are scanned
 * first. A receiving address that is not the owner's own needs a signature, because the agent's income would go there.
 * Throws agent_not_found, receiving_address_refused, signature_required.
 */
export async function updateOwned(
  ctx: Ctx<Owner>,
  agentId: AgentId,
  { signature, ...change }: AgentSettings & { signature?: Hex | undefined },
): Promise<OwnedAgent> {
  const { name, receivingAddress, paymentScan } = change;
  if (receivingAddress && isLost(receivingAddress)) throw agentErrors.receiving_address_refused();
  const { ownerId } = ctx.actor;
  const owned = await getOwned(ctx, agentId);
  const set = {
    ...(name !== undefined && { name }),
    ...(receivingAddress !== undefined && { receivingAddress }),
    ...(paymentScan !== undefined && { paymentScan }),
  };
  if (Object.keys(set).length === 0) return owned;
  const write = (use: Use) =>
    ctx.db.transaction(async (tx) => {
      await use(tx);
      if (!(await store.change(tx, ownerId, agentId, set))) throw agentErrors.agent_not_found();
      await record(tx, ctx.now(), { type: "agent.updated", subject: agentId, agentId, ownerId, meta: set });
    });
  if (receivingAddress && (await isElsewhere(ctx, owned, receivingAddress))) {
    const contents = createHash("sha256").update(canonicalJson(set)).digest("hex");
    const action = { type: "ReceivingAddress" as const, agent: owned.agent.name, agentId, receivingAddress, contents };
    await confirmed(ctx, action, signature, write);
  } else {
    await write(unsigned);
  }
  return getOwned(ctx, agentId);
}

/** Whether `receiver` is a new address that does not belong to the owner. */
async function isElsewhere(ctx: Ctx<Owner>, { agent }: OwnedAgent, receiver: Address): Promise<boolean> {
  if (receiver === agent.receivingAddress || receiver === ctx.actor.address) return false;
  return receiver !== (await ensureSpendingWallets(ctx, ctx.actor.ownerId)).base.address;
}
