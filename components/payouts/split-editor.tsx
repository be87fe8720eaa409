"use client";

import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { TextField } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { Radio } from "@/components/ui/radio";
import { UsdcField } from "@/components/ui/usdc-field";
import type { WeighedAddress } from "@/lib/payouts/address-book/contract";
import { LEGS_MAX } from "@/lib/payouts/rules";
import {
  type Draft,
  emptyRow,
  type Faults,
  isAddressLong,
  modeOf,
  type Row,
  type RowFaults,
  readAddress,
  sharesSaid,
  switched,
  tallyOf,
} from "./draft";
import { Lookalike } from "./lookalike";

export type SplitEditorProps = {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  faults: Faults | undefined;
  known: ReadonlyMap<string, WeighedAddress>;
  /** The id of the datalist with the address book. */
  suggestions: string;
  available: bigint | null;
};

/** The recipients, one row each. Several are paid by amounts or by shares of a total. */
export function SplitEditor({
  draft,
  change,
  faults,
  known: weighedAddresses,
  suggestions,
  available,
}: SplitEditorProps) {
  const list = useRef<HTMLOListElement>(null);
  const mode = modeOf(draft);
  const tally = tallyOf(draft);
  const isSplit = draft.rows.length > 1;

  const setRow = (key: number, part: Partial<Row>) =>
    change({ rows: draft.rows.map((row) => (row.key === key ? { ...row, ...part } : row)) });

  /** Focuses the row once it is rendered. */
  function focusRow(index: number) {
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>("input[data-to]")[index]?.focus());
  }

  function add() {
    const key = Math.max(...draft.rows.map((row) => row.key)) + 1;
    change({ rows: [...draft.rows, emptyRow(key)] });
    focusRow(draft.rows.length);
  }

  function remove(index: number) {
    change({ rows: draft.rows.filter((_, position) => position !== index) });
    focusRow(Math.max(0, index - 1));
  }

  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="sr-only">Who is paid</legend>
      {isSplit && (
        <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
          <legend className="mb-1.5 text-small font-medium">Split by</legend>
          <Radio name="mode" isChosen={mode === "amounts"} choose={() => change(switched(draft, "amounts"))}>
            Amounts
          </Radio>
          <Radio name="mode" isChosen={mode === "shares"} choose={() => change(switched(draft, "shares"))}>
            Shares in per cent
          </Radio>
        </fieldset>
      )}
      {mode === "shares" && (
        <UsdcField
          label="Total to split"
          value={draft.total}
          onText={(total) => change({ total })}
          error={faults?.total}
        />
      )}
      <ol ref={list} className="grid gap-4">
        {draft.rows.map((row, index) => (
          <RecipientRow
            key={row.key}
            row={row}
            at={isSplit ? index : null}
            mode={mode}
            amount={tally.amounts[index] ?? null}
            remainder={index === 0 ? tally.remainder : 0n}
            set={(part) => setRow(row.key, part)}
            remove={() => remove(index)}
            faults={faults?.rows.get(row.key)}
            known={weighedAddresses}
            suggestions={suggestions}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <Button size="small" onClick={add} disabled={draft.rows.length >= LEGS_MAX}>
          <Plus aria-hidden />
          Add a recipient
        </Button>
        <output className="grid justify-items-end gap-0.5 text-small max-sm:justify-items-start">
          {isSplit && (
            <span>
              Together <Amount atomic={tally.sum} wraps className="font-medium" />
            </span>
          )}
          {mode === "shares" && (
            <span className={tally.sharesLeft === 0 ? "text-ink-2" : "text-warn"}>{sharesSaid(tally.sharesLeft)}</span>
          )}
          {available !== null && tally.sum > 0n && (
            <span className={tally.sum > available ? "text-warn" : "text-ink-2"}>
              {tally.sum > available
                ? `${usdcText(tally.sum - available)} more than is available`
                : `${usdcText(available - tally.sum)} stay available`}
            </span>
          )}
        </output>
      </div>
    </fieldset>
  );
}

type RecipientRowProps = {
  row: Row;
  /** The row's index; null for a single row. */
  at: number | null;
  mode: Draft["mode"];
  /** The amount of the row, by its share. */
  amount: bigint | null;
  /** The part of the amount that is the rounding remainder. */
  remainder: bigint;
  set: (part: Partial<Row>) => void;
  remove: () => void;
  faults: RowFaults | undefined;
  known: ReadonlyMap<string, WeighedAddress>;
  suggestions: string;
};

function RecipientRow({
  row,
  at: index,
  mode,
  amount,
  remainder,
  set,
  remove,
  faults,
  known: weighedAddresses,
  suggestions,
}: RecipientRowProps) {
  const number = index === null ? "" : ` ${index + 1}`;
  const reading = readAddress(row.to);
  const typed = isAddressLong(row.to) && reading.type === "invalid" ? reading.fault : undefined;
  const weighed = reading.type === "valid" ? weighedAddresses.get(reading.address) : undefined;
  return (
    <li className={index === null ? "grid gap-3" : "grid gap-3 rounded-control border p-3.5"}>
      <div className="flex items-start gap-2">
        <TextField
          label={`To${number}`}
          className="flex-1 [&_input]:font-mono"
          data-to
          list={suggestions}
          value={row.to}
          onChange={(event) => set({ to: event.target.value })}
          placeholder="0x…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={faults?.to ?? typed ?? (weighed?.refusal == null ? undefined : refusalText(weighed.refusal))}
          hint={weighed && weighed.refusal === null ? <Known weighed={weighed} typed={row.to.trim()} /> : undefined}
        />
        {index !== null && (
          <IconButton label={`Remove recipient${number}`} icon={<X aria-hidden />} onClick={remove} className="mt-7" />
        )}
      </div>
      {weighed?.looksLike && <Lookalike address={weighed.address} known={weighed.looksLike} live="polite" />}
      {mode === "amounts" ? (
        <UsdcField
          label={`Amount${number}`}
          value={row.amount}
          onText={(text) => set({ amount: text })}
          error={faults?.amount}
        />
      ) : (
        <TextField
          label={`Share${number}`}
          suffix="%"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={row.share}
          onChange={(event) => set({ share: event.target.value })}
          error={faults?.share}
          hint={
            amount === null ? (
              "Up to two decimals"
            ) : (
              <>
                Exactly <Amount atomic={amount} wraps className="font-medium text-ink" />
                {remainder > 0n && `, with ${usdcText(remainder)} from rounding`}
              </>
            )
          }
        />
      )}
    </li>
  );
}

/** An error message of the service, as a sentence. */
export const refusalText = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/** The address's name, its checksummed form if typed differently, and whether it is new. */
function Known({ weighed, typed }: { weighed: WeighedAddress; typed: string }) {
  return (
    <span className="grid justify-items-start gap-1">
      {weighed.name !== null && <bdi className="font-medium text-ink [overflow-wrap:anywhere]">{weighed.name}</bdi>}
      {/* On phones the field shows only half of the address. */}
      <span className={cx("mono [overflow-wrap:anywhere]", typed === weighed.address && "sm:hidden")}>
        {weighed.address}
      </span>
      {weighed.isOwn && <span>You sign in with this address.</span>}
      {weighed.isFirst && <Badge tone="warn">First payment to this address</Badge>}
    </span>
  );
}
