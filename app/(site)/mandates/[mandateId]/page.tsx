import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RefusedPayments } from "@/components/attempts/refused-payments";
import { SignInPrompt } from "@/components/authorize/stages";
import { Section } from "@/components/dashboard/section";
import { Controls } from "@/components/mandates/controls";
import { Budget, Evidence, isOver, Terms } from "@/components/mandates/details";
import { PaymentsMade } from "@/components/mandates/payments-made";
import { MandateStatus } from "@/components/mandates/status";
import { MoveCard } from "@/components/mandates/vaults/move";
import { MovedNote } from "@/components/mandates/vaults/moved";
import { SaveVaultFile } from "@/components/mandates/vaults/save-file";
import { TakeBack } from "@/components/mandates/vaults/take-back";
import { VaultCard } from "@/components/mandates/vaults/vault-card";
import { termsOf } from "@/components/mandates/vaults/vault-terms";
import { canTakeBack, shownState } from "@/components/mandates/vaults/words";
import { coversPayouts } from "@/components/mandates/words";
import { PayeeList } from "@/components/payees/payee-list";
import { PayoutTable } from "@/components/payouts/payout-table";
import { LiveRefresh } from "@/components/site/live-refresh";
import { PublicPage } from "@/components/site/public-page";
import { Stage } from "@/components/site/stage";
import { ButtonLink } from "@/components/ui/button-link";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { mandateId } from "@/lib/mandates/responses";
import { pageContext } from "@/lib/wiring";
import { NETWORKS } from "@/lib/x402/networks";
import { OwnerFrame } from "../../dashboard/owner-frame";
import { newsOf, read, type Shown } from "./reading";

export const metadata: Metadata = { title: "Mandate", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ mandateId: string }>;
  searchParams: Promise<{ before?: string | string[] }>;
};

/** One mandate, for its owner: the budget, the payments, the controls and the evidence. */
export default async function MandatePage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const { actor } = ctx;
  const id = mandateId.safeParse((await params).mandateId);
  if (!id.success) notFound();
  if (actor.type === "anonymous") {
    return (
      <PublicPage devnet={ctx.config.mode === "devnet"}>
        <Stage name="sign-in" said="">
          <SignInPrompt thing="mandate">
            Its page is for the account that signed it. Signing in moves no money.
          </SignInPrompt>
        </Stage>
      </PublicPage>
    );
  }
  const shown = await read({ ...ctx, actor }, id.data, (await searchParams).before);
  const isRevoked = shown.mandate.status === "revoked";
  return (
    <OwnerFrame address={actor.address} isDevnet={ctx.config.mode === "devnet"}>
      <Stage name={isRevoked ? "revoked" : "details"} said={isRevoked ? "Revoked" : "Signed in"}>
        <Details {...shown} owner={actor.address} isDevnet={ctx.config.mode === "devnet"} />
      </Stage>
    </OwnerFrame>
  );
}

type DetailsProps = Shown & { owner: string; isDevnet: boolean };

function Details(props: DetailsProps) {
  const { mandate, typedData, shown, explorer, balance } = props;
  const { payments, payouts, payees, names, older, newest, isDevnet } = props;
  const { status, signedAt, pendingSpentAmount, vault } = mandate;
  const isSigned = signedAt !== null;
  const isOpen = status === "draft" || status === "pending_signature";
  const vaultState = vault && shownState(status, vault.state);
  const isVaultMoving = vaultState === "opening" || vaultState === "closing";
  const mayStillMove = status === "signed" || pendingSpentAmount > 0n || isVaultMoving;
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
        back={{ href: "/dashboard/mandates", label: "Mandates" }}
        eyebrow={<bdi>{mandate.agentName}</bdi>}
        title={`Mandate of ${usdcText(mandate.limitAmount)}`}
        actions={<MandateStatus mandate={mandate} />}
      />
      {isOpen && (
        <Note
          tone="info"
          title="It waits for your decision"
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
      {vault && shown && (
        <VaultCard
          vault={vault}
          status={status}
          limit={mandate.limitAmount}
          payees={termsOf(shown.draft.mandate.message).payees}
          explorer={explorer}
        >
          {status === "revoked" && takeBack && <div>{takeBack}</div>}
          <SaveVaultFile file={shown.file} />
        </VaultCard>
      )}
      {isSigned && status !== "revoked" && (!vault || takeBack) && (
        <Controls
          mandateId={mandate.mandateId}
          isEnabled={mandate.isEnabled}
          canPause={status === "signed" || status === "exhausted"}
          underway={underway}
          takeBack={takeBack}
        />
      )}
      {props.canMove && (
        <MoveCard
          mandateId={mandate.mandateId}
          remaining={mandate.remainingAmount}
          underway={underway}
          coversPayouts={coversPayouts(mandate)}
          hasPeriods={mandate.maxAmountPerDay !== null || mandate.maxAmountPerMonth !== null}
        />
      )}
      {isSigned && (
        <PaymentsMade payments={payments} older={older} newest={newest} isDevnet={isDevnet} isOver={isOver(mandate)} />
      )}
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
