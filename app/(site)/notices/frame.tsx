import type { ReactNode } from "react";
import { PublicPage } from "@/components/site/public-page";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { pageContext } from "@/lib/wiring";

/** The page that a link in an email opens. */
export async function MailPage({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  const { config } = await pageContext();
  return (
    <PublicPage devnet={config.mode === "devnet"}>
      <PageHeader title={title} />
      <Card lift className="grid gap-5">
        <p className="text-control text-ink-2">{says}</p>
        {children}
      </Card>
    </PublicPage>
  );
}

export type SearchParams = Promise<{ token?: string | string[] }>;

export async function tokenIn(searchParams: SearchParams): Promise<string> {
  const { token } = await searchParams;
  return typeof token === "string" ? token : "";
}
