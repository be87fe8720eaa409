import type { CallOptions } from "./call.ts";
import type { Query, Tessera } from "./client.ts";
import { type List, pages } from "./pages.ts";
import type { Json } from "./transport.ts";
import type * as T from "./types.ts";

const INVOICES = "/api/invoices";
const buildInvoicePath = (invoiceId: string) => `${INVOICES}/${encodeURIComponent(invoiceId)}`;

/** Invoices of the agent: documents with lines and a due date, each paid once at a link of its own. Throws TesseraError. */
export const invoicesOf = (tessera: Tessera) => ({
  /** Amounts are atomic USDC. The buyer reads it at `url` and pays at `paymentUrl`; nothing is sent to them. */
  create: async (body: T.CreateInvoiceBody, options?: CallOptions): Promise<T.Invoice> =>
    (await tessera.request<T.CreateInvoiceResponse>("POST", INVOICES, { body, options })).invoice,
  get: async (invoiceId: string, options?: CallOptions): Promise<T.Invoice> =>
    (await tessera.request<T.GetInvoiceResponse>("GET", buildInvoicePath(invoiceId), { options })).invoice,
  /** Without their lines. */
  list: (query: Query<T.ListInvoicesQuery> = {}, options?: CallOptions): List<T.InvoiceItem> =>
    pages((cursor) => tessera.request<Json>("GET", INVOICES, { query: { ...query, cursor }, options }), "invoices"),
  /** Only while it is not paid; its link can no longer be paid then. */
  cancel: async (invoiceId: string, options?: CallOptions): Promise<T.Invoice> =>
    (await tessera.request<T.CancelInvoiceResponse>("POST", `${buildInvoicePath(invoiceId)}/cancel`, { options }))
      .invoice,
});
