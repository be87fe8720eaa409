"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ActionBar } from "@/components/authorize/columns";
import { RejectButton } from "@/components/authorize/reject-button";
import { SwitchAccount } from "@/components/authorize/switch-account";
import { AddressTag } from "@/components/ui/address-tag";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { useConnected } from "@/components/wallet/connection";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { MESSAGES } from "@/lib/clear-signing/words";
import { callApi } from "@/lib/http/client";
import { useEdits } from "./edits";
import {
  collectForWallet,
  collectFunding,
  collectPermit,
  notSigned,
  type Problem,
  problemOf,
  type Signing,
  type Turn,
} from "./signing";
import { PlaceChoice, usePlace } from "./vaults/place-choice";
import type { Offer, Place, VaultDraft } from "./vaults/types";
import { useTestMoney } from "./vaults/use-test-money";
import { signLabel } from "./vaults/words";
import { type Careful, type Payees, sentenceFor } from "./words";

export type SignPanelProps = Omit<SigningProps, "vault"> & {
  token: string | undefined;
  /** The largest possible loss under the mandate's limits. */
  limit: bigint;
  /** The text to type before signing; undefined if none is required. */
  careful: Careful | undefined;
  /** The vault that can be signed for; undefined if the mandate can use only the spending wallet. */
  offer?: VaultOffer | undefined;
  rejectLabel?: string | undefined;
};

/** The vault option of the signing page. */
export type VaultOffer = Offer & {
  /** The spending wallet's balance; null while the chain does not respond. */
  walletBalance: bigint | null;
  coversPayouts: boolean;
  /** True if the mandate continues one of the spending wallet. Then only a vault can be chosen. */
  isMove: boolean;
  /** The initial choice. */
  proposed: Place;
  /** The network of the test USDC faucet; undefined if there is none. */
  faucetOn: string | undefined;
};

/** The choice between vault and spending wallet, and buttons to sign or reject. */
export function SignPanel(props: SignPanelProps) {
  const { token, limit, careful, offer, rejectLabel, ...signing } = props;
  const { mandateId, owner, shown: typedData } = signing;
  const router = useRouter();
  const { address, find, isFinding } = useConnected();
  const { saveAll, hasUnsaved, isRefreshing } = useEdits();
  const [open, setOpen] = useState<"connect" | "confirm">();
  const [unsaved, setUnsaved] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  // True if the button was pressed before the page showed the saved terms. Signing continues once they are shown.
  const [isQueued, setQueued] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const choice = usePlace({ offer, limit });
  const money = useTestMoney({ owner, network: offer?.faucetOn });
  const { sign, progress, problem } = useSigning({ ...signing, vault: offer?.draft });
  const isBusy = progress !== undefined || isFinding || isSaving || isQueued;
  const close = () => setOpen(undefined);
  const go = () => void sign({ place: choice.place, amount: choice.amount ?? limit });

  async function press() {
    setUnsaved(undefined);
    setSaving(true);
    const saving = await saveAll();
    setSaving(false);
    if (saving.type === "refused") return setUnsaved(saving.text);
    if (saving.type === "saved") return setQueued(true);
    await start();
  }

  async function start() {
    const fault = choice.check();
    if (fault) {
      if (fault.type === "amount") requestAnimationFrame(() => focusFault(panel.current));
      // The balance of the owner's own wallet may have changed since the page was rendered.
      return router.refresh();
    }
    if ((await find()) === undefined) setOpen("connect");
    else if (careful) setOpen("confirm");
    else go();
  }

  const startLatest = useRef(start);
  useEffect(() => {
    startLatest.current = start;
  });
  const isShown = isQueued && !isRefreshing;
  useEffect(() => {
    if (!isShown) return;
    setQueued(false);
    if (!hasUnsaved) void startLatest.current();
    else setUnsaved("The terms changed in the meantime. Press again to sign the current ones.");
  }, [isShown, hasUnsaved]);

  // A newcomer's wallet is empty: on a devnet, the first press fills it.
  const isFilling = money.isOffered && choice.missing > 0n;

  return (
    <div ref={panel} className="contents">
      {offer && (
        <PlaceChoice
          {...choice}
          ownBalance={offer.ownBalance}
          coversPayouts={offer.coversPayouts}
          isMove={offer.isMove}
        />
      )}
      {address !== undefined && address !== owner && (
        <WrongWallet address={address} owner={owner} onConnect={() => setOpen("connect")} />
      )}
      {problem && (
        <Note tone={problem.tone} live="assertive" title={problem.title}>
          {problem.text}
        </Note>
      )}
      {unsaved !== undefined && (
        <Note tone="bad" live="assertive" title="Nothing was signed">
          {unsaved}
        </Note>
      )}
      {choice.missingFunds !== undefined && !isFilling && (
        <Note
          tone="warn"
          live="assertive"
          title="Nothing was signed yet"
          actions={
            <Button size="small" onClick={() => choice.choose("vault_permit")}>
              Keep the money in my wallet
            </Button>
          }
        >
          {choice.missingFunds} <AddressTag address={owner} noun="address of your wallet" />
        </Note>
      )}
      {money.problem !== undefined && (
        <Note tone="bad" live="assertive" title="No test USDC arrived">
          {money.problem}
        </Note>
      )}
      <ActionBar className="grid-cols-[minmax(auto,7rem)_minmax(0,1fr)]">
        <RejectButton path={`/api/mandates/${mandateId}/reject`} token={token} label={rejectLabel} disabled={isBusy} />
        <Button
          variant="primary"
          wide
          className="text-balance"
          busy={isBusy || money.isBusy}
          onClick={() => void (isFilling ? money.add(choice.missing) : press())}
        >
          {isFilling
            ? `${money.label(choice.missing)} to sign for ${usdcText(choice.amount ?? limit)}`
            : hasUnsaved
              ? "Save these limits and sign"
              : signLabel(choice.place, choice.amount ?? limit, limit)}
        </Button>
      </ActionBar>
      <p role="status" className="text-center text-small text-ink-2">
        {isFilling && `Your own wallet lacks ${usdcText(choice.missing)}.`}
        {!isFilling && progress === undefined && money.news !== undefined && `${money.news} `}
        {!isFilling && progressText(progress, choice.place)}
      </p>
      <Disclosure summary="Exactly what you sign">
        {offer && choice.place !== "wallet" ? (
          <WhatIsSigned draft={offer.draft} place={choice.place} amount={choice.amount ?? limit} />
        ) : (
          <JsonView value={typedData} label="typed data" />
        )}
      </Disclosure>
      <ConnectDialog
        open={open === "connect"}
        onOpenChange={(next) => !next && close()}
        onDone={() => {
          if (careful) setOpen("confirm");
          else go();
        }}
      />
      {careful && (
        <CarefulConfirm
          careful={careful}
          open={open === "confirm"}
          close={close}
          limit={usdcText(limit)}
          onConfirm={go}
        />
      )}
    </div>
  );
}

