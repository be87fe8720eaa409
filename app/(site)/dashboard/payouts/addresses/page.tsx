import type { Metadata } from "next";
import { z } from "zod";
import { SearchBox } from "@/components/links/search-box";
import { AddressTable, NewAddress } from "@/components/payouts/address-book";
import { SessionOver } from "@/components/site/connection";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { toAddressItem } from "@/lib/payouts/address-book/contract";
import * as book from "@/lib/payouts/address-book/service";
import type { SearchParams } from "../../query";
import { ownerContext } from "../../viewer";

export const metadata: Metadata = { title: "Address book" };

const PATH = "/dashboard/payouts/addresses";
const SEARCH_MAX = 100;

const query = z.object({ q: z.string().trim().min(1).max(SEARCH_MAX).optional().catch(undefined) });

export default async function AddressBookPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const { q } = query.parse(await searchParams);
  const entries = (await book.list(ctx)).map(toAddressItem);
  const sought = q?.toLowerCase();
  const matches = entries.filter(
    ({ name, address }) =>
      sought === undefined || name.toLowerCase().includes(sought) || address.toLowerCase().includes(sought),
  );
  return (
    <>
      <PageHeader
        back={{ href: "/dashboard/payouts", label: "Payouts" }}
        title="Address book"
        description="Names replace addresses in payouts and warn you about look-alikes."
        actions={<NewAddress />}
      />
      {entries.length > 0 && (
        <SearchBox
          action={PATH}
          label="Search the address book"
          placeholder="Name or 0x…"
          value={q}
          charactersMax={SEARCH_MAX}
          kept={{}}
        />
      )}
      <p role="status" className="sr-only">
        {matches.length} {matches.length === 1 ? "address" : "addresses"}
      </p>
      {matches.length > 0 ? (
        <AddressTable entries={matches} />
      ) : entries.length > 0 ? (
        <EmptyState title="No results" action={<ButtonLink href={PATH}>Show all</ButtonLink>}>
          No name or address in your book matches{" "}
          <bdi className="font-medium text-ink [overflow-wrap:anywhere]">{q}</bdi>.
        </EmptyState>
      ) : (
        <EmptyState title="No addresses yet">
          Name the addresses that you pay, once you have checked them with their owners.
        </EmptyState>
      )}
    </>
  );
}
