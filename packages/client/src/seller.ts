import type { CallOptions } from "./call.ts";
import type { Query, Tessera } from "./client.ts";
import { type List, pages } from "./pages.ts";
import type { Json } from "./transport.ts";
import type * as T from "./types.ts";

const INVOICES = "/api/invoices";
const id = encodeURIComponent;

/**
 * Returns the calls for the agent's invoices: documents with lines and a due date, each paid once at its own link. All methods throw
 * TesseraError.
 *
 * @example
 * const invoices = invoicesOf(tessera);
 * for await (const { number, state, total } of invoices.list()) console.log(number, state, total);
 */
export const invoicesOf = (tessera: Tessera) => ({
  /**
   * Creates an invoice. Amounts are atomic USDC, `dueDate` is YYYY-MM-DD. The buyer reads the invoice at `url` and pays at `paymentUrl`;
   * the service sends them nothing. Throws `DUE_DATE_IN_PAST`, `INVOICE_NUMBER_TAKEN` and `WALLET_NOT_LINKED`.
   *
   * @example
   * const lines = [{ description: "Two days of work", quantity: "2", unitAmount: parseUsdc("400") }];
   * const body = { buyer: { name: "Ada Shop" }, dueDate: "2026-12-31", lines };
   * const { invoiceId, url } = await invoicesOf(tessera).create(body);
   */
  create: async (body: T.CreateInvoiceBody, options?: CallOptions): Promise<T.Invoice> =>
    (await tessera.request<T.CreateInvoiceResponse>("POST", INVOICES, { body, options })).invoice,
  /**
   * Reads an invoice. Throws `INVOICE_NOT_FOUND`.
   *
   * @example
   * const { state, payment } = await invoicesOf(tessera).get(invoiceId);
   * if (state === "paid") console.log(payment?.receiptUrl);
   */
  get: async (invoiceId: string, options?: CallOptions): Promise<T.Invoice> =>
    (await tessera.request<T.GetInvoiceResponse>("GET", `${INVOICES}/${id(invoiceId)}`, { options })).invoice,
  /**
   * Lists the agent's invoices, without their lines.
   *
   * @example
   * const { items, nextCursor } = await invoicesOf(tessera).list({ limit: 10 }).page();
   */
  list: (query: Query<T.ListInvoicesQuery> = {}, options?: CallOptions): List<T.InvoiceItem> =>
    pages((cursor) => tessera.request<Json>("GET", INVOICES, { query: { ...query, cursor }, options }), "invoices"),
  /**
   * Cancels an unpaid invoice: its link can no longer be paid. Throws `INVOICE_NOT_FOUND` and `INVOICE_PAID`.
   *
   * @example
   * const { state } = await invoicesOf(tessera).cancel(invoiceId); // "cancelled"
   */
  cancel: async (invoiceId: string, options?: CallOptions): Promise<T.Invoice> =>
    (await tessera.request<T.CancelInvoiceResponse>("POST", `${INVOICES}/${id(invoiceId)}/cancel`, { options }))
      .invoice,
});
