import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import type { WalletItem } from "@/lib/wallets/contract";

/** The balance on one network, or that its chain does not respond. */
export function Balance({ wallet }: { wallet: WalletItem }) {
  return (
    <section
      aria-label={`Balance on ${wallet.label}`}
      className="grid min-w-0 content-start gap-1.5 rounded-card border bg-card p-5 sm:p-6"
    >
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2 className="text-small font-normal text-ink-2">{wallet.label}</h2>
        {wallet.network === "base-sepolia" && <Badge tone="plain">Test network</Badge>}
      </div>
      {wallet.balance === null ? (
        <div className="grid gap-0.5">
          <p className="text-mid font-bold text-ink-2">Not known just now</p>
          <p className="text-small text-ink-2">
            {wallet.label} does not answer. Your money is where it was; payments wait until it answers again.
          </p>
        </div>
      ) : (
        <p>
          <Amount atomic={wallet.balance} size={wallet.network === "base" ? "big" : "mid"} />
        </p>
      )}
      <p className="mt-1 text-small">
        <AddressTag address={wallet.address} tileSize={20} />
      </p>
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
