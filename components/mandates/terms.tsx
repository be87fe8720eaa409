import { Fragment, type ReactNode } from "react";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { Note } from "@/components/ui/note";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import { PAYOUT_HOST } from "@/lib/core/host";
import { NETWORKS } from "@/lib/x402/networks";
import { AgentTag } from "./agent-tag";
import { PeriodBars } from "./period-bars";
import { confirmsPayees, coversPayouts, hostText, isAnyHost, isPrepared, paysHosts, type ShownMandate } from "./words";

/** Null: the chain does not respond. Undefined: the visitor may not see it. */
export type Balance = bigint | null | undefined;

export type RequestCardProps = {
  mandate: ShownMandate;
  balance?: Balance;
  /** True if the owner has not chosen between vault and spending wallet yet. */
  isPlaceOpen?: boolean | undefined;
};

/** The requested terms, the largest possible loss first. All figures come from our records; the purpose, usually untrusted text of the agent, comes last. */
export function RequestCard({ mandate, balance, isPlaceOpen }: RequestCardProps) {
  return (
    <Card lift aria-label="What it may do">
      <p className="text-small text-ink-2">The most you can lose</p>
      <p>
        <Amount atomic={mandate.limitAmount} size="big" />
      </p>
      <p className="mt-1 text-small text-ink-2">
        in total, until <Time at={mandate.validUntil} className="font-medium text-ink" />
      </p>
      <PeriodBars mandate={mandate} isPlaceOpen={isPlaceOpen} />
      <hr className="my-5" />
      <TermFacts mandate={mandate} balance={balance} isPlaceOpen={isPlaceOpen} />
      <WideRange mandate={mandate} />
      <div className="mt-5">
        <AgentsWords mandate={mandate} />
      </div>
    </Card>
  );
}

/** Warns of a mandate whose agent chooses whom it pays. */
export function WideRange({ mandate }: Pick<RequestCardProps, "mandate">) {
  if (isAnyHost(mandate))
    return (
      <Note tone="bad" className="mt-5" title="It may pay anyone">
        No list of hosts: this agent may pay every site that requests a payment
        {coversPayouts(mandate) && ", and pay out to any address"}, up to the limit.
      </Note>
    );
  if (!coversPayouts(mandate)) return null;
  return (
    <Note tone="bad" className="mt-5" title="It may pay out to any address">
      {paysHosts(mandate)
        ? "In addition to paying the listed hosts, this agent may send your money to any address it chooses, up to the limit."
        : "This agent may send your money to any address it chooses, up to the limit. It may pay no host."}
    </Note>
  );
}

/** The purpose: usually untrusted text of the agent. */
export const AgentsWords = ({ mandate }: Pick<RequestCardProps, "mandate">) => (
  <Quote by={isPrepared(mandate) ? "You prepared it to" : "The agent says"}>{mandate.naturalLanguage}</Quote>
);

export function TermFacts({ mandate, balance, isPlaceOpen = false }: RequestCardProps) {
  return (
    <Facts>
      <Fact label="May pay">
        <Hosts hosts={mandate.hostAllowlist} />
      </Fact>
      <Fact label="Per payment">
        {mandate.maxAmountPerPayment === null ? (
          "any amount within the limit"
        ) : (
          <>
            at most <Amount atomic={mandate.maxAmountPerPayment} />
          </>
        )}
      </Fact>
      {mandate.maxAmountPerDay !== null && (
        <Fact label="Per day (UTC)">
          at most <Amount atomic={mandate.maxAmountPerDay} />
        </Fact>
      )}
      {mandate.maxAmountPerMonth !== null && (
        <Fact label="Per calendar month (UTC)">
          at most <Amount atomic={mandate.maxAmountPerMonth} />
        </Fact>
      )}
      {paysHosts(mandate) && (
        <Fact label="New payees">{confirmsPayees(mandate) ? "confirmed by the host, or by you" : "not confirmed"}</Fact>
      )}
      <Fact label="Pays from">
        {isPlaceOpen ? "a vault or your spending wallet: you choose" : <PaysFrom mandate={mandate} balance={balance} />}
      </Fact>
      <Fact label="Network">{NETWORKS[mandate.network].label}</Fact>
      <Fact label="Agent">
        <AgentTag agentId={mandate.agentId} name={mandate.agentName} />
      </Fact>
      {mandate.category !== null && (
        <Fact label="Category">
          <bdi>{mandate.category}</bdi>
        </Fact>
      )}
    </Facts>
  );
}

