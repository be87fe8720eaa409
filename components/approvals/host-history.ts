import type { HostHistory } from "@/lib/purchases/hosts/contract";

const timesOf = (count: number) => (count === 1 ? "once" : `${count} times`);

/** What became of the owner's payments for a host, in one line. Facts only. */
export function historyLine({ paid, delivered, refused, unseen, priceAsListed, addressesPaid }: HostHistory): string {
  if (paid === 0) return refused === 0 ? "First payment to this host" : `Never paid. It refused ${timesOf(refused)}`;
  const facts = [
    delivered > 0 && `${delivered} delivered`,
    refused > 0 && `${refused} refused`,
    unseen > 0 && (unseen === paid ? "delivery unknown" : `${unseen} unknown`),
    priceAsListed < paid && `${paid - priceAsListed} at another price than the first`,
    addressesPaid > 1 && `${addressesPaid} addresses`,
  ];
  return `Paid ${timesOf(paid)}: ${facts.filter((fact) => fact !== false).join(", ")}`;
}
