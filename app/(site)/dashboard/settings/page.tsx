import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Domains, ProfileForm } from "@/components/sellers/settings";
import { LimitForm, LowBalanceForm } from "@/components/settings/amount-forms";
import { BrowserNotices, NoticeForm } from "@/components/settings/notices";
import { SessionList } from "@/components/settings/session-list";
import { SessionOver } from "@/components/site/connection";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { approvalLimit } from "@/lib/confirmations/service";
import { lowBalance } from "@/lib/mandates/funds/service";
import * as browsers from "@/lib/notices/browsers/service";
import * as notices from "@/lib/notices/service";
import { toSessionItem } from "@/lib/owners/contract";
import * as sessions from "@/lib/owners/sessions";
import * as book from "@/lib/payouts/address-book/service";
import { toDomainItem } from "@/lib/sellers/contract";
import { toProfileView } from "@/lib/sellers/profile/contract";
import { getProfile } from "@/lib/sellers/profile/service";
import { listDomains } from "@/lib/sellers/service";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const [rows, limit, domains, profile, mail, browserNotices, threshold, addresses] = await Promise.all([
    sessions.list(ctx),
    approvalLimit(ctx),
    listDomains(ctx),
    getProfile(ctx),
    notices.get(ctx),
    browsers.list(ctx),
    lowBalance(ctx),
    book.count(ctx),
  ]);
  return (
    <>
      <PageHeader title="Settings" />
      <Group id="selling" title="What buyers see">
        <Card id="profile" title="Seller profile" className="grid gap-4 [&>header]:mb-0">
          <p className="measure text-small text-ink-2">
            Shown on your checkouts and receipts, with your verified domain. We verify the domain, not the name.
          </p>
          <ProfileForm profile={toProfileView(profile, ctx.config.baseUrl)} />
        </Card>
        <Card id="domains" title="Domains" className="grid gap-4 [&>header]:mb-0">
          <p className="measure text-small text-ink-2">
            Checkouts name your domain, and links can send buyers back to it. We check the proof every day.
          </p>
          <Domains domains={domains.map(toDomainItem)} />
        </Card>
      </Group>
      <Group id="money" title="Money">
        <Card title="Approval limit" className="grid gap-4 [&>header]:mb-0">
          <p className="measure text-small text-ink-2">
            We ask for your wallet’s signature above this amount in 24 hours, for new addresses, and to raise the limit.
          </p>
          <LimitForm limit={limit} />
        </Card>
        <Card
          title="Address book"
          actions={
            <ButtonLink size="small" href="/dashboard/payouts/addresses">
              Open the address book
            </ButtonLink>
          }
          className="grid gap-4 [&>header]:mb-0"
        >
          <p className="measure text-small text-ink-2">
            {addresses === 0
              ? "Your address book is empty."
              : addresses === 1
                ? "Your address book has 1 address."
                : `Your address book has ${addresses} addresses.`}{" "}
            Payouts to its addresses need no signature below your approval limit.
          </p>
        </Card>
        <Card title="Low balance" className="grid gap-4 [&>header]:mb-0">
          <p className="measure text-small text-ink-2">
            We notify you once when a payment leaves less than this, and less than a mandate may still spend. 0 turns it
            off.
          </p>
          <LowBalanceForm threshold={threshold} />
        </Card>
      </Group>
      <Group id="notices" title="Notifications">
        <Card title="Mail" className="grid gap-4 [&>header]:mb-0">
          {mail.isAvailable ? (
            <NoticeForm settings={mail} />
          ) : (
            <p className="measure text-small text-ink-2">
              The operator of this service has not set up mail, so it cannot write to you. Webhooks and these pages show
              the same.
            </p>
          )}
        </Card>
        <Card id="notifications" title="Browser" className="grid gap-4 [&>header]:mb-0">
          <p className="measure text-small text-ink-2">
            Your browser can notify you, even while these pages are closed. Notifications pass encrypted through the
            push service of your browser. Signing out ends them.
          </p>
          <BrowserNotices settings={browserNotices} />
        </Card>
      </Group>
      <Group id="security" title="Security">
        <Card title="Sessions" className="grid gap-4 [&>header]:mb-0">
          <p className="measure text-small text-ink-2">
            A session ends after seven days without use, and after thirty days at the latest.
          </p>
          <SessionList sessions={rows.map(toSessionItem)} />
        </Card>
      </Group>
    </>
  );
}

type GroupProps = { id: string; title: string; children: ReactNode };

/** Settings that belong together, with their title beside them on wide screens. */
const Group = ({ id, title, children }: GroupProps) => (
  <section
    aria-labelledby={`${id}-group`}
    className="grid gap-x-8 gap-y-3 border-t pt-5 first-of-type:border-t-0 first-of-type:pt-0 lg:grid-cols-[11rem_minmax(0,1fr)]"
  >
    <h2 id={`${id}-group`} className="text-body text-ink-2">
      {title}
    </h2>
    <div className="grid min-w-0 gap-3">{children}</div>
  </section>
);
