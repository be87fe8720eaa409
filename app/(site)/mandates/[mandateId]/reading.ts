import { paymentWord } from "@/components/mandates/status";
import { vaultNews } from "@/components/mandates/vaults/words";
import { paysHosts } from "@/components/mandates/words";
import { usdcText } from "@/components/ui/format";
import { listForMandate } from "@/lib/attempts/service";
import { encodeCursor } from "@/lib/core/page";
import { addSeconds } from "@/lib/core/time";
import { orNotFound } from "@/lib/http/found";
import type { MandateView } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { toSellerView } from "@/lib/mandates/vaults/contract";
import { toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { listPayments } from "@/lib/payments/contract";
import { type PaymentView, toPaymentView } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { list as listAddresses } from "@/lib/payouts/address-book/service";
import { list as listPayouts } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { explorerOf, reviewed } from "../../authorize/mandate/[mandateId]/page-state";
import type { OwnerContext } from "../../context";
import { pagerOf, readPaging } from "../../dashboard/paging";
import { href, type SearchParams } from "../../dashboard/query";

type Id = MandateView["mandateId"];
type Params = Awaited<SearchParams>;

export type Shown = Awaited<ReturnType<typeof readMandate>>;

const PAGE_SIZE = 20;

/** Reads everything that the owner's page of a mandate shows. Ends the request with 404 if the mandate is not the owner's. */
export async function readMandate(ctx: OwnerContext, id: Id, params: Params) {
  const mandate = await orNotFound(mandates.getForOwner(ctx, id));
  const [payeeRows, forOwner, page, paidOut, canMove, refusedPayments, sellers] = await Promise.all([
    payees.listForMandate(ctx, mandate),
    reviewed(ctx, mandate),
    paymentsOf(ctx, mandate, params),
    payoutsOf(ctx, id),
    canMoveToVault(ctx, mandate),
    listForMandate(ctx, id, PAGE_SIZE),
    mandate.vault ? mandates.refusingSellers(ctx, id) : [],
  ]);
  const explorer = explorerOf(ctx, mandate);
  const lists = { payees: payeeRows.map(toPayeeView), sellers: sellers.map(toSellerView), refused: refusedPayments };
  return { ...paidOut, ...forOwner, ...page, ...lists, mandate, explorer, canMove };
}

async function paymentsOf(ctx: OwnerContext, { mandateId, agentId }: mandates.OwnedMandate, params: Params) {
  const cursor = listPayments.query?.safeParse({ cursor: params.before }).data?.cursor;
  const paging = readPaging(params, cursor === undefined);
  const { rows, next } = await payments.listForOwner(ctx, { mandateId, limit: paging.size, cursor });
  const receipts = await receiptsOf(ctx, agentId, rows);
  return {
    payments: rows.map((row) => ({ ...toPaymentView(row), receiptHref: receipts.get(row.id) ?? null })),
    pager: pagerOf(
      paging,
      { cursor: cursor && encodeCursor(cursor), next: next && encodeCursor(next), shown: rows.length },
      ({ cursor: before, ...page }) => href(`/mandates/${mandateId}`, { before, ...page }),
    ),
  };
}

/** The newest payouts under the mandate, and the owner's names for their addresses. */
async function payoutsOf(ctx: OwnerContext, id: Id) {
  const [{ rows }, book] = await Promise.all([
    listPayouts(ctx, { mandateId: id }, { limit: PAGE_SIZE }),
    listAddresses(ctx),
  ]);
  return {
    payouts: rows.map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now())),
    names: new Map<string, string>(book.map(({ address, name }) => [address, name])),
  };
}

/** False for a mandate that covers only payouts: vaults make no payouts. */
const canMoveToVault = async (ctx: OwnerContext, mandate: mandates.OwnedMandate) =>
  mandate.status === "signed" &&
  mandate.mode === "wallet" &&
  paysHosts(mandate) &&
  (await mandates.offersVaults(ctx, mandate.network));

const RECEIPTS_MAX = 200;

/** Receipt paths by payment id, for payments that this service settled. */
async function receiptsOf(ctx: OwnerContext, agentId: MandateView["agentId"], rows: payments.Payment[]) {
  const [newest] = rows;
  if (!newest) return new Map<string, string>();
  const agentPayments = await payments.listAgentPayments(ctx, {
    agentId,
    before: addSeconds(newest.createdAt, 1),
    limit: RECEIPTS_MAX,
  });
  return new Map(
    agentPayments.rows.flatMap(({ payment, settlementId }) =>
      settlementId === null ? [] : [[payment.id, `/receipt/${settlementId}`] as const],
    ),
  );
}

/** The newest payment and the remaining budget. Screen readers read the text when it changes. */
export function newsOf(mandate: mandates.OwnedMandate, newest: PaymentView | undefined): string {
  const vault = mandate.vault ? ` ${vaultNews(mandate.vault)}` : "";
  const budgetText = `${usdcText(mandate.remainingAmount)} left.${vault}`;
  if (!newest) return budgetText;
  return `Payment of ${usdcText(newest.amount)} to ${newest.host}: ${paymentWord(newest.status)}. ${budgetText}`;
}
