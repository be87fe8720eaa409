import "./docs.css";
import type { ReactNode } from "react";
import { DocsShell } from "@/components/docs/docs-shell";
import { docsSite } from "@/lib/docs/service";
import { groupsOf } from "@/lib/docs/site";
import { system } from "@/lib/wiring";

export const dynamic = "force-dynamic";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const { baseUrl, mode } = system().config;
  const groups = groupsOf(docsSite(baseUrl).pages).map(({ title, pages }) => ({
    title,
    links: pages.map(({ path, label }) => ({ href: path, label })),
  }));
  return (
    <DocsShell groups={groups} devnet={mode === "devnet"}>
      {children}
    </DocsShell>
  );
}
