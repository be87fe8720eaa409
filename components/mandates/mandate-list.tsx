import { type Chosen, opens } from "@/components/dashboard/opens";
import { Amount } from "@/components/ui/amount";
import { BudgetBar } from "@/components/ui/budget-bar";
import { ButtonLink } from "@/components/ui/button-link";
import { Link } from "@/components/ui/link";
import { Tile } from "@/components/ui/tile";
import { Time } from "@/components/ui/time";
import { NETWORKS } from "@/lib/x402/networks";
import type { AgentMandate } from "./mandate-watch";
import { MandateStatus } from "./status";
import { hostText, isPrepared } from "./words";

export type MandateListProps = {
  /** `why`: an optional line that explains why the mandate is shown. */
  mandates: readonly { mandate: AgentMandate; why?: string | undefined }[];
  label: string;
  panes?: Chosen | undefined;
};

export function MandateList({ mandates, label, panes }: MandateListProps) {
  return (
    <ul aria-label={label} className="grid divide-y rounded-card border bg-card">
      {mandates.map(({ mandate, why: reason }) => (
        <li
          key={mandate.mandateId}
          data-row={mandate.mandateId}
          className="grid gap-3 px-4 py-4.5 first:rounded-t-card last:rounded-b-card has-aria-[current=true]:bg-sunk sm:px-5"
        >
          <Row mandate={mandate} why={reason} panes={panes} />
        </li>
      ))}
    </ul>
  );
}

type RowProps = { mandate: AgentMandate; why: string | undefined; panes: Chosen | undefined };

function Row({ mandate: m, why: reason, panes }: RowProps) {
  const isWaiting = m.status === "pending_signature";
  const href = `/mandates/${m.mandateId}`;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-[1_1_13rem] items-start gap-3">
          <Tile seed={m.agentId} size={34} />
          <div className="min-w-0">
            <p className="font-medium">
              <Link href={href} {...opens(href, panes)} className="underline-offset-4 hover:underline">
                Up to <Amount atomic={m.limitAmount} /> for{" "}
                <bdi className="[overflow-wrap:anywhere]">{m.agentName}</bdi>
              </Link>
            </p>
            <p dir="auto" className="mt-0.5 line-clamp-2 text-small text-ink-2 [overflow-wrap:anywhere]">
              {isPrepared(m) ? (
                <>You prepared it to: {m.naturalLanguage}</>
              ) : (
                <>
                  <span className="sr-only">The agent says: </span>
                  <q>{m.naturalLanguage}</q>
                </>
              )}
            </p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2.5">
          <MandateStatus mandate={m} />
          {isWaiting && (
            <ButtonLink href={`/authorize/mandate/${m.mandateId}`} variant="primary" size="small">
              Review
            </ButtonLink>
          )}
        </div>
      </div>
      {m.signedAt !== null && isLiving(m) && (
        <BudgetBar spent={m.spentAmount} pending={m.pendingSpentAmount} limit={m.limitAmount} />
      )}
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-small text-ink-2">
        {m.signedAt !== null && !isLiving(m) && (
          <span>
            <Amount atomic={m.spentAmount} unit={null} /> of <Amount atomic={m.limitAmount} /> spent
          </span>
        )}
        <When mandate={m} />
        <span className="[overflow-wrap:anywhere]">{hostsText(m.hostAllowlist)}</span>
        {m.maxAmountPerPayment !== null && (
          <span>
            <Amount atomic={m.maxAmountPerPayment} /> a payment
          </span>
        )}
        {m.maxAmountPerDay !== null && (
          <span>
            <Amount atomic={m.maxAmountPerDay} /> a day
          </span>
        )}
        {m.maxAmountPerMonth !== null && (
          <span>
            <Amount atomic={m.maxAmountPerMonth} /> a month
          </span>
        )}
        {m.signedAt !== null && <span>{m.mode === "vault" ? "Vault" : "Spending wallet"}</span>}
        {NETWORKS[m.network].isTestnet && <span>{NETWORKS[m.network].label}</span>}
        {reason !== undefined && <span className="font-medium text-warn">{reason}</span>}
      </p>
    </>
  );
}

const SHOWN_HOSTS = 2;

/** The first hosts of a list, and how many more there are. */
function hostsText(hosts: readonly string[]): string {
  if (hosts.length === 0) return "Any host";
  const firstHosts = hosts.slice(0, SHOWN_HOSTS).map(hostText).join(", ");
  return hosts.length > SHOWN_HOSTS ? `${firstHosts} and ${hosts.length - SHOWN_HOSTS} more` : firstHosts;
}

const isLiving = (m: AgentMandate) => m.status === "signed" || m.status === "exhausted";

/** The relevant time of a mandate: when it was requested or ended, or until when it is valid. */
function When({ mandate }: { mandate: AgentMandate }) {
  const [label, time] = momentOf(mandate);
  return (
    <span>
      {label} <Time at={time} form="short" />
    </span>
  );
}

function momentOf(m: AgentMandate): [word: string, at: Date] {
  switch (m.status) {
    case "draft":
    case "pending_signature":
      return [isPrepared(m) ? "Prepared" : "Requested", m.createdAt];
    case "rejected":
      return ["Rejected", m.updatedAt];
    case "revoked":
      return ["Revoked", m.updatedAt];
    case "expired":
      return m.signedAt === null ? [isPrepared(m) ? "Prepared" : "Requested", m.createdAt] : ["Ended", m.validUntil];
    case "signed":
    case "exhausted":
      return ["Until", m.validUntil];
    default:
      return m.status satisfies never;
  }
}
