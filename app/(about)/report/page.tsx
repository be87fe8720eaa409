import type { Metadata } from "next";
import { z } from "zod";
import { ReportForm } from "@/components/about/report-form";
import { Part, TextPage } from "@/components/about/text-page";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { Address } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { LISTS_PATH } from "@/lib/screening/contract";
import { listOf } from "@/lib/screening/service";
import { system } from "@/lib/wiring";

export const metadata: Metadata = { title: "Report a mistake", robots: "noindex" };

const query = z.object({ address: addressText.optional().catch(undefined) });

export default async function ReportPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const { address } = query.parse(await searchParams);
  return (
    <TextPage
      title="Report a mistake"
      description="The operator of this service neither pays addresses on its lists nor takes payments from them."
    >
      {address === undefined ? (
        <Note>Open this page with the link in the message that refused the payment.</Note>
      ) : (
        <Report address={address} list={await readList(address)} />
      )}
    </TextPage>
  );
}

/** The operator's list that has the address. "unread": the lists were not read yet since the service started. */
const readList = (address: Address): Promise<ListReading> =>
  listOf(system(), address).then(
    (name) => (name === null ? { type: "none" } : { type: "listed", name }),
    () => ({ type: "unread" }),
  );

type ListReading = { type: "listed"; name: string } | { type: "none" } | { type: "unread" };

const Report = ({ address, list }: { address: Address; list: ListReading }) => (
  <Part title="The address">
    <p className="mono [overflow-wrap:anywhere]">{address}</p>
    <ListSaid address={address} list={list} />
  </Part>
);

function ListSaid({ address, list }: { address: Address; list: ListReading }) {
  switch (list.type) {
    case "listed":
      return (
        <>
          <p>
            It is on the operator’s list “<bdi>{list.name}</bdi>”. The operator reads your report and decides. Until
            then nothing is paid.
          </p>
          <ReportForm address={address} />
        </>
      );
    case "none":
      return (
        <p>
          It is on no list of the operator. If a payment of your agents to it was refused, your own list did that:{" "}
          <Link href={LISTS_PATH}>Whom your agents pay</Link>.
        </p>
      );
    case "unread":
      return <p>The operator’s lists cannot be read right now. Try again in a minute.</p>;
    default:
      return list satisfies never;
  }
}