function Hosts({ hosts }: { hosts: readonly string[] }) {
  if (hosts.length === 0) return <Badge tone="bad">Any host</Badge>;
  return (
    <ul className="flex flex-wrap justify-end gap-1.5">
      {hosts.map((host) => (
        <li key={host} className="max-w-full">
          <Badge tone={host === PAYOUT_HOST ? "bad" : "plain"}>{hostText(host)}</Badge>
        </li>
      ))}
    </ul>
  );
}

function PaysFrom({ mandate: { vault, walletAddress: wallet }, balance }: { mandate: ShownMandate; balance: Balance }) {
  if (vault !== null)
    return (
      <span className="inline-grid max-w-full justify-items-end gap-0.5">
        <AddressTag address={vault.address} />
        <span className="text-small text-ink-2">its own vault</span>
      </span>
    );
  if (wallet === null) return "your spending wallet, created when you link the agent";
  return (
    <span className="inline-grid max-w-full justify-items-end gap-0.5">
      <AddressTag address={wallet} />
      {balance === null && <span className="text-small text-ink-2">balance not available right now</span>}
      {typeof balance === "bigint" && (
        <span className="text-small text-ink-2">
          holds <Amount atomic={balance} />
        </span>
      )}
    </span>
  );
}

type LimitsProps = Pick<RequestCardProps, "mandate" | "isPlaceOpen"> & { children?: ReactNode };

/** What a mandate cannot do, and how to end it. */
export function Limits({ mandate, isPlaceOpen = false, children }: LimitsProps) {
  const isBound = !isAnyHost(mandate);
  const caps = [
    { name: "on one day", cap: mandate.maxAmountPerDay },
    { name: "in one calendar month (UTC)", cap: mandate.maxAmountPerMonth },
  ].flatMap(({ name, cap }) => (cap === null ? [] : [{ name, cap }]));
  return (
    <Disclosure summary="Details: what it cannot do, and how to stop it">
      {children}
      <h2 className="text-body">What it cannot do</h2>
      <ul className="mt-1.5 list-disc pl-5 text-control text-ink-2">
        <li>
          Spend more than <Amount atomic={mandate.limitAmount} className="text-ink" /> in total, however many payments
          it makes
        </li>
        {caps.length > 0 && (
          <li>
            Spend more than{" "}
            {caps.map(({ name, cap }, index) => (
              <Fragment key={name}>
                {index > 0 && " or "}
                <Amount atomic={cap} className="text-ink" /> {name}
              </Fragment>
            ))}
          </li>
        )}
        {isBound && (
          <li>
            {paysHosts(mandate)
              ? "Pay any host that is not listed here"
              : "Pay a host: this mandate allows payouts only"}
          </li>
        )}
        {!coversPayouts(mandate) && <li>Send a payout that you have not approved</li>}
        <li>
          {isPlaceOpen
            ? "Move other tokens, or more from your own wallet than you sign for"
            : "Move other tokens, or money from your own wallet"}
        </li>
        <li>Widen this mandate: only you can sign another one</li>
      </ul>
      <h2 className="mt-4 text-body">How to stop it</h2>
      <p className="mt-1.5 text-control text-ink-2">
        Pause or revoke it at any time on its page. A payment that the agent received just before may still arrive.
      </p>
    </Disclosure>
  );
}
