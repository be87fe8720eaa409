import { vaultsText } from "@/components/mandates/vaults/words";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { WalletItem } from "@/lib/wallets/contract";
import { NETWORKS } from "@/lib/x402/networks";

export type BalanceProps = {
  wallet: WalletItem;
  /** The owner's vaults on this network, with their balance when last read. */
  vaults: { count: number; balance: bigint };
};

/** The owner's money on one network, in the spending wallet and in vaults. Shows a note while the chain does not respond. */
export function Balance({ wallet, vaults }: BalanceProps) {
  const { balance, label } = wallet;
  const { isTestnet } = NETWORKS[wallet.network];
  return (
    <section
      aria-label={`Balance on ${label}`}
      className="grid min-w-0 content-start gap-1.5 rounded-card border bg-card p-5 sm:p-6"
    >
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2 className="text-small font-normal text-ink-2">{label}</h2>
        {isTestnet && <Badge tone="plain">Test network</Badge>}
      </div>
      {balance === null ? (
        <div className="grid gap-0.5">
          <p className="text-mid font-bold text-ink-2">Not available right now</p>
          <p className="text-small text-ink-2">
            {label} does not answer. Your money is where it was; payments wait until it answers again.
          </p>
        </div>
      ) : (
        <p>
          <Amount atomic={balance + vaults.balance} size={isTestnet ? "mid" : "big"} />
        </p>
      )}
      {vaults.count > 0 && (
        <Facts className="my-1.5 text-small">
          {balance !== null && (
            <Fact label="In your spending wallet">
              <Amount atomic={balance} />
            </Fact>
          )}
          <Fact label={`In ${vaultsText(vaults.count)}`}>
            <Amount atomic={vaults.balance} />
          </Fact>
        </Facts>
      )}
      <p className="mt-1 text-small">
        {vaults.count > 0 && <span className="mb-0.5 block text-ink-2">Spending wallet</span>}
        <AddressTag address={wallet.address} tileSize={20} />
      </p>
      {vaults.count > 0 && (
        <p className="text-small">
          <Link href="/dashboard/mandates" className="underline underline-offset-4">
            See the vaults with their mandates
          </Link>
        </p>
      )}
    </section>
  );
}

export function BalanceSkeleton() {
  return (
    <div className="grid gap-3 rounded-card border bg-card p-5 sm:p-6">
      <Skeleton className="h-3.5 w-24" />
      <Skeleton className="h-9 w-40" />
      <Skeleton className="h-3.5 w-32" />
    </div>
  );
}
