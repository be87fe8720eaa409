import type { Metadata } from "next";
import { MailLink } from "@/components/settings/mail-link";
import { MailPage, type SearchParams, tokenIn } from "../frame";

export const metadata: Metadata = { title: "Confirm your address", robots: { index: false }, referrer: "no-referrer" };

export default async function ConfirmPage({ searchParams }: { searchParams: SearchParams }) {
  return (
    <MailPage title="Confirm your address" says="After you confirm, we send the notices you chose to this address.">
      <MailLink
        verb="Confirm the address"
        done="Confirmed. You can close this page."
        path="/api/notices/confirm"
        body={{ token: await tokenIn(searchParams) }}
      />
    </MailPage>
  );
}
