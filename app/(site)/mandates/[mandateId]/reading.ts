import { z } from "zod";
import { paymentWord } from "@/components/mandates/status";
import { usdcText } from "@/components/ui/format";
import { addSeconds } from "@/lib/core/time";
import { orNotFound } from "@/lib/http/found";
import type { MandateView } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { typedDataView } from "@/lib/mandates/typed-data";
import { encodePaymentCursor, listPayments } from "@/lib/payments/contract";
import { type PaymentView, toPaymentView } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { list as listAddresses } from "@/lib/payouts/address-book/service";
import { list as listPayouts } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import * as wallets from "@/lib/wallets/service";
import type { pageContext } from "@/lib/wiring";

type Context = Awaited<ReturnType<typeof pageContext>>;
type Asking = Context & { actor: Extract<Context["actor"], { type: "owner" }> };
type Id = MandateView["mandateId"];

export type Shown = Awaited<ReturnType<typeof read>>;

const PAGE_SIZE = 20;

/** Everything the page of a mandate shows its owner. 404 for everybody else. */
export async function read(asking: Asking, id: Id, before: unknown) {
  const mandate = await orNotFound(mandates.getForOwner(asking, id));
  const [typedData, balance, page, paidOut] = await Promise.all([
    mandates.typedData(asking, id, undefined),
    balanceOf(asking, mandate),
    paymentsOf(asking, mandate, before),
    payoutsOf(asking, id),
  ]);
  return { ...paidOut, mandate, typedData: z.encode(typedDataView, typedData), balance, ...page };
}

/** Null while the wallet's chain does not answer. */
async function balanceOf(asking: Asking, mandate: mandates.OwnedMandate) {
  const held = await wallets.overview(asking);
  return held.find(({ wallet }) => wallet.address === mandate.walletAddress)?.balance ?? null;
}

async function paymentsOf(asking: Asking, { mandateId, agentId }: mandates.OwnedMandate, before: unknown) {
  const cursor = listPayments.query?.safeParse({ cursor: before }).data?.cursor;
  const { payments: rows, next } = await payments.listForOwner(asking, { mandateId, limit: PAGE_SIZE, cursor });
  const receipts = await receiptsOf(asking, agentId, rows);
  const path = `/mandates/${mandateId}`;
  return {
    payments: rows.map((row) => ({ ...toPaymentView(row), receiptHref: receipts.get(row.id) ?? null })),
    older: next ? `${path}?before=${encodePaymentCursor(next)}` : undefined,
    newest: cursor ? path : undefined,
  };
}

/** The newest payouts under it, and the owner's names of their addresses. */
async function payoutsOf(asking: Asking, id: Id) {
  const [{ rows }, book] = await Promise.all([
    listPayouts(asking, { mandateId: id }, { limit: PAGE_SIZE }),
    listAddresses(asking),
  ]);
  return {
    payouts: rows.map((view) => toPayoutItem(view, asking.config.baseUrl, asking.now())),
    names: new Map<string, string>(book.map(({ address, name }) => [address, name])),
  };
}

const RECEIPTS_MAX = 200;

/** The receipts of those payments that reached one of our own agents. */
async function receiptsOf(asking: Asking, agentId: MandateView["agentId"], rows: payments.Payment[]) {
  const [newest] = rows;
  if (!newest) return new Map<string, string>();
  const made = await payments.listAgentPayments(asking, {
    agentId,
    before: addSeconds(newest.createdAt, 1),
    limit: RECEIPTS_MAX,
  });
  return new Map(
    made.rows.flatMap(({ payment, settlementId }) =>
      settlementId === null ? [] : [[payment.id, `/receipt/${settlementId}`] as const],
    ),
  );
}

/** What is said aloud when it changes: the newest payment, and what it left. */
export function newsOf(mandate: mandates.OwnedMandate, newest: PaymentView | undefined): string {
  const left = `${usdcText(mandate.remainingAmount)} left.`;
  if (!newest) return left;
  return `Payment of ${usdcText(newest.amount)} to ${newest.host}: ${paymentWord(newest.status)}. ${left}`;
}
