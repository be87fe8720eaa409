import type { Metadata } from "next";
import { exampleOf } from "@/components/firewall/gallery";
import { Playground } from "@/components/firewall/playground";
import { isScanner } from "@/components/firewall/scanners";
import { PageHeader } from "@/components/ui/page-header";
import { pageContext } from "@/lib/wiring";
import { LeftOut } from "./left-out";
import { offersFrom } from "./offers";
import { preparedReports } from "./prepared";

export const metadata: Metadata = { title: "Firewall playground" };

type FirewallPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function FirewallPage({ searchParams }: FirewallPageProps) {
  const [ctx, query] = await Promise.all([pageContext(), searchParams]);
  const tab = isScanner(query.tab) ? query.tab : "transaction";
  const findExampleId = (id: unknown) => (typeof id === "string" ? (exampleOf(tab, id)?.id ?? null) : null);
  const picked = { example: findExampleId(query.example), other: findExampleId(query.with) };
  return (
    <>
      <PageHeader
        title="Firewall playground"
        description="Three scanners for what an agent is about to sign, to pay or to read. Here they run in your browser, free of charge. Nothing leaves this page."
      />
      <Playground
        offers={offersFrom(ctx)}
        baseUrl={ctx.config.baseUrl}
        tab={tab}
        picked={picked}
        prepared={preparedReports(tab, [picked.example, picked.other])}
      />
      <LeftOut />
    </>
  );
}
