import type { Metadata } from "next";
import { BatchUpload } from "@/components/payouts/batch-upload";
import { SessionOver } from "@/components/site/connection";
import { PageHeader } from "@/components/ui/page-header";
import * as book from "@/lib/payouts/address-book/service";
import { ownerContext } from "../../viewer";
import { namesOf } from "../names";

export const metadata: Metadata = { title: "Pay a file" };

export default async function PayoutBatchPage() {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const [balances, names] = await Promise.all([book.balances(ctx), namesOf(ctx)]);
  return (
    <>
      <PageHeader
        back={{ href: "/dashboard/payouts", label: "Payouts" }}
        title="Pay a file"
        description="Many payouts at once from a spreadsheet. The file is read in your browser; nothing moves before you have seen the total."
      />
      <BatchUpload
        balances={balances.map(({ network, balance, available, reserved, pending }) => ({
          network,
          balance,
          available,
          reserved,
          pending,
        }))}
        names={names}
      />
    </>
  );
}
