import { agentById, bind } from "@/lib/agents/service";
import { type AgentId, type InvoiceId, type LinkId, newId, type OwnerId } from "@/lib/core/ids";
import { COUNTED_MAX } from "@/lib/core/page";
import { type Usdc, ZERO } from "@/lib/core/usdc";
import { linkErrors } from "@/lib/links/errors";
import { agentActor, create as createLink, disableUnpaid, type LinkActor, ownerActor } from "@/lib/links/service";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { refundedOf } from "@/lib/refunds/service";
import { profileOf } from "@/lib/sellers/profile/service";
import type { NetworkName } from "@/lib/x402/networks";
import { invoiceErrors } from "./errors";
import {
  type Day,
  dayOf,
  endOf,
  type Invoice,
  type InvoiceLine,
  type InvoiceTotals,
  lastAfter,
  numberText,
  plainDecimal,
  readNumber,
  type Tax,
  totalsOf,
} from "./rules";
import * as store from "./store";

export { dayOf } from "./rules";
export { INVOICE_FILTERS, type InvoiceFilter, type InvoiceRow } from "./store";

/** `refunded`: the sum of its settled refunds. */
export type InvoicePayment = store.InvoicePaymentRow & { refunded: Usdc };

export type NewInvoice = {
  buyer: { name: string; email: string | null; address: string | null };
  /** Null for the next automatic number. */
  number: string | null;
  /** Null for today. */
  issueDate: Day | null;
  dueDate: Day;
  isPayableAfterDue: boolean;
  lines: readonly InvoiceLine[];
  tax: Tax | null;
  note: string | null;
  sellerDetails: string | null;
  network: NetworkName;
};

/** The payment that has settled or can still settle, and whether the agent, and with it the link, was deleted. */
type Circumstances = { payment: InvoicePayment | null; isAgentDeleted: boolean };
export type InvoiceView = Circumstances & { invoice: Invoice };
/** An invoice in a list. `agentName` is set for owners only. */
export type InvoiceItem = Circumstances & { invoice: store.InvoiceRow; agentName?: string };
type Page = { before?: number | undefined; limit: number };

/** Throws WALLET_NOT_LINKED, INVOICE_NUMBER_TAKEN, DUE_DATE_BEFORE_ISSUE, DUE_DATE_IN_PAST, rate_limited. */
export const create = (ctx: Ctx<Agent>, request: NewInvoice): Promise<InvoiceView> =>
  createBy(ctx, agentActor(ctx), ctx.actor.ownerId, request);

/** Throws agent_not_found and the errors of `create`. */
export const createOwned = async (ctx: Ctx<Owner>, agentId: AgentId, request: NewInvoice): Promise<InvoiceView> =>
  createBy(ctx, await ownerActor(ctx, agentId), ctx.actor.ownerId, request);

/** One invoice of the agent. Throws INVOICE_NOT_FOUND. */
export async function get(ctx: Ctx<Agent>, invoiceId: InvoiceId): Promise<InvoiceView> {
  const view = await readInvoice(ctx, invoiceId);
  if (view.invoice.agentId !== ctx.actor.agentId) throw invoiceErrors.INVOICE_NOT_FOUND();
  return view;
}

/** One invoice of the owner. Throws INVOICE_NOT_FOUND. */
export async function getForOwner(ctx: Ctx<Owner>, invoiceId: InvoiceId): Promise<InvoiceView> {
  const view = await readInvoice(ctx, invoiceId);
  if (view.invoice.ownerId !== ctx.actor.ownerId) throw invoiceErrors.INVOICE_NOT_FOUND();
  return view;
}

/** For the buyer, whose only credential is the id. Throws INVOICE_NOT_FOUND. */
export async function readInvoice(system: Pick<System, "db">, invoiceId: InvoiceId): Promise<InvoiceView> {
  const row = await store.find(system.db, invoiceId);
  if (!row) throw invoiceErrors.INVOICE_NOT_FOUND();
  const { linkId } = row.invoice;
  return { ...row, payment: (await paymentsOf(system, [linkId]))(linkId) };
}

/** The agent's invoices, newest first. `next`: the `before` of the next page. */
export async function list(ctx: Ctx<Agent>, page: Page): Promise<{ items: InvoiceItem[]; next: number | null }> {
  const rows = await store.listOwn(ctx.db, ctx.actor.agentId, { ...page, limit: page.limit + 1 });
  return cut(
    ctx,
    rows.map((invoice) => ({ invoice, isAgentDeleted: false })),
    page.limit,
  );
}

