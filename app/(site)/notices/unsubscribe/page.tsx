import type { Metadata } from "next";
import { MailLink } from "@/components/settings/mail-link";
import { MailPage, type SearchParams, tokenIn } from "../frame";

export const metadata: Metadata = { title: "No more mail", robots: { index: false }, referrer: "no-referrer" };

export default async function UnsubscribePage({ searchParams }: { searchParams: SearchParams }) {
  const token = encodeURIComponent(await tokenIn(searchParams));
  return (
    <MailPage title="No more mail" says="Ends every kind of mail. You can choose kinds again on the settings page.">
      <MailLink
        verb="End all mail"
        done="You get no more mail from us. You can close this page."
        path={`/api/notices/unsubscribe?token=${token}`}
      />
    </MailPage>
  );
}
