import type { Metadata } from "next";
import { Domains, ProfileForm } from "@/components/sellers/settings";
import { LimitForm, LowBalanceForm } from "@/components/settings/amount-forms";
import { BrowserNotices, NoticeForm } from "@/components/settings/notices";
import { SessionList } from "@/components/settings/session-list";
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
  if (!ctx) return null;
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
      <PageHeader
        title="Settings"
        description="Where you are signed in, what buyers see of you, what your wallet has to sign, and what we write to you about."
      />
      <Card title="Sessions" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          A session ends after seven days without use, and after thirty days in any case. End those that you do not
          know.
        </p>
        <SessionList sessions={rows.map(toSessionItem)} />
      </Card>
      <Card id="profile" title="Seller profile" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          Buyers see it on the checkouts of your links and on receipts, with the domain that you have verified. We
          verify the domain, not the name.
        </p>
        <ProfileForm profile={toProfileView(profile, ctx.config.baseUrl)} />
      </Card>
      <Card id="domains" title="Domains" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          Prove that a domain is yours, and your payment links can send payers back to it. Your checkouts then name it.
          We look for the proof again every day.
        </p>
        <Domains domains={domains.map(toDomainItem)} />
      </Card>
      <Card title="Approval limit" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          A payout or payment that you approve needs a signature of your wallet once those of the last 24 hours add up
          to more. So does any payout to an address that is not in your address book. A higher limit needs a signature
          too; a lower one is saved at once.
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
          Payouts to addresses in it need no signature while a day’s total stays below your approval limit.
        </p>
      </Card>
      <Card title="Low balance" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          When a payment leaves less than this in your spending wallet or in a vault, and less than a mandate may still
          spend, we notify you once: by mail or in your browser, as you choose below, and by webhooks. With 0 we never
          notify you.
        </p>
        <LowBalanceForm threshold={threshold} />
      </Card>
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
      <Card id="notifications" title="Notifications" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          Your browser can notify you, even while these pages are closed. Notifications pass encrypted through the push
          service of your browser. Signing out ends them.
        </p>
        <BrowserNotices settings={browserNotices} />
      </Card>
    </>
  );
}
