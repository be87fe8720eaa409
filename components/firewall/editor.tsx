"use client";

import { type KeyboardEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import {
  type Draft,
  EMPTY,
  type ExpectedField,
  type Faults,
  type PromptDraft,
  TEXT_CHARACTERS_MAX,
  type TransactionDraft,
  type TransactionField,
  turnOver,
  type X402Draft,
} from "./drafts";
import { expectsAnExample, GALLERY } from "./gallery";
import type { Scanner } from "./scanners";

export type EditorProps = { draft: Draft; faults: Faults; onChange: (draft: Draft) => void };

/** The input of a scanner. The input never leaves the page. */
export function Editor({ draft, faults, onChange }: EditorProps) {
  switch (draft.scanner) {
    case "transaction":
      return <TransactionEditor draft={draft} faults={faults} onChange={onChange} />;
    case "x402":
      return <X402Editor draft={draft} faults={faults} onChange={onChange} />;
    case "prompt":
      return <PromptEditor draft={draft} faults={faults} onChange={onChange} />;
    default:
      return draft satisfies never;
  }
}

type EditorOf<Kind extends Draft> = { draft: Kind; faults: Faults; onChange: (draft: Kind) => void };

/** Disables correction, autocomplete and spell checking: browsers may send text to a spelling service. */
const RAW = {
  spellCheck: false,
  autoComplete: "off",
  autoCapitalize: "off",
  autoCorrect: "off",
  dir: "ltr",
} as const;
const MONO_INPUT = "[&_input]:font-mono [&_input]:text-small";
const TEXT_AREA = "[&_textarea]:font-mono [&_textarea]:text-small";
const MONO_AREA = `${TEXT_AREA} [&_textarea]:break-all`;

function TransactionEditor({ draft, faults, onChange }: EditorOf<TransactionDraft>) {
  const [isStuck, setStuck] = useState(false);
  const { fields, json } = draft;
  const set = (name: TransactionField, value: string) => onChange({ ...draft, fields: { ...fields, [name]: value } });
  const input = (name: TransactionField) => ({
    ...RAW,
    value: fields[name],
    className: MONO_INPUT,
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });
  const toggleFormat = () => {
    const turned = turnOver(draft);
    setStuck(turned === null);
    if (turned) onChange(turned);
  };
  return (
    <div className="grid min-w-0 gap-4">
      {json === null ? (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              {...input("chainId")}
              label="Chain"
              inputMode="numeric"
              placeholder="8453"
              aside="8453 is Base"
              error={faults.chainId}
            />
            <TextField {...input("valueWei")} label="Value" inputMode="numeric" placeholder="0" suffix="wei" />
          </div>
          <TextField {...input("to")} label="To" placeholder="0x…" error={faults.to} />
          <TextArea
            {...RAW}
            label="Calldata"
            rows={6}
            placeholder="0x"
            className={MONO_AREA}
            value={fields.data}
            onChange={(event) => set("data", event.target.value)}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField {...input("function")} label="Declared function" placeholder="approve" aside="Optional" />
            <TextField {...input("amount")} label="Declared amount" placeholder="50000000" aside="Optional" />
          </div>
          <TextArea
            {...RAW}
            dir="auto"
            label="Context"
            aside="Optional"
            rows={2}
            placeholder="What the transaction is for"
            value={fields.context}
            onChange={(event) => set("context", event.target.value)}
          />
        </>
      ) : (
        <TextArea
          {...RAW}
          label="Request as JSON"
          rows={18}
          placeholder={'{ "to": "0x…", "data": "0x…" }'}
          className={MONO_AREA}
          value={json}
          onChange={(event) => {
            setStuck(false);
            onChange({ ...draft, json: event.target.value });
          }}
          error={faults.json}
        />
      )}
      {isStuck && json !== null && (
        <Note tone="warn" live="polite">
          The form cannot show this input. Its fields are chainId, to, data, valueWei, function, amount and context.
        </Note>
      )}
      <div>
        <Button size="small" onClick={toggleFormat}>
          {json === null ? "Edit as JSON" : "Edit in fields"}
        </Button>
      </div>
    </div>
  );
}

const EXPECTED: readonly { name: ExpectedField; label: string; placeholder: string }[] = [
  { name: "resource", label: "Resource begins with", placeholder: "https://api.example.com/v1" },
  { name: "maxAmountAtomic", label: "At most", placeholder: "250000" },
  { name: "payTo", label: "Paid to", placeholder: "0x…" },
  { name: "network", label: "Network", placeholder: "base" },
  { name: "asset", label: "Asset", placeholder: "USDC" },
];

function X402Editor({ draft, faults, onChange }: EditorOf<X402Draft>) {
  /** An example's expectations say nothing about a body from elsewhere. */
  const setBody = (paymentRequired: string, isPasted: boolean) => {
    const expected = isPasted && expectsAnExample(draft) ? EMPTY.x402.expected : draft.expected;
    onChange({ ...draft, paymentRequired, expected });
  };
  return (
    <div className="grid min-w-0 gap-4">
      <TextArea
        {...RAW}
        label="Body of the 402 response"
        aside="JSON"
        rows={14}
        placeholder={'{ "x402Version": 1, "accepts": [ … ] }'}
        className={MONO_AREA}
        value={draft.paymentRequired}
        onChange={(event) => setBody(event.target.value, isPaste(event.nativeEvent))}
        error={faults.paymentRequired}
      />
      <fieldset className="grid min-w-0 gap-4 border-t pt-4">
        <legend className="float-left mb-1 w-full text-small font-medium">
          What you expect <span className="font-normal text-ink-2">· empty fields are not compared</span>
        </legend>
        <div className="grid gap-4 sm:grid-cols-2">
          {EXPECTED.map(({ name, label, placeholder }) => (
            <TextField
              {...RAW}
              key={name}
              label={label}
              placeholder={placeholder}
              {...(name === "maxAmountAtomic" && { suffix: "atomic", inputMode: "numeric" as const })}
              className={name === "resource" ? `${MONO_INPUT} sm:col-span-2` : MONO_INPUT}
              value={draft.expected[name]}
              onChange={(event) => onChange({ ...draft, expected: { ...draft.expected, [name]: event.target.value } })}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

const isPaste = (event: Event): boolean =>
  event instanceof InputEvent && ["insertFromPaste", "insertFromDrop"].includes(event.inputType);

function PromptEditor({ draft, faults, onChange }: EditorOf<PromptDraft>) {
  return (
    <div className="grid min-w-0 gap-4">
      <TextArea
        {...RAW}
        dir="auto"
        label="Untrusted text"
        aside={`${[...draft.text].length.toLocaleString("en-US")} of ${TEXT_CHARACTERS_MAX.toLocaleString("en-US")} characters`}
        rows={12}
        placeholder="A page, a mail, a tool’s answer: anything that your agent is about to read"
        className={TEXT_AREA}
        value={draft.text}
        onChange={(event) => onChange({ ...draft, text: event.target.value })}
        error={faults.text}
      />
      <TextField
        {...RAW}
        label="Source"
        aside="Optional"
        placeholder="email"
        hint="A label for you, such as where the text comes from. Do not enter a secret."
        value={draft.source}
        onChange={(event) => onChange({ ...draft, source: event.target.value })}
      />
    </div>
  );
}

type ExamplePickerProps = {
  scanner: Scanner;
  /** The example in the editor; null once its text was edited. */
  picked: string | null;
  onPick: (id: string) => void;
};

const GROUPS = [
  { name: "Attacks and mistakes", isAttack: true },
  { name: "Harmless look-alikes", isAttack: false },
] as const;

/**
 * The gallery: a toolbar on a wide screen, a select on a phone. Follows the ARIA toolbar pattern: one Tab stop, and the
 * arrow keys move between examples.
 */
export function ExamplePicker({ scanner, picked, onPick }: ExamplePickerProps) {
  const examples = GALLERY[scanner];
  const about = examples.find(({ id }) => id === picked)?.about;
  const [visited, setVisited] = useState<string | null>(null);
  const first = examples.find(({ isAttack }) => isAttack === GROUPS[0].isAttack)?.id;
  const stop = visited ?? picked ?? first;
  return (
    <section aria-label="Examples" className="grid min-w-0 gap-3">
      <div
        role="toolbar"
        aria-label="Examples to try"
        onKeyDown={move}
        className="hidden gap-x-8 gap-y-4 md:grid md:grid-cols-2"
      >
        {GROUPS.map(({ name, isAttack }) => (
          <fieldset key={name} className="min-w-0">
            <legend className="mb-2 text-small text-ink-2">{name}</legend>
            <ul className="flex flex-wrap gap-1.5">
              {examples
                .filter((example) => example.isAttack === isAttack)
                .map((example) => (
                  <li key={example.id}>
                    <button
                      type="button"
                      aria-pressed={example.id === picked}
                      tabIndex={example.id === stop ? 0 : -1}
                      onFocus={() => setVisited(example.id)}
                      onClick={() => onPick(example.id)}
                      className={cx(
                        "min-h-8 rounded-full border px-2.5 py-1 text-left text-small transition-colors",
                        "border-line-2 bg-card hover:bg-sunk aria-pressed:border-brand aria-pressed:bg-brand-soft",
                      )}
                    >
                      {example.name}
                    </button>
                  </li>
                ))}
            </ul>
          </fieldset>
        ))}
      </div>
      <SelectField
        className="md:hidden"
        label="Example"
        value={picked ?? ""}
        onChange={(event) => event.target.value !== "" && onPick(event.target.value)}
        options={[
          { value: "", label: "Your own input" },
          ...examples.map(({ id, name, isAttack }) => ({
            value: id,
            label: `${isAttack ? "Attack" : "Look-alike"}: ${name}`,
          })),
        ]}
      />
      <p className="min-h-6 text-control text-ink-2">{about ?? "Pick an example, or enter your own input."}</p>
    </section>
  );
}

function move(event: KeyboardEvent<HTMLElement>) {
  // With a modifier, arrow keys are browser shortcuts, such as Back.
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const index = buttons.findIndex((button) => button.matches(":focus"));
  const to = {
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  }[event.key];
  const next = to === undefined ? undefined : buttons.at(to % buttons.length);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
