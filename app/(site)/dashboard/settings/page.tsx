import type { Metadata } from "next";
import { LimitForm } from "@/components/settings/limit-form";
import { NoticeForm } from "@/components/settings/notice-form";
import { SessionList } from "@/components/settings/session-list";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { approvalLimit } from "@/lib/confirmations/service";
import * as notices from "@/lib/notices/service";
import { toSessionItem } from "@/lib/owners/contract";
import * as sessions from "@/lib/owners/sessions";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const [rows, limit, mail] = await Promise.all([sessions.list(ctx), approvalLimit(ctx), notices.get(ctx)]);
  return (
    <>
      <PageHeader
        title="Settings"
        description="Where you are signed in, and what your wallet has to sign and what we write to you about."
      />
      <Card title="Sessions" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          A session ends after seven days without use, and after thirty days in any case. End those that you do not
          know.
        </p>
        <SessionList sessions={rows.map(toSessionItem)} />
      </Card>
      <Card title="Approval limit" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          A larger payout takes a signature of your wallet. So does a payment that you approve once those of the last 24
          hours come to more, and any payout to an address that is not in your address book. Your wallet signs a higher
          limit too; a lower one is saved at once.
        </p>
        <LimitForm limit={limit} />
      </Card>
      <Card title="Mail" className="grid gap-4 [&>header]:mb-0">
        {mail.isAvailable ? (
          <NoticeForm settings={mail} />
        ) : (
          <p className="measure text-small text-ink-2">
            The operator of this service has not set up mail, so it cannot write to you. Webhooks and these pages tell
            you the same.
          </p>
        )}
      </Card>
    </>
  );
}
