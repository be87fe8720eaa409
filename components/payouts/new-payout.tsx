"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { Stage } from "@/components/site/stage";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import type { AddressItem, WeighedAddress } from "@/lib/payouts/address-book/contract";
import { TEXT_MAX } from "@/lib/payouts/rules";
import { labelWithNote, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import type { PayoutBalance } from "./balances";
import { type Draft, emptyRow, type Faults, type ReadPayout, readAddress, readDraft } from "./draft";
import { PayoutReview } from "./payout-review";
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
