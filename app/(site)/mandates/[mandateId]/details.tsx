import { Section } from "@/components/dashboard/section";
import { Controls, TakeBack } from "@/components/mandates/controls";
import { Budget, Evidence, isOver, Terms } from "@/components/mandates/details";
import { PaymentsMade, RefusedPayments } from "@/components/mandates/payments-made";
import { MandateStatus } from "@/components/mandates/status";
import { MoveCard } from "@/components/mandates/vaults/move";
import { MovedNote } from "@/components/mandates/vaults/moved";
import { RefusingSellers } from "@/components/mandates/vaults/refusing-sellers";
import { SaveVaultFile } from "@/components/mandates/vaults/save-file";
import { VaultCard } from "@/components/mandates/vaults/vault-card";
import { termsOf } from "@/components/mandates/vaults/vault-terms";
import { canTakeBack, isEmpty, isReturnRead, shownState, uncountedIn } from "@/components/mandates/vaults/words";
import { coversPayouts } from "@/components/mandates/words";
import { PayeeList } from "@/components/payees/payee-list";
import { PayoutTable } from "@/components/payouts/payout-table";
import { LiveRefresh } from "@/components/site/live-refresh";
import { ButtonLink } from "@/components/ui/button-link";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { NETWORKS } from "@/lib/x402/networks";
import { newsOf, type Shown } from "./reading";

export type MandateDetailsProps = Shown & {
  owner: string;
  isDevnet: boolean;
  /** True when shown beside the list, which has the page's heading. */
  isPane?: boolean;
};

/** The budget of a mandate, its payments, the controls and the evidence. */
export function MandateDetails(props: MandateDetailsProps) {
  const { isPane = false, mandate, typedData, shown: signedVault, explorer, balance } = props;
  const { payments, payouts, payees, names, pager, isDevnet } = props;
  const { status, signedAt, pendingSpentAmount, vault } = mandate;
  const isSigned = signedAt !== null;
  const isOpen = status === "draft" || status === "pending_signature";
  const vaultState = vault && shownState(status, vault.state);
  const isReturning = vaultState === "closed" && vault !== null && !isReturnRead(vault, mandate.spentAmount);
  const isUnread = vault !== null && uncountedIn(vault, mandate.spentAmount) > 0n;
  const isVaultMoving = vaultState === "opening" || vaultState === "closing" || isReturning || isUnread;
  const isOverAndEmpty = vaultState === "closed" && vault !== null && isEmpty(vault);
  const mayStillMove = status === "signed" || pendingSpentAmount > 0n || isVaultMoving;
  const canPause = status === "signed" || status === "exhausted";
  const underway = pendingSpentAmount > 0n ? usdcText(pendingSpentAmount) : null;
  const takeBack = vault && canTakeBack(mandate, vault) && (
    <TakeBack
      mandateId={mandate.mandateId}
      vault={vault.address}
      mandateHash={mandate.mandateHash}
      funding={vault.funding}
      owner={props.owner}
      chainId={NETWORKS[mandate.network].chainId}
      underway={underway}
      isRevoked={status === "revoked"}
    />
  );
  return (
    <>
      <PageHeader
        {...(isPane ? { level: 2 as const } : { back: { href: "/dashboard/mandates", label: "Mandates" } })}
        eyebrow={<bdi>{mandate.agentName}</bdi>}
        title={`Mandate of ${usdcText(mandate.limitAmount)}`}
        actions={
          <>
            <span className="self-center">
              <MandateStatus mandate={mandate} />
            </span>
            {isSigned && status !== "revoked" && (!vault || takeBack) && (
              <Controls
                mandateId={mandate.mandateId}
                isEnabled={mandate.isEnabled}
                canPause={canPause}
                underway={underway}
                takeBack={takeBack}
              />
            )}
          </>
        }
      />
      {isSigned && canPause && !mandate.isEnabled && (
        <Note tone="warn" title="Paused: every payment is refused">
          You sign with your wallet to resume it.
        </Note>
      )}
      {isOpen && (
        <Note
          tone="info"
          title="It is waiting for your decision"
          actions={
            <ButtonLink size="small" variant="primary" href={`/authorize/mandate/${mandate.mandateId}`}>
              Read and sign
            </ButtonLink>
          }
        >
          It allows nothing until you sign it.
        </Note>
      )}
      {mandate.replacedBy !== null && <MovedNote replacedBy={mandate.replacedBy} />}
      {isSigned && <Budget mandate={mandate} />}
      {vault && signedVault && (
        <VaultCard
          vault={vault}
          status={status}
          limit={mandate.limitAmount}
          paid={mandate.spentAmount}
          payees={termsOf(signedVault.draft.mandate.message).payees}
          explorer={explorer}
        >
          {status === "revoked" && takeBack && <div>{takeBack}</div>}
          {!isOverAndEmpty && <SaveVaultFile file={signedVault.file} />}
        </VaultCard>
      )}
      {props.sellers.length > 0 && <RefusingSellers mandateId={mandate.mandateId} sellers={props.sellers} />}
      {props.canMove && (
        <MoveCard
          mandateId={mandate.mandateId}
          remaining={mandate.remainingAmount}
          underway={underway}
          coversPayouts={coversPayouts(mandate)}
          hasPeriods={mandate.maxAmountPerDay !== null || mandate.maxAmountPerMonth !== null}
        />
      )}
      {isSigned && <PaymentsMade payments={payments} pager={pager} isDevnet={isDevnet} isOver={isOver(mandate)} />}
      <RefusedPayments attempts={props.refused} />
      {payouts.length > 0 && (
        <Section id="payouts" title="Payouts" more={{ href: "/dashboard/payouts", label: "All payouts" }}>
          <PayoutTable caption="Payouts under this mandate, newest first" payouts={payouts} names={names} />
        </Section>
      )}
      {mandate.confirmPayees && payees.length > 0 && <PayeeList payees={payees} />}
      <Terms mandate={mandate} balance={balance} />
      {isSigned && <Evidence mandate={mandate} signature={mandate.signature} typedData={typedData} />}
      {isSigned && mayStillMove && (
        <LiveRefresh news={newsOf(mandate, payments[0])} isExpecting={pendingSpentAmount > 0n || isVaultMoving} />
      )}
    </>
  );
}
