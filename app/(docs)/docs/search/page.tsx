import type { Metadata } from "next";
import { Link } from "@/components/ui/link";
import { search } from "@/lib/docs/search";
import { docsSite } from "@/lib/docs/service";
import { system } from "@/lib/wiring";

export const metadata: Metadata = { title: "Search · Docs" };

type Props = { searchParams: Promise<{ q?: string | string[] }> };

export default async function SearchPage({ searchParams }: Props) {
  const { q } = await searchParams;
  const query = typeof q === "string" ? q.trim() : "";
  const hits = search(docsSite(system().config), query);
  return (
    <div className="max-w-200">
      <h1 className="text-mid [overflow-wrap:anywhere]">
        {query === "" ? "Search the documentation" : `Results for “${query}”`}
      </h1>
      <p className="mt-2 text-control text-ink-2">{summaryOf(query, hits.length)}</p>
      <ul className="mt-6 grid gap-1">
        {hits.map(({ href, page, heading, excerpt }) => (
          <li key={href}>
            <Link href={href} className="-mx-3 block rounded-control px-3 py-3 no-underline hover:bg-sunk">
              <span className="block font-medium text-brand">{heading}</span>
              <span className="block text-tiny text-ink-3">{page}</span>
              <span className="mt-1 block text-control text-ink-2 [overflow-wrap:anywhere]">{excerpt}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function summaryOf(query: string, count: number): string {
  if (query === "") return "Enter one or more words, an endpoint or an error code.";
  if (count === 0) return "No page has all of these words. Try fewer words.";
  return count === 1 ? "1 section" : `${count} sections`;
}