/** The invoices of all agents that the owner has or had, newest first. */
export async function listForOwner(
  ctx: Ctx<Owner>,
  page: Page & { filter?: store.InvoiceFilter | undefined },
): Promise<{ items: InvoiceItem[]; next: number | null }> {
  const rows = await store.listForOwner(ctx.db, ctx.actor.ownerId, { ...page, limit: page.limit + 1 });
  return cut(
    ctx,
    rows.map(({ agentName, isAgentDeleted, ...invoice }) => ({ invoice, agentName, isAgentDeleted })),
    page.limit,
  );
}

/** The number of the owner's invoices, counted up to COUNTED_MAX. */
export const countForOwner = (ctx: Ctx<Owner>): Promise<number> =>
  store.countForOwner(ctx.db, ctx.actor.ownerId, COUNTED_MAX);

/** The `sellerDetails` of the newest invoice that the owner created. Agents' invoices are ignored: their text is not the owner's. */
export const lastSellerDetails = ({ db, actor }: Ctx<Owner>): Promise<string | null> =>
  store.lastSellerDetails(db, actor.ownerId);

/** `isUnderWay`: a payment that started before the cancellation can still settle, which makes the invoice paid. */
export type CancelledInvoice = { view: InvoiceView; isUnderWay: boolean };

/** Disables the invoice's link, so that no new payment starts. Idempotent. Throws INVOICE_NOT_FOUND, INVOICE_PAID. */
export async function cancel(ctx: Ctx<Agent>, invoiceId: InvoiceId): Promise<CancelledInvoice> {
  const { invoice } = await get(ctx, invoiceId);
  return cancelBy(ctx, agentActor(ctx), invoice);
}

/** `cancel` for an invoice of the owner, even if its agent was deleted. */
export async function cancelOwned(
  ctx: Ctx<Owner>,
  { agentId, invoiceId }: { agentId: AgentId; invoiceId: InvoiceId },
): Promise<CancelledInvoice> {
  const { invoice } = await getForOwner(ctx, invoiceId);
  if (invoice.agentId !== agentId) throw invoiceErrors.INVOICE_NOT_FOUND();
  return cancelBy(ctx, { agentId, ownerId: ctx.actor.ownerId }, invoice);
}

async function cut<Row extends Omit<InvoiceItem, "payment">>(
  system: System,
  rows: readonly Row[],
  limit: number,
): Promise<{ items: InvoiceItem[]; next: number | null }> {
  const pageRows = rows.slice(0, limit);
  const paymentOf = await paymentsOf(
    system,
    pageRows.map(({ invoice }) => invoice.linkId),
  );
  return {
    items: pageRows.map((row) => ({ ...row, payment: paymentOf(row.invoice.linkId) })),
    next: rows.length > limit ? (pageRows.at(-1)?.invoice.id ?? null) : null,
  };
}

async function paymentsOf(
  system: Pick<System, "db">,
  linkIds: readonly LinkId[],
): Promise<(linkId: LinkId) => InvoicePayment | null> {
  const payments = await store.paymentsOf(system.db, linkIds);
  const saleIds = linkIds.map((linkId) => payments.get(linkId)?.saleId ?? null).filter((id) => id !== null);
  const refunded = await refundedOf(system, saleIds);
  return (linkId) => {
    const payment = payments.get(linkId);
    if (!payment) return null;
    return { ...payment, refunded: (payment.saleId !== null && refunded.get(payment.saleId)) || ZERO };
  };
}

/** Shown to visitors of a cancelled invoice's link. */
const CANCELLED_MESSAGE = "The seller cancelled this invoice.";

