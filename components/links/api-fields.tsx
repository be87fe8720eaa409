"use client";

import { FileDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/field";
import { Radio } from "@/components/ui/radio";
import { callApi } from "@/lib/http/client";
import type { DocumentFailure, DocumentView } from "@/lib/links/upstream/document/contract";
import { withDocument } from "./draft-upstream";
import { type LinkForm, useLatestForm } from "./use-link-form";
import { faultsOf } from "./words";

type Props = { form: LinkForm };

/** A link sells either. */
export function KindField({ form: { draft, change } }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-small font-medium">What do you sell?</legend>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <Radio name="kind" isChosen={!draft.isApi} choose={() => change({ isApi: false })}>
          A thing or a service
        </Radio>
        <Radio name="kind" isChosen={draft.isApi} choose={() => change({ isApi: true })}>
          Calls to your API
        </Radio>
      </div>
    </fieldset>
  );
}

export type ApiFieldsProps = Props & {
  /** The names of the headers that are stored, or of the link that is duplicated. */
  headerNames: readonly string[];
  isNew: boolean;
  children?: ReactNode;
};

/** The seller's API. `children` follow its address. */
export function ApiFields({ form, headerNames, isNew, children }: ApiFieldsProps) {
  const { draft, faults, change } = form;
  const names = headerNames.join(", ");
  const stored = isNew ? `Enter again: ${names}.` : `Stored: ${names}. Leave it empty to keep them.`;
  return (
    <>
      <TextField
        label="Address of your API"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://api.example.com/v1"
        value={draft.upstreamUrl}
        onChange={(event) => change({ upstreamUrl: event.target.value })}
        hint="Buyers get an address of this server, which forwards what is paid to yours."
        error={faults.upstreamUrl}
      />
      {children}
      <TextArea
        label="Headers it gets"
        aside="Optional"
        rows={2}
        autoComplete="off"
        spellCheck={false}
        placeholder="Authorization: Bearer …"
        value={draft.upstreamHeaders}
        onChange={(event) => change({ upstreamHeaders: event.target.value })}
        hint={`One name: value per line, such as your key. ${names === "" ? "They are stored encrypted and never shown again." : stored}`}
        error={faults.upstreamHeaders}
      />
      <div className="grid gap-3">
        <TextArea
          label="Paths and prices"
          aside="Optional"
          rows={3}
          autoComplete="off"
          spellCheck={false}
          placeholder={"/quotes/{symbol} = 0.01\n/report = 0.50"}
          value={draft.upstreamPaths}
          onChange={(event) => change({ upstreamPaths: event.target.value })}
          hint="One per line; {symbol} stands for any text. If empty, every path costs the price above."
          error={faults.upstreamPaths}
        />
        <DocumentReader form={form} />
      </div>
    </>
  );
}

/** Fills the paths in from the API's OpenAPI document. What is typed stays. */
function DocumentReader({ form }: Props) {
  const latest = useLatestForm(form);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<{ isFault: boolean; text: string }>();

  async function read() {
    setBusy(true);
    setResult(undefined);
    const url = form.draft.upstreamUrl.trim();
    const response = await callApi<Read>("POST", "/api/upstream-document", { url });
    setBusy(false);
    if (!response.ok) {
      const [text = ""] = Object.values(faultsOf(response));
      return setResult({ isFault: true, text: url === "" ? "Enter the address of your API first." : text });
    }
    const { document, failure } = response.data;
    if (document === null) return setResult({ isFault: true, text: failure === null ? "" : DOCUMENT_WORDS[failure] });
    latest.current.change(withDocument(latest.current.draft, document));
    const left = document.leftOut === 0 ? "" : ` ${document.leftOut} left out: a link cannot sell them.`;
    const count = document.paths.length;
    setResult({ isFault: false, text: `${count} ${count === 1 ? "path" : "paths"} read.${left}` });
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button size="small" className="min-h-11" busy={isBusy} onClick={read}>
        <FileDown aria-hidden />
        Read its OpenAPI document
      </Button>
      <p aria-live="polite" className={result?.isFault ? "text-small text-bad" : "text-small text-ink-2"}>
        {result?.text}
      </p>
    </div>
  );
}

type Read = { document: DocumentView; failure: DocumentFailure | null };

const DOCUMENT_WORDS: Record<DocumentFailure, string> = {
  unreachable: "Your API could not be reached.",
  absent: "There is no openapi.json at this address.",
  unreadable: "Its openapi.json is no OpenAPI document in JSON, or is larger than 1 MB.",
  nothing_to_sell: "It names no path below this address that a link can sell.",
};

/** Of an API, what most sellers leave as it is. */
export function ApiLimitFields({ form: { draft, faults, change } }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Methods"
        autoComplete="off"
        spellCheck={false}
        value={draft.upstreamMethods}
        onChange={(event) => change({ upstreamMethods: event.target.value })}
        error={faults.upstreamMethods}
      />
      <TextField
        label="It answers within"
        suffix="seconds"
        inputMode="numeric"
        autoComplete="off"
        value={draft.upstreamSeconds}
        onChange={(event) => change({ upstreamSeconds: event.target.value })}
        error={faults.upstreamSeconds}
      />
    </div>
  );
}