const focusFault = (panel: HTMLElement | null) => panel?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();

function progressText(progress: Progress, place: Place): string {
  if (progress === undefined)
    return place === "vault_permit" ? "You only sign, twice. No gas." : "You only sign. No gas.";
  if (progress === "preparing") return "Preparing what you sign.";
  if (progress === "sending") return "Signed. We are checking it.";
  const which =
    progress.of === 1 ? "" : `, ${progress.turn} of 2: ${progress.turn === 1 ? "the mandate" : "the permit"}`;
  return `Sign in your wallet${which}. Compare its request with the data shown here.`;
}

function WrongWallet({ address, owner, onConnect }: { address: string; owner: string; onConnect: () => void }) {
  return (
    <Note
      tone="warn"
      live="polite"
      title="Your wallet is on another account"
      actions={
        <>
          <Button size="small" onClick={onConnect}>
            Choose a wallet
          </Button>
          <SwitchAccount size="small" variant="quiet" />
        </>
      }
    >
      You are signed in as <span className="mono">{shorten(owner)}</span> and your wallet shows{" "}
      <span className="mono">{shorten(address)}</span>. Choose {shorten(owner)} in your wallet, then sign.
    </Note>
  );
}

type CarefulProps = { careful: Careful; open: boolean; close: () => void; limit: ReactNode; onConfirm: () => void };

function CarefulConfirm({ careful, open, close, limit, onConfirm }: CarefulProps) {
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => !next && close()}
      title={careful === "ANY HOST" ? "It may pay anyone" : "It may pay out to any address"}
      verb="Continue to the wallet"
      typed={careful}
      onConfirm={async () => {
        // Not awaited: the wallet opens after this dialog has closed.
        onConfirm();
        return undefined;
      }}
    >
      {careful === "ANY HOST"
        ? "This mandate names no hosts. The agent may pay every site that requests a payment, and pay out to any address, up to "
        : "This mandate lists payouts. The agent may send your money to any address it chooses, up to "}
      {limit} in total. If you know whom it has to pay, go back and narrow it.
    </Confirm>
  );
}

