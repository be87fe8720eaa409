import type { Hex } from "viem";
import { type Action, confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import type { AgentId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { isWeakerScan, type PaymentScan } from "@/lib/core/scans";
import type { Ctx, Owner } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { ensureSpendingWallets } from "@/lib/wallets/service";
import { agentErrors } from "./errors";
import { isLost } from "./rules";
import { type AgentRow, getOwned, type OwnedAgent } from "./service";
import * as store from "./store";

export type AgentSettings = {
  name?: string | undefined;
  receivingAddress?: Address | null | undefined;
  paymentScan?: PaymentScan | undefined;
};

/**
 * Renames an agent, sets the address it is paid at (null: the owner's wallet), or sets whether its payments are scanned first. A
 * receiving address that is not the owner's own needs a signature, because the agent's income would go there; so does a weaker scan,
 * because the scan may keep the agent from paying a thief. Throws agent_not_found, receiving_address_refused, signature_required.
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
      const locked = await store.lock(tx, agentId);
      if (use === unsigned && locked && isChanged(locked, owned.agent)) return "changed";
      await use(tx);
      if (!(await store.change(tx, ownerId, agentId, set))) throw agentErrors.agent_not_found();
      await record(tx, ctx.now(), { type: "agent.updated", subject: agentId, agentId, ownerId, meta: set });
      return "written";
    });
  const action = await actionOf(ctx, owned, set);
  if (action) await confirmed(ctx, action, signature, write);
  else if ((await write(unsigned)) === "changed") return updateOwned(ctx, agentId, { signature, ...change });
  return getOwned(ctx, agentId);
}

/** Whether the fields that decide on a signature have changed since they were read. */
const isChanged = (currentRow: AgentRow, previousRow: AgentRow): boolean =>
  currentRow.paymentScan !== previousRow.paymentScan || currentRow.receivingAddress !== previousRow.receivingAddress;

/** The action that the owner signs for `change`; null if it needs no signature. */
async function actionOf(ctx: Ctx<Owner>, owned: OwnedAgent, change: AgentSettings): Promise<Action | null> {
  const { receivingAddress, paymentScan } = change;
  const { id: agentId, name: agent, paymentScan: currentScan } = owned.agent;
  const contents = canonicalJson(change);
  const scan = paymentScan !== undefined && isWeakerScan(paymentScan, currentScan) ? paymentScan : null;
  if (!receivingAddress || !(await isElsewhere(ctx, owned, receivingAddress))) {
    return scan && { type: "PaymentScan", agent, agentId, paymentScan: scan, contents };
  }
  if (scan) return { type: "AgentSettings", agent, agentId, receivingAddress, paymentScan: scan, contents };
  return { type: "ReceivingAddress", agent, agentId, receivingAddress, contents };
}

/** Whether `receiver` is a new address that does not belong to the owner. */
async function isElsewhere(ctx: Ctx<Owner>, { agent }: OwnedAgent, receiver: Address): Promise<boolean> {
  if (receiver === agent.receivingAddress || receiver === ctx.actor.address) return false;
  return receiver !== (await ensureSpendingWallets(ctx, ctx.actor.ownerId)).base.address;
}
