import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, PaymentId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { type CursorPage, cutAfter } from "@/lib/core/page";
import { balanceOf } from "@/lib/credits/service";
import { capsOf, type SpendingCap } from "@/lib/mandates/caps/charge";
import * as mandateLists from "@/lib/mandates/lists";
import type { WithVault } from "@/lib/mandates/responses";
import { withVaults } from "@/lib/mandates/service";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import * as wallets from "@/lib/wallets/service";
import { type Credits, toCredits } from "@/lib/x402/credits";
import type { NetworkName } from "@/lib/x402/networks";
import { paymentErrors } from "./errors";
import * as store from "./store";

export { recordEnds } from "./events";
export {
  type HistorySlice,
  listAgentPayments,
  type Movement,
  pendingOn,
  type Spent,
  spent,
  unpresentedOn,
  type VaultMovement,
  walletHistory,
} from "./history";
export type { PaymentOrder, SignedPayment } from "./rules";
export {
  type AboveCaps,
  assertUnsuspicious,
  draftOf,
  type IsApproved,
  type PayeeRequired,
  requireOrder,
  sign,
  signDraft,
  signOffer,
  walletPayer,
} from "./sign";
export type { Payment } from "./store";

type Payment = store.Payment;

/** Newest first. */
export async function listForAgent(ctx: Ctx<Agent>, page: store.PaymentsSlice): Promise<CursorPage<Payment>> {
  const rows = await store.listForAgent(ctx.db, ctx.actor.agentId, { ...page, limit: page.limit + 1 });
  return cutAfter(rows, page.limit, store.cursorOf);
}

/** Payments under the owner's mandates, or under one of them; newest first. */
export async function listForOwner(
  ctx: Ctx<Owner>,
  page: store.PaymentsSlice & { mandateId: MandateId | undefined },
): Promise<CursorPage<Payment>> {
  const rows = await store.listForOwner(ctx.db, ctx.actor.ownerId, { ...page, limit: page.limit + 1 });
  return cutAfter(rows, page.limit, store.cursorOf);
}

/** Null if there is none. Does not check access: the caller must. */
export const paymentById = ({ db }: System, id: PaymentId): Promise<Payment | null> => store.find(db, id);

/** Throws payment_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, id: PaymentId): Promise<Payment> {
  const payment = await store.findForAgent(ctx.db, ctx.actor.agentId, id);
  if (!payment) throw paymentErrors.payment_not_found();
  return payment;
}

export type SelfStatus = {
  agent: { id: AgentId; name: string; isAuthorized: boolean };
  walletAddress: Address | null;
  ownerAddress: Address | null;
  balance: Usdc;
  credits: Credits;
  mandates: { open: number; total: number; items: WithVault[] };
  caps: readonly SpendingCap[];
  recent: CursorPage<Payment>;
};

const STATUS_MANDATES_MAX = 50;

/** The agent's own status. Throws ChainUnavailable. */
export async function statusOfSelf(ctx: Ctx<Agent>, network: NetworkName, paymentsMax: number): Promise<SelfStatus> {
  const { agentId, ownerId } = ctx.actor;
  const [agent, wallet, ownerAddress, credits, first, counts, recent] = await Promise.all([
    agents.agentById(ctx.db, agentId),
    ownerId ? wallets.spendingWallet(ctx, ownerId, network) : null,
    agents.ownerAddressOf(ctx.db, agentId),
    ownerId ? balanceOf(ctx.db, ownerId) : toCredits(0n),
    mandateLists.listForAgent(ctx, { limit: STATUS_MANDATES_MAX }),
    mandateLists.countForAgent(ctx),
    listForAgent(ctx, { limit: paymentsMax, cursor: undefined }),
  ]);
  const [balance = ZERO] = wallet ? await ctx.chains[network].balances([wallet.address]) : [];
  return {
    agent: { id: agentId, name: agent?.name ?? "", isAuthorized: ownerId !== null },
    walletAddress: wallet?.address ?? null,
    ownerAddress,
    balance,
    credits,
    mandates: { ...counts, items: await withVaults(ctx, first.rows) },
    caps: wallet ? await capsOf(ctx, wallet, agentId) : [],
    recent,
  };
}