type SigningProps = {
  mandateId: string;
  /** The signed-in owner's address, which must sign. */
  owner: string;
  chainId: number;
  /** The switch for the confirmation of new payees. */
  payees: Payees | undefined;
  /** The typed data on the page. The wallet signs exactly this data, or data derived from the shown vault. */
  shown: TypedDataPayload;
  vault: VaultDraft | undefined;
};

/** The chosen place, and the amount that is moved into a vault now. */
type Choice = { place: Place; amount: bigint };

/** Undefined: signing is not in progress. */
type Progress = "preparing" | Turn | "sending" | undefined;

/** Signs a mandate in the owner's wallet, and sends the signatures. */
function useSigning({ mandateId, owner, chainId, payees, shown: reviewedPayload, vault }: SigningProps) {
  const router = useRouter();
  const signTypedData = useTypedData();
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<Problem>();

  const signing: Signing = {
    mandateId,
    owner,
    ask: (typedData, step) => {
      setProgress(step);
      return signTypedData({ owner, chainId, typedData });
    },
  };

  function collect({ place, amount }: Choice) {
    if (place === "wallet" || !vault) return collectForWallet(signing, reviewedPayload);
    return place === "vault_now" ? collectFunding(signing, vault, amount) : collectPermit(signing, vault);
  }

  async function attempt(choice: Choice): Promise<Problem | undefined> {
    if (payees && !payees.isSaved) {
      const saved = await callApi("PATCH", `/api/mandates/${mandateId}`, { confirmPayees: payees.isOn });
      if (!saved.ok) return notSigned(sentenceFor(saved));
    }
    const collected = await collect(choice);
    if (collected.type === "failed") return collected.problem;
    setProgress("sending");
    const response = await callApi("POST", `/api/mandates/${mandateId}/signature`, collected.body);
    return response.ok ? undefined : problemOf(response);
  }

  async function sign(choice: Choice) {
    setProgress("preparing");
    setProblem(undefined);
    const newProblem = await attempt(choice);
    setProblem(newProblem);
    // On success it stays busy until the refreshed page shows the signed mandate.
    if (newProblem) setProgress(undefined);
    router.refresh();
  }

  return { sign, progress, problem };
}

const PAID = MESSAGES.ReceiveWithAuthorization.members;
const DRAWN = MESSAGES.Permit.members;

/** The descriptor's intent, as wallets with ERC-7730 show it, then the type name, as other wallets show it. */
const shownAs = (name: "ReceiveWithAuthorization" | "SpendingMandate" | "Permit"): string =>
  `“${MESSAGES[name].intent}” or ${name}`;

type WhatIsSignedProps = { draft: VaultDraft; place: Exclude<Place, "wallet">; amount: bigint };

/** What the wallet will show, for comparison, and the mandate that the signature covers. */
function WhatIsSigned({ draft, place, amount }: WhatIsSignedProps) {
  const { address, terms, mandateHash } = draft;
  return (
    <div className="grid gap-4">
      <Facts className="text-small">
        {place === "vault_now" ? (
          <>
            <Fact label="Your wallet shows">{shownAs("ReceiveWithAuthorization")}</Fact>
            <Fact label={`${PAID.to.label}, the vault`}>
              <AddressTag address={address} tileSize={18} />
            </Fact>
            <Fact label={PAID.value.label}>{usdcText(amount)}</Fact>
            <Fact label={PAID.nonce.label} isStacked>
              <AddressTag address={mandateHash} noun="mandate hash" tile={false} />
            </Fact>
          </>
        ) : (
          <>
            <Fact label="Your wallet shows">
              {shownAs("SpendingMandate")}, then {shownAs("Permit")}
            </Fact>
            <Fact label={`${DRAWN.spender.label}, the vault`}>
              <AddressTag address={address} tileSize={18} />
            </Fact>
            <Fact label={DRAWN.value.label}>{usdcText(BigInt(terms.limit))}</Fact>
          </>
        )}
        <Fact label="Valid">for one hour; the vault’s own terms are below</Fact>
      </Facts>
      <p className="text-small text-ink-2">
        The vault’s address is derived from these terms: paying into it is agreeing to them. They contain the hash of
        the mandate, and nothing can change them.
      </p>
      <JsonView value={draft} label="typed data" />
    </div>
  );
}
