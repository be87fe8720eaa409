"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import {
  type Draft,
  type ExpectedField,
  type Faults,
  type PromptDraft,
  TEXT_CHARACTERS_MAX,
  type TransactionDraft,
  type TransactionField,
  turnOver,
  type X402Draft,
} from "./drafts";

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
          This does not fit the form, whose fields are chainId, to, data, valueWei, function, amount and context.
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
  return (
    <div className="grid min-w-0 gap-4">
      <TextArea
        {...RAW}
        label="Body of the 402 answer"
        aside="JSON"
        rows={14}
        placeholder={'{ "x402Version": 1, "accepts": [ … ] }'}
        className={MONO_AREA}
        value={draft.paymentRequired}
        onChange={(event) => onChange({ ...draft, paymentRequired: event.target.value })}
        error={faults.paymentRequired}
      />
      <fieldset className="grid min-w-0 gap-4 border-t pt-4">
        <legend className="float-left mb-1 w-full text-small font-medium">
          What you expect <span className="font-normal text-ink-2">· what is left empty is not compared</span>
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
        hint="A label for you, such as where the text comes from. Put no secret into it."
        value={draft.source}
        onChange={(event) => onChange({ ...draft, source: event.target.value })}
      />
    </div>
  );
}
