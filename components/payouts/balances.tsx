import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
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
  const { label } = NETWORKS[network];
  return (
    <section
      aria-label={`To pay out on ${label}`}
      className="grid min-w-0 content-start gap-4 rounded-card border bg-card p-5"
    >
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2 className="text-small font-normal text-ink-2">{label}</h2>
        {NETWORKS[network].isTestnet && <Badge tone="plain">Test network</Badge>}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        <div className="col-span-2">
          <dt className="text-small text-ink-2">Available</dt>
          <dd>
            {available === null ? (
              <span className="font-bold text-ink-2">Not available right now</span>
            ) : (
              <Amount atomic={available} size="mid" />
            )}
          </dd>
        </div>
        <Held label="Reserved" hint="by transfers under way" sum={reserved} />
        <Held label="Pending" hint="signed for by agents, not used yet" sum={pending} />
      </dl>
      <p className="text-small text-ink-2">
        {balance === null ? (
          `${label} is not responding. Your money is not affected.`
        ) : (
          <>
            of <Amount atomic={balance} /> in your spending wallet
          </>
        )}
      </p>
    </section>
  );
}

const Held = ({ label, hint, sum }: { label: string; hint: string; sum: bigint }) => (
  <div>
    <dt className="text-small text-ink-2">{label}</dt>
    <dd className="grid gap-0.5">
      <span className="font-medium">
        <Amount atomic={sum} />
      </span>
      <span className="text-tiny text-ink-2">{hint}</span>
    </dd>
  </div>
);
