import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

export type PayoutBalance = {
  network: NetworkName;
  /** Null while the chain does not respond, as is `available`. */
  balance: bigint | null;
  available: bigint | null;
  reserved: bigint;
  pending: bigint;
};

/** The balance for payouts on one network. Networks are never added up: one of them has test money. */
export function PayoutBalanceCard({ network, balance, available, reserved, pending }: PayoutBalance) {
  const { label, isTestnet } = NETWORKS[network];
  return (
    <section
      aria-label={`To pay out on ${label}`}
      className="grid min-w-0 content-start gap-1.5 rounded-card border bg-card p-5 sm:p-6"
    >
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2 className="text-small font-normal text-ink-2">Available on {label}</h2>
        {isTestnet && <Badge tone="plain">Test network</Badge>}
      </div>
      {available === null ? (
        <p className="text-mid font-bold text-ink-2">Not available right now</p>
      ) : (
        <p>
          <Amount atomic={available} size={isTestnet ? "mid" : "big"} />
        </p>
      )}
      {balance === null ? (
        <p className="text-small text-ink-2">{label} is not responding. Your money is not affected.</p>
      ) : (
        <p className="text-small text-ink-2">
          of <Amount atomic={balance} /> in your spending wallet
        </p>
      )}
      {(reserved > 0n || pending > 0n) && (
        <Facts className="mt-1.5 text-small">
          <Fact label="Reserved by transfers under way">
            <Amount atomic={reserved} />
          </Fact>
          <Fact label="Signed for by agents, not used yet">
            <Amount atomic={pending} />
          </Fact>
        </Facts>
      )}
    </section>
  );
}
