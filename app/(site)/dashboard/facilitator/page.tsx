import type { Metadata } from "next";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { Section } from "@/components/dashboard/section";
import { NewKey } from "@/components/facilitator/key-dialogs";
import { KeyTable, PaymentTable } from "@/components/facilitator/tables";
import { SessionOver } from "@/components/site/connection";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { EmptyState } from "@/components/ui/empty-state";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { id } from "@/lib/core/id-text";
import { encodeCursor } from "@/lib/core/page";
import {
  KEYS_MAX,
  PAYMENTS_PER_PAGE,
  REQUESTS_PER_MINUTE,
  SETTLEMENTS_PER_DAY,
  toKeyItem,
  toPaymentItem,
} from "@/lib/facilitator/contract";
import * as keys from "@/lib/facilitator/keys";
import { cursor, href, type SearchParams } from "../query";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Facilitator" };

const query = z.object({ key: id("facilitatorKey").optional().catch(undefined), after: cursor });

const USUAL = { requestsPerMinute: REQUESTS_PER_MINUTE.usual, settlementsPerDay: SETTLEMENTS_PER_DAY.usual };
const LIMITS = { requestsPerMinute: REQUESTS_PER_MINUTE.max, settlementsPerDay: SETTLEMENTS_PER_DAY.max };

export default async function FacilitatorPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const { key, after: pageCursor } = query.parse(await searchParams);
  const { baseUrl, mode } = ctx.config;
  const [allKeys, page] = await Promise.all([
    keys.list(ctx),
    keys.listPayments(ctx, { keyId: key, after: pageCursor, limit: PAYMENTS_PER_PAGE }),
  ]);
  const rows = allKeys.map(toKeyItem);
  const payments = page.rows.map((row) => toPaymentItem(row, baseUrl));
  const isFull = rows.filter(({ revokedAt }) => revokedAt === null).length >= KEYS_MAX;
  const buildHref = (keyId: string | undefined, next?: string) =>
    href("/dashboard/facilitator", { key: keyId, after: next });
  return (
    <>
      <PageHeader
        title="Facilitator"
        description="Let your own server accept x402 payments. It asks us to verify and settle them; the money goes straight to the address that you name there. Free of charge."
        actions={<NewKey usual={USUAL} limits={LIMITS} isFull={isFull} />}
      />
      <Address url={`${baseUrl}/facilitator`} />
      <Section id="keys" title="Keys">
        {rows.length === 0 ? (
          <EmptyState title="No key yet">
            A server shows its key when it verifies or settles a payment. Create one, and give it to the x402 middleware
            of your server together with the address above.
          </EmptyState>
        ) : (
          <KeyTable rows={rows} limits={LIMITS} />
        )}
        {isFull && <Note>These are all {KEYS_MAX} that you can have. Revoke one to create another.</Note>}
      </Section>
      <Section id="payments" title="Settled payments">
        {rows.length > 1 && (
          <FilterLinks
            label="Filter by key"
            options={[
              { label: "All keys", href: buildHref(undefined), isCurrent: key === undefined },
              ...rows.map(({ keyId, name }) => ({ label: name, href: buildHref(keyId), isCurrent: key === keyId })),
            ]}
          />
        )}
        {payments.length === 0 ? (
          <EmptyState title={key === undefined ? "No payment yet" : "No payment with this key"}>
            Payments that your servers settle appear here: who paid whom, how much, and the transaction.
          </EmptyState>
        ) : (
          <PaymentTable rows={payments} isDevnet={mode === "devnet"} />
        )}
        <Pager
          newest={pageCursor && buildHref(key)}
          older={page.next ? buildHref(key, encodeCursor(page.next)) : undefined}
        />
      </Section>
      <KeepFresh isActive={payments.some(({ settlementStatus }) => settlementStatus === "pending")} />
    </>
  );
}

const Address = ({ url }: { url: string }) => (
  <Card aria-label="Address">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="grid min-w-0 gap-0.5">
        <span className="text-small text-ink-2">Address of the facilitator</span>
        <span className="mono [overflow-wrap:anywhere]" dir="ltr">
          {url}
        </span>
      </div>
      <Copy value={url} label="Copy address" />
    </div>
  </Card>
);
