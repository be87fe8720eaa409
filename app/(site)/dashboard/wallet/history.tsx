import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { isOpen, madeRow, settlementRow } from "@/components/payments/money-row";
import { MoneyTable } from "@/components/payments/money-table";
import { EmptyState } from "@/components/ui/empty-state";
import { toPaymentView } from "@/lib/payments/responses";
import { type Movement, walletHistory } from "@/lib/payments/service";
import { toSettlementView } from "@/lib/settlements/contract";
import { DEFAULT_NETWORK, type NetworkName } from "@/lib/x402/networks";
import { type Paging, pagerOf } from "../paging";
import { href } from "../query";
import type { ownerContext } from "../viewer";

type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;
type HistoryProps = { ctx: Viewer; before: Date | undefined; paging: Paging; network: NetworkName };

export async function History({ ctx, before: cutoff, paging, network }: HistoryProps) {
  const page = await walletHistory(ctx, { before: cutoff, limit: paging.size });
  const rows = page.rows.map((movement) => rowOf(movement, ctx.config.baseUrl));
  return (
    <section aria-labelledby="history" className="grid gap-3">
      <h2 id="history" className="text-body">
        History
      </h2>
      {rows.length === 0 ? (
        <EmptyState title="Nothing has moved yet">
          Deposits, withdrawals and payments appear here with their receipts. Direct transfers change the balance but
          aren’t listed.
        </EmptyState>
      ) : (
        <MoneyTable
          caption="Deposits, withdrawals and payments, newest first"
          rows={rows}
          isDevnet={ctx.config.mode === "devnet"}
        />
      )}
      <Pager
        {...pagerOf(
          paging,
          {
            cursor: cutoff && String(cutoff.getTime()),
            next: page.next && String(page.next.getTime()),
            shown: rows.length,
          },
          ({ cursor, ...pageParams }) =>
            href("/dashboard/wallet", {
              network: network === DEFAULT_NETWORK ? undefined : network,
              before: cursor,
              ...pageParams,
            }),
        )}
      />
      <KeepFresh isActive={rows.some(isOpen)} />
    </section>
  );
}

function rowOf(movement: Movement, baseUrl: string) {
  return movement.kind === "payment"
    ? madeRow(toPaymentView(movement.row.payment), movement.row, movement.isFromVault)
    : settlementRow(toSettlementView(movement.settlement, baseUrl), movement.kind);
}
