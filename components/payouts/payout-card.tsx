import type { ReactNode } from "react";
import { AgentTag } from "@/components/mandates/agent-tag";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import type { PayoutItem } from "@/lib/payouts/responses";
import type { KnownAddress } from "@/lib/payouts/rules";
import { labelWithNote } from "@/lib/x402/networks";
import { Lookalike } from "./lookalike";
import { Payee } from "./payee";
import { shareText } from "./words";

/** For the owner only, before the decision. Balances are null while the chain does not respond. */
export type Weighed = {
  wallet: string;
  balance: bigint | null;
  /** Reserved for pending transfers. */
  reserved: bigint;
  /** Signed for agents and not presented yet. */
  pending: bigint;
  legs: readonly WeighedLeg[];
};

export type WeighedLeg = {
  index: number;
  isFirst: boolean;
  looksLike: KnownAddress | null;
  /** True if it is the address with which the owner signs in. */
  isOwn: boolean;
};

export type PayoutCardProps = {
  payout: PayoutItem;
  isDevnet: boolean;
  /** The owner's names by address. */
  names: ReadonlyMap<string, string>;
  weighed?: Weighed | undefined;
};

/** The payout in full. All figures come from our records; the requester's untrusted text comes last. */
export function PayoutCard({ payout, isDevnet, names, weighed }: PayoutCardProps) {
  const isOpen = payout.status === "pending_authorization";
  return (
    <Card lift aria-label="Payout">
      <PayoutSum amount={payout.amount} legs={payout.legs} />
      <hr className="my-5" />
      <Legs payout={payout} names={names} weighed={weighed} />
      <hr className="my-5" />
      <Facts>
        {weighed && <WalletFacts payout={payout} weighed={weighed} />}
        <Fact label="Network">{labelWithNote(payout.network, isDevnet)}</Fact>
        <MakerFacts payout={payout} />
        {isOpen && (
          <Fact label="Approve until">
            <Time at={new Date(payout.expiresAt * 1000)} />
          </Fact>
        )}
      </Facts>
      <Purpose payout={payout} />
    </Card>
  );
}

export const PayoutSum = ({ amount, legs }: { amount: bigint; legs: readonly unknown[] }) => (
  <>
    <p className="text-small text-ink-2">{legs.length === 1 ? "One payout of" : `To ${legs.length} recipients`}</p>
    <p>
      <Amount atomic={amount} size="big" />
    </p>
  </>
);

/** The requesting agent, and the payout's reference. */
export const MakerFacts = ({ payout: { agentId, agentName, bizId } }: { payout: PayoutItem }) => (
  <>
    {agentId !== null && (
      <Fact label="Agent">
        <AgentTag agentId={agentId} name={agentName ?? "a deleted agent"} />
      </Fact>
    )}
    {bizId !== null && (
      <Fact label={agentId === null ? "Your reference" : "Its reference"}>
        <bdi>{bizId}</bdi>
      </Fact>
    )}
  </>
);

/** The description by the person or agent that created it. */
export const Purpose = ({ payout: { agentId, description } }: { payout: PayoutItem }) =>
  description !== "" && (
    <Quote by={agentId === null ? "Your note" : "The agent says"} className="mt-5">
      {description}
    </Quote>
  );

function Legs({ payout: { legs }, names, weighed }: Pick<PayoutCardProps, "payout" | "names" | "weighed">) {
  return (
    <ol aria-label="Recipients" className="grid gap-4">
      {legs.map((leg) => (
        <LegLine
          key={leg.index}
          address={leg.toAddress}
          name={names.get(leg.toAddress)}
          amount={legs.length === 1 ? null : leg.amount}
          shareBps={leg.shareBps}
          known={weighed?.legs.find(({ index }) => index === leg.index)}
        />
      ))}
    </ol>
  );
}

export type LegLineProps = {
  address: string;
  name: string | undefined;
  /** Null with one recipient, whose amount is shown above. */
  amount: bigint | null;
  shareBps: number | null;
  known?: Omit<WeighedLeg, "index"> | undefined;
  children?: ReactNode;
};

/** One recipient: the full address, the amount, and warnings. */
export function LegLine({ address, name, amount, shareBps, known: weighedLeg, children }: LegLineProps) {
  return (
    <li className="grid gap-2.5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1.5">
        <Payee address={address} name={name}>
          {weighedLeg?.isOwn && <Badge tone="plain">You sign in with this address</Badge>}
          {weighedLeg?.isFirst && <Badge tone="warn">First payment to this address</Badge>}
          {children}
        </Payee>
        {amount !== null && (
          <p className="ml-10 grid min-w-0 content-start">
            <Amount atomic={amount} wraps className="font-medium" />
            {shareBps !== null && <span className="text-small text-ink-2">{shareText(shareBps)}</span>}
          </p>
        )}
      </div>
      {weighedLeg?.looksLike && <Lookalike address={address} known={weighedLeg.looksLike} />}
    </li>
  );
}

function WalletFacts({ payout, weighed }: { payout: PayoutItem; weighed: Weighed }) {
  const { wallet, balance, reserved, pending } = weighed;
  const remainingBalance = balance === null ? null : balance - reserved - payout.amount;
  return (
    <>
      <Fact label="From your wallet">
        <span className="inline-grid max-w-full justify-items-end gap-0.5">
          <AddressTag address={wallet} noun="wallet address" />
          <span className="text-small text-ink-2">
            {balance === null ? (
              "balance not available right now"
            ) : (
              <>
                holds <Amount atomic={balance} />
              </>
            )}
          </span>
        </span>
      </Fact>
      {reserved > 0n && (
        <Fact label="Already under way">
          <Amount atomic={reserved} />
        </Fact>
      )}
      {remainingBalance !== null && remainingBalance >= 0n && (
        <Fact label="Left after this">
          <Amount atomic={remainingBalance} />
        </Fact>
      )}
      {pending > 0n && (
        <Fact label="Signed agent payments">
          <Amount atomic={pending} /> <span className="text-small text-ink-2">of what is left</span>
        </Fact>
      )}
    </>
  );
}
