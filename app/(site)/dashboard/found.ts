import { notFound } from "next/navigation";
import { id } from "@/lib/core/id-text";
import { orNull } from "@/lib/http/found";
import { getInvoice } from "@/lib/invoices/contract";
import * as invoices from "@/lib/invoices/service";
import { getLink } from "@/lib/links/contract";
import * as sales from "@/lib/links/sales/service";
import * as links from "@/lib/links/service";
import { mandateId } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { getAgentPayment } from "@/lib/payments/history";
import { getOwnedPayout } from "@/lib/payouts/owner/contract";
import * as payouts from "@/lib/payouts/owner/service";
import { getWebhook } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";
import type { OwnerContext } from "../context";

type Find = (ctx: OwnerContext, id: string) => Promise<unknown>;

/** The detail pages by path. `find` resolves to null if the id is malformed. */
const PAGES: readonly { path: RegExp; find: Find }[] = [
  {
    path: /^\/dashboard\/links\/([^/]+)(?:\/edit)?$/,
    find: (ctx, linkId) => {
      const parsed = getLink.params?.safeParse({ linkId });
      return parsed?.success ? links.getForOwner(ctx, parsed.data.linkId) : NOTHING;
    },
  },
  {
    path: /^\/dashboard\/invoices\/([^/]+)$/,
    find: (ctx, invoiceId) => {
      const parsed = getInvoice.params?.safeParse({ invoiceId });
      return parsed?.success ? invoices.getForOwner(ctx, parsed.data.invoiceId) : NOTHING;
    },
  },
  {
    path: /^\/dashboard\/payments\/([^/]+)$/,
    find: (ctx, paymentId) => {
      const parsed = id("payment").safeParse(paymentId);
      if (parsed.success) return getAgentPayment(ctx, parsed.data);
      return /^\d{1,15}$/.test(paymentId) ? sales.get(ctx, Number(paymentId)) : NOTHING;
    },
  },
  {
    path: /^\/dashboard\/payouts\/([^/]+)$/,
    find: (ctx, payoutRecordId) => {
      const parsed = getOwnedPayout.params?.safeParse({ payoutRecordId });
      return parsed?.success ? payouts.get(ctx, parsed.data.payoutRecordId) : NOTHING;
    },
  },
  {
    path: /^\/dashboard\/webhooks\/([^/]+)$/,
    find: (ctx, webhookId) => {
      const parsed = getWebhook.params?.safeParse({ webhookId });
      return parsed?.success ? webhooks.get(ctx, parsed.data.webhookId) : NOTHING;
    },
  },
  {
    path: /^\/mandates\/([^/]+)$/,
    find: (ctx, id) => {
      const parsed = mandateId.safeParse(id);
      return parsed.success ? mandates.getForOwner(ctx, parsed.data) : NOTHING;
    },
  },
];
/** Path segments at the position of an id that are pages of their own. */
const OTHERS = new Set(["new", "batch", "addresses"]);
const NOTHING = Promise.resolve(null);

/** False if `path` is the page of an item that the owner does not have. */
export async function isFound(ctx: OwnerContext, path: string): Promise<boolean> {
  for (const page of PAGES) {
    const [, named] = page.path.exec(path) ?? [];
    if (named === undefined || OTHERS.has(named)) continue;
    return (await orNull(page.find(ctx, named))) !== null;
  }
  return true;
}

/**
 * Responds with 404 if `path` is the page of an item that the owner does not have. Called by the layout: by the time the page itself knows,
 * the loading state has been sent with status 200.
 */
export async function assertFound(ctx: OwnerContext, path: string): Promise<void> {
  if (!(await isFound(ctx, path))) notFound();
}
