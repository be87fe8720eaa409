import type { ReactNode } from "react";
import { LiveRefresh } from "@/components/site/live-refresh";
import { CameFrom } from "@/components/site/stage";
import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { usdcText } from "@/components/ui/format";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { VaultShortage } from "./details";
import { Fund } from "./fund";
import { PeriodBars } from "./period-bars";
import { Steps } from "./steps";
import { type Balance, TermFacts } from "./terms";
import { SaveVaultFile } from "./vaults/save-file";
import type { ShownVault, VaultState, VaultView } from "./vaults/types";
import { VaultCard } from "./vaults/vault-card";
import { termsOf } from "./vaults/vault-terms";
import { shownState, vaultNews } from "./vaults/words";
import type { ShownMandate } from "./words";

/** The last step of the signing page. */

export type SignedStepProps = {
  mandate: ShownMandate;
  typedData: unknown;
  balance: Balance;
  isDevnet: boolean;
};

export function SignedStep({ mandate, typedData, balance, isDevnet }: SignedStepProps) {
  const isShort = typeof balance === "bigint" && balance < mandate.remainingAmount;
  return (
    <>
      <Steps current={4} />
      <Header mandate={mandate} {...wordsFor(balance)} />
      <CurrentLimits mandate={mandate} balance={balance} />
      {typeof balance === "bigint" && mandate.walletAddress !== null && (
        <Fund
          wallet={mandate.walletAddress}
          network={mandate.network}
          missing={mandate.remainingAmount - balance}
          holds={usdcText(balance)}
          isDevnet={isDevnet}
        />
      )}
      <Ending mandate={mandate} typedData={typedData} variant={isDevnet && isShort ? "secondary" : "primary"}>
        Pause or revoke it there at any time.
      </Ending>
    </>
  );
}

function wordsFor(balance: Balance): { title: string; description: string } {
  if (balance === 0n)
    return {
      title: "Signed. Add money so that it can pay",
      description: "Your agent pays from your spending wallet, which is empty. These are the current limits.",
    };
  const description = "You can close this page and go back to your agent. These are its current limits.";
  return { title: typeof balance === "bigint" ? "Signed. Your agent can pay now" : "Signed", description };
}

export type VaultSignedStepProps = {
  mandate: ShownMandate;
  vault: VaultView;
  shown: ShownVault;
  typedData: unknown;
  explorer: string | null;
};

/** The last step for a mandate with a vault, while the vault is opening and after. */
export function VaultSignedStep({ mandate, vault, shown: shownVault, typedData, explorer }: VaultSignedStepProps) {
  return (
    <>
      <Steps current={4} />
      <Header mandate={mandate} {...TITLES[shownState(mandate.status, vault.state)]} />
      <VaultCard
        vault={vault}
        status={mandate.status}
        limit={mandate.limitAmount}
        paid={mandate.spentAmount}
        payees={termsOf(shownVault.draft.mandate.message).payees}
        explorer={explorer}
      >
        <SaveVaultFile file={shownVault.file} />
      </VaultCard>
      <CurrentLimits mandate={mandate} />
      <Ending mandate={mandate} typedData={typedData} variant="primary">
        Pause it or take back everything there at any time.
      </Ending>
      <LiveRefresh news={vaultNews(vault)} isExpecting={vault.state === "opening"} />
    </>
  );
}

const TITLES = {
  opening: {
    title: "Signed. The vault is being opened",
    description: "This takes a few seconds. Your agent can pay once it is open. You can close this page.",
  },
  open: {
    title: "Signed. Your agent can pay now",
    description: "The vault is open. You can close this page and go back to your agent.",
  },
  closing: { title: "Signed, and ended since", description: "It pays nothing any more." },
  closed: { title: "Signed, and ended since", description: "It pays nothing any more." },
  failed: { title: "Signed, but the vault was not opened", description: "Your agent cannot pay under this mandate." },
} satisfies Record<VaultState, { title: string; description: string }>;

type HeaderProps = { mandate: ShownMandate; title: string; description: string };

const Header = ({ mandate, title, description }: HeaderProps) => (
  <CameFrom
    from="review"
    otherwise={
      <PageHeader
        eyebrow={<bdi>{mandate.agentName}</bdi>}
        title="You signed this mandate already"
        description="There is nothing more to do here. These are its current limits."
      />
    }
  >
    <PageHeader eyebrow={<bdi>{mandate.agentName}</bdi>} title={title} description={description} />
  </CameFrom>
);

const CurrentLimits = ({ mandate, balance }: { mandate: ShownMandate; balance?: Balance }) => (
  <>
    <Card lift aria-label="Current limits">
      <p className="text-small text-ink-2">It can still spend</p>
      <p>
        <Amount atomic={mandate.remainingAmount} size="big" />
      </p>
      <p className="mt-1 text-small text-ink-2">
        of <Amount atomic={mandate.limitAmount} />, until{" "}
        <Time at={mandate.validUntil} className="font-medium text-ink" />
      </p>
      <VaultShortage mandate={mandate} />
      <PeriodBars mandate={mandate} />
      <hr className="my-5" />
      <TermFacts mandate={mandate} balance={balance} />
    </Card>
    {!mandate.isEnabled && <Note tone="warn">You have paused it: its payments are refused until you resume it.</Note>}
  </>
);

type EndingProps = {
  mandate: ShownMandate;
  typedData: unknown;
  variant: "primary" | "secondary";
  children: ReactNode;
};

const Ending = ({ mandate, typedData, variant, children }: EndingProps) => (
  <>
    <ButtonLink variant={variant} wide href={`/mandates/${mandate.mandateId}`}>
      See the mandate and its payments
    </ButtonLink>
    <p className="text-small text-ink-2">{children}</p>
    <Disclosure summary="Exactly what you signed">
      <JsonView value={typedData} label="typed data" />
    </Disclosure>
  </>
);
