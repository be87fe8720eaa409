"use client";

import { FileDown } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/field";
import { Radio } from "@/components/ui/radio";
import { callApi } from "@/lib/http/client";
import type { DocumentFailure, DocumentView } from "@/lib/links/upstream/document/contract";
import type { UpstreamKind } from "@/lib/links/upstream/rules";
import { EXAMPLE_URLS, readHeaders, withDocument } from "./draft-upstream";
import { type LinkForm, useLatestForm } from "./use-link-form";
import { faultsOf } from "./words";

type Props = { form: LinkForm };

/** A link sells one of these. */
export function KindField({ form: { draft, change } }: Props) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-small font-medium">What do you sell?</legend>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-3">
        <Radio name="kind" isChosen={!draft.isApi} choose={() => change({ isApi: false })}>
          A thing or a service
        </Radio>
        {(["http", "mcp"] as const).map((kind) => (
          <Radio
            key={kind}
            name="kind"
            isChosen={draft.isApi && draft.upstreamKind === kind}
            choose={() => change({ isApi: true, upstreamKind: kind })}
          >
            {WORDS[kind].choice}
          </Radio>
        ))}
      </div>
    </fieldset>
  );
}

const WORDS = {
  http: {
    choice: "Calls to your API",
    url: "Address of your API",
    paths: "Paths and prices",
    pathsExample: "/quotes/{symbol} = 0.01\n/report = 0.50",
    pathsHint: "One per line; {symbol} stands for any text. If empty, every path costs the price above.",
    read: "Read its OpenAPI document",
    one: "path",
    many: "paths",
    noUrl: "Enter the address of your API first.",
    failures: {
      unreachable: "Your API could not be reached.",
      refused: "Your API refused this server.",
      absent: "There is no openapi.json at this address.",
      unreadable: "Its openapi.json is no OpenAPI document in JSON, or is larger than 1 MB.",
      nothing_to_sell: "It names no path below this address that a link can sell.",
    },
  },
  mcp: {
    choice: "Your MCP tools",
    url: "Address of your MCP server",
    paths: "Tools and prices",
    pathsExample: "forecast = 0.01\nhistory = 0.50",
    pathsHint: "One per line. If empty, every tool costs the price above.",
    read: "Read its tools",
    one: "tool",
    many: "tools",
    noUrl: "Enter the address of your MCP server first.",
    failures: {
      unreachable: "Your MCP server could not be reached.",
      refused: "It refused this server. Enter its headers above.",
      absent: "There is no MCP server at this address.",
      unreadable: "It does not answer as an MCP server of Streamable HTTP.",
      nothing_to_sell: "It lists no tool that a link can sell.",
    },
  },
} satisfies Record<UpstreamKind, Record<string, string | Record<DocumentFailure, string>>>;

export type ApiFieldsProps = Props & {
  /** The names of the headers that are stored, or of the link that is duplicated. */
  headerNames: readonly string[];
  isNew: boolean;
};

/** The seller's API or MCP server. */
export function ApiFields({ form, headerNames, isNew }: ApiFieldsProps) {
  const { draft, faults, change } = form;
  const words = WORDS[draft.upstreamKind];
  const names = headerNames.join(", ");
  const stored = isNew ? `Enter again: ${names}.` : `Stored: ${names}. Leave it empty to keep them.`;
  return (
    <>
      <TextField
        label={words.url}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={EXAMPLE_URLS[draft.upstreamKind]}
        value={draft.upstreamUrl}
        onChange={(event) => change({ upstreamUrl: event.target.value })}
        hint="Buyers get an address of this server, which forwards what is paid to yours."
        error={faults.upstreamUrl}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextArea
          label="Headers it gets"
          aside="Optional"
          rows={3}
          autoComplete="off"
          spellCheck={false}
          placeholder="Authorization: Bearer …"
          value={draft.upstreamHeaders}
          onChange={(event) => change({ upstreamHeaders: event.target.value })}
          hint={`One name: value per line, such as your key. ${names === "" ? "They are stored encrypted and never shown again." : stored}`}
          error={faults.upstreamHeaders}
        />
        <TextArea
          label={words.paths}
          aside="Optional"
          rows={3}
          autoComplete="off"
          spellCheck={false}
          placeholder={words.pathsExample}
          value={draft.upstreamPaths}
          onChange={(event) => change({ upstreamPaths: event.target.value })}
          hint={words.pathsHint}
          error={faults.upstreamPaths}
        />
      </div>
      <DocumentReader key={draft.upstreamKind} form={form} />
    </>
  );
}

/** Fills in the paths of the API's OpenAPI document, or the MCP server's tools. What is typed stays. */
function DocumentReader({ form }: Props) {
  const kind = form.draft.upstreamKind;
  const words = WORDS[kind];
  const latest = useLatestForm(form);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<{ isFault: boolean; text: string }>();

  async function read() {
    const headers = readHeaders(form.draft.upstreamHeaders);
    if (kind === "mcp" && headers === null)
      return setResult({ isFault: true, text: "Write each header as name: value." });
    setBusy(true);
    setResult(undefined);
    const url = form.draft.upstreamUrl.trim();
    const asked = kind === "mcp" ? { kind, url, headers } : { url };
    const response = await callApi<Read>("POST", "/api/upstream-document", asked);
    setBusy(false);
    if (!response.ok) {
      const [text = ""] = Object.values(faultsOf(response));
      return setResult({ isFault: true, text: url === "" ? words.noUrl : text });
    }
    const { document, failure } = response.data;
    if (document === null) return setResult({ isFault: true, text: failure === null ? "" : words.failures[failure] });
    latest.current.change(withDocument(latest.current.draft, document));
    const left = document.leftOut === 0 ? "" : ` ${document.leftOut} left out: a link cannot sell them.`;
    const count = document.paths.length;
    setResult({ isFault: false, text: `${count} ${count === 1 ? words.one : words.many} read.${left}` });
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button size="small" className="min-h-11" busy={isBusy} onClick={read}>
        <FileDown aria-hidden />
        {words.read}
      </Button>
      <p aria-live="polite" className={result?.isFault ? "text-small text-bad" : "text-small text-ink-2"}>
        {result?.text}
      </p>
    </div>
  );
}

type Read = { document: DocumentView; failure: DocumentFailure | null };

/** Of an API, what most sellers leave as it is. */
export function ApiLimitFields({ form: { draft, faults, change } }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {draft.upstreamKind === "http" && (
        <TextField
          label="Methods"
          autoComplete="off"
          spellCheck={false}
          value={draft.upstreamMethods}
          onChange={(event) => change({ upstreamMethods: event.target.value })}
          error={faults.upstreamMethods}
        />
      )}
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
