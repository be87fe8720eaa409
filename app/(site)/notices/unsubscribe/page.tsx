import type { Metadata } from "next";
import { MailLink } from "@/components/settings/mail-link";
import { MailPage, type SearchParams, tokenIn } from "../frame";

export const metadata: Metadata = {
  title: "Unsubscribe from all e-mail",
  robots: { index: false },
  referrer: "no-referrer",
};

export default async function UnsubscribePage({ searchParams }: { searchParams: SearchParams }) {
  const token = encodeURIComponent(await tokenIn(searchParams));
  return (
    <MailPage
      title="Unsubscribe from all e-mail"
      says="Stops all e-mail from us. You can turn it on again in the settings."
    >
      <MailLink
        verb="End all mail"
        done="You will get no more e-mail from us. You can close this page."
        path={`/api/notices/unsubscribe?token=${token}`}
      />
    </MailPage>
  );
}
