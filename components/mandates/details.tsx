import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { BudgetBar } from "@/components/ui/budget-bar";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import { PeriodBars } from "./period-bars";
import { type Balance, TermFacts } from "./terms";
import { isReturnRead, uncountedIn } from "./vaults/words";
import { isPrepared, type ShownMandate } from "./words";

/** The amount left to spend; after the end, the amount spent. */
export function Budget({ mandate }: { mandate: ShownMandate }) {
  const { limitAmount, spentAmount, pendingSpentAmount, remainingAmount, status, isEnabled } = mandate;
  const isLive = status === "signed";
  const label = isEnabled ? "It can still spend" : "Paused. Left to spend";
  return (
    <Card lift aria-label="Budget">
      <p className="text-small text-ink-2">{isLive ? label : "Paid"}</p>
      <p>
        <Amount atomic={isLive ? remainingAmount : spentAmount} size="big" />
      </p>
      <p className="mt-1 mb-4 text-small text-ink-2">
        of <Amount atomic={limitAmount} />
        {!isLive && <Returned mandate={mandate} />}
        <Ending mandate={mandate} />
      </p>
      <BudgetBar spent={spentAmount} pending={pendingSpentAmount} limit={limitAmount} words={isLive ? "full" : "bar"} />
      {isLive && <VaultShortage mandate={mandate} />}
      {isLive && <PeriodBars mandate={mandate} />}
      {pendingSpentAmount > 0n && (
        <p className="mt-2 text-small text-ink-2">
          Pending payments are signed but not paid yet. Unused ones return to the budget when their proofs expire.
        </p>
      )}
    </Card>
  );
}

/** The amount that the vault of an ended mandate has sent back. */
function Returned({ mandate: { vault, spentAmount } }: { mandate: ShownMandate }) {
  if (!vault || (vault.returned === 0n && !isReturnRead(vault, spentAmount))) return null;
  return (
    <>
      {" "}
      · returned to you <Amount atomic={vault.returned} className="font-medium text-ink" />
    </>
  );
}

/** Shown if the vault can pay less than the mandate's remaining budget. The vault counts money taken out by its owner as spent. */
export function VaultShortage({ mandate: { vault, ...mandate } }: { mandate: ShownMandate }) {
  if (vault?.state !== "open") return null;
  const isDrawn = vault.funding === "permit";
  const read = isDrawn ? mandate.limitAmount - vault.spent : vault.balance;
  const payable = read - uncountedIn(vault, mandate.spentAmount);
  if (payable < 0n || payable >= mandate.remainingAmount) return null;
  return (
    <p className="mt-2 text-small text-ink-2">
      <Amount atomic={payable} className="font-medium text-ink" />{" "}
      {isDrawn ? "of it can be paid: the vault counts what you took out as spent." : "of it is in the vault."} Payments
      beyond that are refused.
    </p>
  );
}

function Ending({ mandate }: { mandate: ShownMandate }) {
  const { status, validUntil, updatedAt } = mandate;
  switch (status) {
    case "revoked":
      if (mandate.vault?.state === "failed") return <>. Its vault was not opened</>;
      return (
        <>
          . {mandate.replacedBy === null ? "You revoked it" : "You moved what was left"}:{" "}
          <Time at={updatedAt} className="font-medium text-ink" />
        </>
      );
    case "expired":
      return (
        <>
          . It ended: <Time at={validUntil} className="font-medium text-ink" />
        </>
      );
    case "exhausted":
      return ". It is used up.";
    default:
      return (
        <>
          , until <Time at={validUntil} className="font-medium text-ink" />
        </>
      );
  }
}

export function Terms({ mandate, balance }: { mandate: ShownMandate; balance: Balance }) {
  return (
    <Card title={isOver(mandate) ? "What it was allowed" : "What it may do"}>
      <TermFacts mandate={mandate} balance={balance} />
      <Quote by={isPrepared(mandate) ? "You prepared it to" : "The agent said"} className="mt-5">
        {mandate.naturalLanguage}
      </Quote>
    </Card>
  );
}

/** True if the mandate has ended for good and makes no more payments. */
export const isOver = ({ status }: Pick<ShownMandate, "status">): boolean =>
  status === "revoked" || status === "expired" || status === "rejected";

export type EvidenceProps = { mandate: ShownMandate; signature: string | null; typedData: unknown };

export function Evidence({ mandate, signature, typedData }: EvidenceProps) {
  return (
    <Disclosure summary="Evidence: what you signed">
      <div className="grid gap-4">
        <Facts>
          {mandate.signedAt && (
            <Fact label="Signed">
              <Time at={mandate.signedAt} />
            </Fact>
          )}
          {mandate.ownerAddress !== null && (
            <Fact label="By">
              <AddressTag address={mandate.ownerAddress} />
            </Fact>
          )}
          {mandate.mandateHash !== null && (
            <Fact label="Mandate hash">
              <AddressTag address={mandate.mandateHash} noun="mandate hash" tile={false} />
            </Fact>
          )}
          {signature !== null && (
            <Fact label="Signature">
              <AddressTag address={signature} noun="signature" tile={false} />
            </Fact>
          )}
          <Fact label="Mandate">
            <AddressTag address={mandate.mandateId} noun="mandate id" tile={false} />
          </Fact>
        </Facts>
        <p className="text-small text-ink-2">
          {mandate.vault?.funding === "now"
            ? "The signature is of the transfer below, which funds the vault. Its nonce is the mandate hash: the EIP-712 digest of vault.mandate. Anyone can check both."
            : "The mandate hash is the EIP-712 digest of the data below. Anyone can check the signature against it."}
        </p>
        <JsonView value={typedData} label="typed data" />
      </div>
    </Disclosure>
  );
}
