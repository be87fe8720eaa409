"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { ReportLink, reportUrlOf } from "@/components/attempts/report-link";
import { TooLittle } from "@/components/authorize/too-little";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Stage } from "@/components/site/stage";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { CheckboxField, SelectField, TextArea, TextField } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Quote } from "@/components/ui/quote";
import { newId } from "@/lib/core/ids";
import { isUnknown } from "@/lib/http/client";
import type { AddressItem, WeighedAddress } from "@/lib/payouts/address-book/contract";
import { TEXT_MAX } from "@/lib/payouts/rules";
import { labelWithNote, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import type { PayoutBalance } from "./balances";
import { type Draft, emptyRow, type Faults, type ReadPayout, readAddress, readDraft } from "./draft";
import { LegLine, PayoutSum } from "./payout-card";
import { refusalText, SplitEditor } from "./split-editor";
import { useWeighed, weigh } from "./use-weighed";
import { sentenceFor } from "./words";

export type NewPayoutProps = {
  balances: readonly PayoutBalance[];
  book: readonly Pick<AddressItem, "address" | "name">[];
  isDevnet: boolean;
  /** The initial values, for example of a payout to repeat. */
  start: Omit<Draft, "rows"> & { rows: readonly { to: string; amount: string; share: string }[] };
  title: string;
};

type Step = { at: "form" } | { at: "review"; payout: ReadPayout; known: ReadonlyMap<string, WeighedAddress> };

/** Creates a payout: form, review, payment. */
export function NewPayout({ balances, book, isDevnet, start, title }: NewPayoutProps) {
  const [draft, setDraft] = useState<Draft>(() => ({
    ...start,
    rows: start.rows.length === 0 ? [emptyRow(0)] : start.rows.map((row, key) => ({ key, ...row })),
  }));
  const [step, setStep] = useState<Step>({ at: "form" });
  const router = useRouter();
  const balance = balances.find(({ network }) => network === draft.network);
  return (
    <Stage name={step.at} said={step.at === "review" ? "Read it once more" : "Change it"}>
      {step.at === "form" ? (
        <>
          <PageHeader
            back={{ href: "/dashboard/payouts", label: "Payouts" }}
            title={title}
            description="From your spending wallet to one address, or split among several. You review it before any money moves."
          />
          <PayoutForm
            draft={draft}
            setDraft={setDraft}
            book={book}
            available={balance?.available ?? null}
            onRead={(payout, weighedAddresses) => setStep({ at: "review", payout, known: weighedAddresses })}
          />
        </>
      ) : (
        <PayoutReview
          payout={step.payout}
          known={step.known}
          names={new Map(book.map(({ address, name }) => [address, name]))}
          balance={balance}
          isDevnet={isDevnet}
          description={draft.description.trim()}
          bizId={draft.bizId.trim()}
          back={() => setStep({ at: "form" })}
          onPaid={(recordId) => router.push(`/dashboard/payouts/${recordId}`)}
        />
      )}
    </Stage>
  );
}

type PayoutFormProps = {
  draft: Draft;
  setDraft: (draft: Draft) => void;
  book: NewPayoutProps["book"];
  available: bigint | null;
  onRead: (payout: ReadPayout, weighedAddresses: ReadonlyMap<string, WeighedAddress>) => void;
};

function PayoutForm({ draft, setDraft, book, available, onRead }: PayoutFormProps) {
  const suggestions = useId();
  const [faults, setFaults] = useState<Faults>();
  const [isBusy, setBusy] = useState(false);
  const weighedAddresses = useWeighed(draft.rows.flatMap(({ to }) => addressIn(to)));

  function change(part: Partial<Draft>) {
    setDraft({ ...draft, ...part });
    setFaults(undefined);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const parsed = readDraft(draft);
    if (parsed.type === "invalid") return refuse(parsed.faults, form);
    setBusy(true);
    // Read again: the facts read while typing may have changed or be missing.
    const weighed = await weigh(parsed.payout.legs.map(({ toAddress }) => toAddress));
    setBusy(false);
    if (weighed.type === "failed") return refuse({ rows: new Map(), form: sentenceFor(weighed.failure) }, form);
    const refusals = draft.rows.flatMap(({ key }, index) => {
      const refusal = weighed.known.get(parsed.payout.legs[index]?.toAddress ?? "")?.refusal;
      return refusal == null ? [] : [[key, { to: refusalText(refusal) }] as const];
    });
    if (refusals.length > 0) return refuse({ rows: new Map(refusals) }, form);
    onRead(parsed.payout, weighed.known);
  }

  function refuse(newFaults: Faults, form: HTMLFormElement) {
    setFaults(newFaults);
    requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  }

  return (
    <Card className="max-w-160">
      <form onSubmit={submit} noValidate aria-label="New payout" className="grid gap-5">
        <SelectField
          label="Network"
          options={OPTIONS}
          value={draft.network}
          // The options are the networks.
          onChange={(event) => change({ network: event.target.value as NetworkName })}
        />
        <SplitEditor
          draft={draft}
          change={change}
          faults={faults}
          known={weighedAddresses}
          suggestions={suggestions}
          available={available}
        />
        <datalist id={suggestions}>
          {book.map(({ address, name }) => (
            <option key={address} value={address} label={name}>
              {name}
            </option>
          ))}
        </datalist>
        <TextArea
          label="What it is for"
          aside="Optional"
          rows={2}
          dir="auto"
          maxLength={TEXT_MAX.description}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <TextField
          label="Your reference"
          aside="Optional"
          autoComplete="off"
          maxLength={TEXT_MAX.bizId}
          value={draft.bizId}
          onChange={(event) => change({ bizId: event.target.value })}
          hint="For example, an invoice number. A second payout with the same number is refused while the first is open or paid."
        />
        {faults?.form !== undefined && (
          <Note tone="bad" live="assertive">
            {faults.form}
          </Note>
        )}
        <Button type="submit" variant="primary" wide busy={isBusy}>
          Review the payout
        </Button>
      </form>
    </Card>
  );
}

function addressIn(text: string): string[] {
  const reading = readAddress(text);
  return reading.type === "valid" ? [reading.address] : [];
}

const OPTIONS = NETWORK_NAMES.map((name) => ({ value: name, label: labelWithNote(name) }));

type PayoutReviewProps = {
  payout: ReadPayout;
  known: ReadonlyMap<string, WeighedAddress>;
  names: ReadonlyMap<string, string>;
  balance: PayoutBalance | undefined;
  isDevnet: boolean;
  description: string;
  bizId: string;
  back: () => void;
  onPaid: (recordId: string) => void;
};

type Problem = { title: string; text: string; isUnknown: boolean; reportUrl: string | undefined };

function problemLink({ isUnknown, reportUrl }: Problem): ReactNode {
  if (reportUrl !== undefined) return <ReportLink url={reportUrl} />;
  if (!isUnknown) return null;
  return (
    <ButtonLink size="small" href="/dashboard/payouts">
      See your payouts
    </ButtonLink>
  );
}

/** The payout in full, with the button that pays it. */
function PayoutReview(props: PayoutReviewProps) {
  const { payout, known: weighedAddresses, names, balance, isDevnet, description, bizId, back, onPaid } = props;
  const [isBusy, setBusy] = useState(false);
  const [hasCompared, setCompared] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  // The idempotency key: the payout is made once, however often it is sent.
  const payoutId = useRef<string>(undefined);
  const { post, dialog } = useConfirmed();
  const lookalikes = payout.legs.filter(({ toAddress }) => weighedAddresses.get(toAddress)?.looksLike).length;
  // If the first request may have been accepted, the amount is already reserved: the payout must stay repeatable.
  const missing = problem?.isUnknown ? 0n : missingIn(balance, payout.amount);
  const isOne = payout.legs.length === 1;

  async function pay() {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    payoutId.current ??= newId("payout");
    const body = { ...payout.body, payoutId: payoutId.current, approve: true };
    const response = await post<{ payout: { payoutRecordId: string } }>("/api/wallet/payouts", body);
    // On success it stays busy until the page of the payout opens.
    if (response.ok) return onPaid(response.data.payout.payoutRecordId);
    setBusy(false);
    setProblem({
      title: isUnknown(response) ? "We do not know whether it was accepted" : "Nothing was paid",
      text: isUnknown(response)
        ? "Press the button again: it finds the payout or creates it, and pays it once. Or check your payouts."
        : sentenceFor(response),
      isUnknown: isUnknown(response),
      reportUrl: reportUrlOf(response),
    });
  }

  return (
    <div className="grid max-w-160 grid-cols-1 gap-5">
      <PageHeader
        eyebrow="Nothing has moved yet"
        title={
          isOne
            ? `Pay ${usdcText(payout.amount)}?`
            : `Pay ${usdcText(payout.amount)} to ${payout.legs.length} recipients?`
        }
        description={
          isOne
            ? "Compare the whole address."
            : "All of these in one transaction, or none of them. Compare the whole addresses."
        }
      />
      <Card lift aria-label="Payout">
        <PayoutSum amount={payout.amount} legs={payout.legs} />
        <hr className="my-5" />
        <ol aria-label="Recipients" className="grid gap-4">
          {payout.legs.map(({ toAddress, amount, shareBps }) => (
            <LegLine
              key={toAddress}
              address={toAddress}
              name={names.get(toAddress)}
              amount={isOne ? null : amount}
              shareBps={shareBps}
              known={weighedAddresses.get(toAddress)}
            />
          ))}
        </ol>
        <hr className="my-5" />
        <Facts>
          <Fact label="Network">{labelWithNote(payout.network, isDevnet)}</Fact>
          {balance?.balance != null && (
            <Fact label="Your wallet holds">
              <Amount atomic={balance.balance} />
            </Fact>
          )}
          {balance?.balance != null && missing <= 0n && (
            <Fact label="Left after this">
              <Amount atomic={-missing} />
            </Fact>
          )}
          {bizId !== "" && (
            <Fact label="Your reference">
              <bdi>{bizId}</bdi>
            </Fact>
          )}
        </Facts>
        {description !== "" && (
          <Quote by="Your note" className="mt-5">
            {description}
          </Quote>
        )}
      </Card>
      <TooLittle thing="payout" network={payout.network} missing={missing} />
      {!isBusy && !problem && (
        <LiveRefresh
          news={missing > 0n ? "Your wallet holds too little" : "It can be paid"}
          isExpecting={missing > 0n}
        />
      )}
      {lookalikes > 0 && (
        <CheckboxField
          label="I have compared the lookalike addresses letter by letter, and this payout's are the right ones"
          checked={hasCompared}
          onChange={(event) => setCompared(event.target.checked)}
        />
      )}
      {problem && (
        <Note tone="bad" live="assertive" title={problem.title} actions={problemLink(problem)}>
          {problem.text}
        </Note>
      )}
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2">
        {/* Disabled after an unknown result: a changed draft would be a second payout while the first may be pending. */}
        <Button wide onClick={back} disabled={isBusy || problem?.isUnknown}>
          Change it
        </Button>
        <Button
          variant="primary"
          wide
          busy={isBusy}
          disabled={missing > 0n || (lookalikes > 0 && !hasCompared)}
          onClick={() => void pay()}
        >
          Pay {usdcText(payout.amount)}
        </Button>
      </div>
      <p className="text-small text-ink-2">No gas: we pay the network for you. A payout cannot be reversed.</p>
      {dialog}
    </div>
  );
}

/** The amount that the wallet lacks. Zero while the chain does not respond: then the service decides. */
const missingIn = (balance: PayoutBalance | undefined, amount: bigint): bigint =>
  balance?.balance == null ? 0n : amount + balance.reserved - balance.balance;
