import { usdcText } from "@/components/ui/format";
import type { Result } from "@/lib/search/limits";

export type Entry = { key: string; href: string; kind: string; title: string; detail: string };

type Page = { href: string; label: string };

/** Pages whose name contains the text; without a text, all of them. */
export const pageEntries = (pages: readonly Page[], text: string): Entry[] =>
  pages
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ href, label }) => ({ key: `page ${href}`, href, kind: "Page", title: label, detail: "" }));

/** `title` and `detail` are texts of agents and sellers. */
export function resultEntry({ kind, id, title, detail }: Result, index: number): Entry {
  const path = encodeURIComponent(id);
  const key = `${kind} ${id} ${index}`;
  switch (kind) {
    case "agent":
      return { key, kind: "Agent", title, detail, href: `/dashboard/agents#${path}` };
    case "mandate":
      return { key, kind: "Mandate", title, detail: STATES[detail] ?? "", href: `/mandates/${path}` };
    case "link":
      return { key, kind: "Link", title: title || id, detail, href: `/dashboard/links/${path}` };
    case "payment":
      return {
        key,
        kind: "Payment made",
        title,
        detail: usdcText(BigInt(detail)),
        href: `/dashboard/payments/${path}`,
      };
    case "sale":
      return {
        key,
        kind: "Payment received",
        title: title || "Payment",
        detail: usdcText(BigInt(detail)),
        href: `/dashboard/payments/${path}`,
      };
    default:
      return kind satisfies never;
  }
}

const STATES: Record<string, string> = {
  draft: "not signed",
  pending_signature: "waiting for you",
  signed: "signed",
  rejected: "rejected",
  revoked: "revoked",
};
