import type { ReactNode } from "react";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { ExplorerLink } from "@/components/ui/explorer-link";
import { Fact, Facts } from "@/components/ui/facts";
import { Note } from "@/components/ui/note";
import type { MandateView } from "@/lib/mandates/responses";
import type { VaultView } from "./types";
import { VaultTerms } from "./vault-terms";
import { isEmpty, isReturnRead, shownState, uncountedIn, VAULT_STATES } from "./words";

export type VaultCardProps = {
  vault: VaultView;
  status: MandateView["status"];
  limit: bigint;
  /** The amount that the mandate has paid. */
  paid: bigint;
  /** The addresses that it may pay; null: any. */
  payees: readonly string[] | null;
  /** Null on a devnet: no explorer shows its transactions. */
  explorer: string | null;
  /** Shown below the facts: the owner's actions. */
  children?: ReactNode;
};

/** The vault of a mandate, in its last known on-chain state. */
export function VaultCard({ vault, status, limit, paid: paidAmount, payees, explorer, children }: VaultCardProps) {
  const { address, funding, funded, balance, spent, released, release, agentKey, pocket, readAtBlock } = vault;
  const state = shownState(status, vault.state);
  const uncounted = uncountedIn(vault, paidAmount);
  return (
    <Card
      title="Vault"
      aria-label="Vault"
      actions={<VaultBadge state={state} />}
      className="grid gap-4 [&>header]:mb-0"
    >
      <div>
        <p className="text-small text-ink-2">In it now</p>
        <p>
          <Amount atomic={balance} size="mid" />
        </p>
        {uncounted > 0n && (
          <p className="text-small text-ink-2">
            Not counted yet: <Amount atomic={uncounted} />, paid since the vault was read.
          </p>
        )}
      </div>
      <VaultStateNote {...vault} state={state} />
      <Facts>
        <Fact label="Address">
          <span className="inline-grid max-w-full justify-items-end gap-0.5">
            <AddressTag address={address} />
            {explorer !== null && <ExplorerLink explorer={explorer} address={address} />}
            <span className="text-small text-ink-2">Other tokens than USDC sent here are lost.</span>
          </span>
        </Fact>
        <Fact label="Funded">
          <Amount atomic={funded} />
          <span className="block text-small text-ink-2">
            {funding === "now" ? "moved in with your signature" : "drawn from your wallet when payments need it"}
          </span>
        </Fact>
        <Fact label="Released so far">
          <Amount atomic={released} unit={null} /> of <Amount atomic={limit} />
        </Fact>
        {state === "closing" || state === "closed" ? (
          <>
            <Fact label="Paid">
              <Amount atomic={paidAmount} />
            </Fact>
            <Fact label="Returned to you">
              {isReturnRead(vault, paidAmount) || vault.returned > 0n ? (
                <Amount atomic={vault.returned} />
              ) : (
                "not seen yet"
              )}
            </Fact>
          </>
        ) : (
          <Fact label="Spent">
            <Amount atomic={spent} />
            <span className="block text-small text-ink-2">counted by the contract; includes money returned to you</span>
          </Fact>
        )}
        {pocket !== null && (
          <Fact label="On its way through our account">
            <Amount atomic={pocket.balance} />
            <span className="block text-small text-ink-2">
              for a seller that refuses contracts: <AddressTag address={pocket.address} />
            </span>
          </Fact>
        )}
        <VaultTerms release={release} agentKey={agentKey} payees={payees} />
      </Facts>
      <p className="text-small text-ink-2">
        {readAtBlock === null ? "Not read from the chain yet." : `As the chain showed it at block ${readAtBlock}.`}
        {release !== null && " The contract counts total spending: an amount not spent in one period stays released."}
      </p>
      {children}
    </Card>
  );
}

const VaultBadge = ({ state }: Pick<VaultView, "state">) => (
  <Badge tone={VAULT_STATES[state].tone}>{VAULT_STATES[state].label}</Badge>
);

/** What the vault's state means for the money, and why the vault was not opened if it failed. */
function VaultStateNote(vault: Pick<VaultView, "state" | "failure" | "balance" | "pocket">) {
  const { state, failure, balance } = vault;
  const { says } = VAULT_STATES[state];
  switch (state) {
    case "open":
      return null;
    case "opening":
      return <Note tone="info">{says}</Note>;
    case "closing":
      return <Note tone="warn">{says}</Note>;
    case "closed":
      return (
        <Note>
          {says} {isEmpty(vault) ? "It is empty." : "Money sent to it since then goes to your own wallet within a day."}
        </Note>
      );
    case "failed":
      return (
        <Note tone="bad" title="The vault was not opened">
          {failure !== null && `${failure}. `}
          {balance === 0n && "The chain shows no money in it. "}
          {says}
        </Note>
      );
    default:
      return state satisfies never;
  }
}