async function createBy(
  system: System,
  actor: LinkActor,
  ownerId: OwnerId | null,
  request: NewInvoice,
): Promise<InvoiceView> {
  const time = system.now();
  const totals = totalsOf(request.lines, request.tax);
  // The contract rejects such an invoice.
  if (totals.type === "unpayable") throw new Error("an invoice without a total was let through");
  const { dueDate, network } = request;
  const issueDate = request.issueDate ?? dayOf(time);
  if (dueDate < issueDate) throw invoiceErrors.DUE_DATE_BEFORE_ISSUE();
  const invoiceId = newId("invoice");
  let number = "";
  await createLink(
    system,
    actor,
    {
      amount: totals.total,
      network,
      description: "",
      reference: null,
      metadata: { invoiceId },
      resourceContent: null,
      redirectUrl: null,
      disabledMessage: CANCELLED_MESSAGE,
      expiresAt: request.isPayableAfterDue ? null : endOf(dueDate),
      maxUses: 1,
    },
    {
      invoiceId,
      begin: async (tx) => {
        // An agent without an owner is rejected earlier, unless its owner changed during this request.
        if (ownerId === null) throw linkErrors.WALLET_NOT_LINKED();
        number = await numberOf(tx, ownerId, request.number, issueDate);
        return { description: `Invoice ${number}`, reference: number };
      },
      write: async (tx, { linkId, agentId }) => {
        // Binds the agent to its owner permanently: an invoice must never be paid to another owner.
        if (ownerId === null || !(await bind(tx, agentId, ownerId, time))) throw linkErrors.WALLET_NOT_LINKED();
        const seller = await sellerOf(tx, agentId, ownerId);
        const row = { ...toRow(request, totals), ...seller, invoiceId, agentId, ownerId, linkId, number, issueDate };
        const createdBy = actor.ownerId === null ? "agent" : "owner";
        if (!(await store.add(tx, { ...row, createdBy, createdAt: time }))) throw invoiceErrors.INVOICE_NUMBER_TAKEN();
      },
    },
  ).catch((error: unknown) => {
    throw linkErrors.EXPIRY_IN_PAST.is(error) ? invoiceErrors.DUE_DATE_IN_PAST(undefined, error) : error;
  });
  return readInvoice(system, invoiceId);
}

/** The seller's name and verified domain at this moment. */
async function sellerOf(
  tx: Tx,
  agentId: AgentId,
  ownerId: OwnerId,
): Promise<Pick<Invoice, "sellerName" | "sellerDomain">> {
  const agent = await agentById(tx, agentId);
  // The agent was deleted in the meantime.
  if (!agent) throw linkErrors.WALLET_NOT_LINKED();
  const { name, domain } = await profileOf({ db: tx }, ownerId);
  return { sellerName: name ?? agent.name, sellerDomain: domain };
}

const toRow = ({ buyer, tax, ...request }: NewInvoice, sums: InvoiceTotals) => ({
  network: request.network,
  total: sums.total,
  subtotal: sums.subtotal,
  buyerName: buyer.name,
  buyerEmail: buyer.email,
  buyerAddress: buyer.address,
  sellerDetails: request.sellerDetails,
  note: request.note,
  dueDate: request.dueDate,
  isPayableAfterDue: request.isPayableAfterDue,
  tax: tax && {
    label: tax.label,
    percent: tax.percent === undefined ? null : plainDecimal(tax.percent),
    amount: sums.tax.toString(),
  },
  lines: sums.lines.map(({ description, quantity, unitAmount, amount }) => ({
    description,
    quantity: plainDecimal(quantity),
    unitAmount: unitAmount.toString(),
    amount: amount.toString(),
  })),
});

async function cancelBy(system: System, actor: LinkActor, { invoiceId, linkId }: Invoice): Promise<CancelledInvoice> {
  const time = system.now();
  const isUnderWay = await system.db.transaction(async (tx) => {
    const { settled, open } = await disableUnpaid(tx, actor, linkId, time);
    if (settled > 0) throw invoiceErrors.INVOICE_PAID();
    await store.cancel(tx, invoiceId, time);
    return open > 0;
  });
  return { view: await readInvoice(system, invoiceId), isUnderWay };
}

/** The requested number, or the owner's next automatic one of that year. */
async function numberOf(tx: Tx, ownerId: OwnerId, requestedNumber: string | null, issueDate: Day): Promise<string> {
  if (requestedNumber === null) return nextNumber(tx, ownerId, Number(issueDate.slice(0, 4)));
  const automatic = readNumber(requestedNumber);
  if (automatic) {
    const last = await store.lockNumbers(tx, ownerId, automatic.year);
    await store.setLastNumber(tx, ownerId, automatic.year, lastAfter(last, automatic.count));
  }
  return requestedNumber;
}

/** Numbers checked per query. */
const AT_ONCE = 100n;

/** The first unused number after the owner's last automatic one. Chosen numbers may have used some of them. */
async function nextNumber(tx: Tx, ownerId: OwnerId, year: number): Promise<string> {
  let last = await store.lockNumbers(tx, ownerId, year);
  while (true) {
    const numbers: string[] = [];
    for (let count = last + 1n; count <= last + AT_ONCE; count++) numbers.push(numberText(year, count));
    const usedNumbers = await store.takenOf(tx, ownerId, numbers);
    for (const number of numbers) {
      last += 1n;
      if (usedNumbers.has(number)) continue;
      await store.setLastNumber(tx, ownerId, year, last);
      return number;
    }
  }
}
