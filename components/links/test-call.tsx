"use client";

import { type FormEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { callApi } from "@/lib/http/client";
import type { TestResult } from "@/lib/links/upstream/contract";
import { callStatus, FAILURE_WORDS, linkSentence } from "./words";

export type TestCallProps = {
  /** Of the endpoint. */
  path: `/api/${string}`;
  methods: readonly string[];
  /** A path that is sold. */
  example: string;
};

/** Calls the seller's API as a buyer's request would, without a payment. */
export function TestCall({ path, methods, example }: TestCallProps) {
  const [method, setMethod] = useState(methods[0] ?? "GET");
  const [target, setTarget] = useState(example);
  const [body, setBody] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<TestResult>();
  const [fault, setFault] = useState<string>();
  const hasBody = method !== "GET" && method !== "DELETE";

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setResult(undefined);
    const [, variable] = /^[^?]*(\{\w+\})/.exec(target) ?? [];
    setFault(variable && `Write a value in place of ${variable}.`);
    if (variable !== undefined) return;
    setBusy(true);
    const request = { method, path: target, body: hasBody && body !== "" ? body : null };
    const response = await callApi<{ call: TestResult }>("POST", path, request);
    setBusy(false);
    if (response.ok) setResult(response.data.call);
    else setFault(linkSentence(response));
  }

  return (
    <Card title="Try it without paying" aria-label="Try it without paying" className="grid gap-4 [&>header]:mb-0">
      <form onSubmit={send} noValidate className="grid gap-4">
        <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3">
          <SelectField
            label="Method"
            value={method}
            onChange={(event) => setMethod(event.target.value)}
            options={methods.map((value) => ({ value, label: value }))}
          />
          <TextField
            label="Path"
            autoComplete="off"
            spellCheck={false}
            value={target}
            onChange={(event) => setTarget(event.target.value)}
          />
        </div>
        {hasBody && (
          <TextArea
            label="Body"
            aside="JSON"
            rows={3}
            spellCheck={false}
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
        )}
        <Button type="submit" busy={isBusy}>
          Send
        </Button>
      </form>
      <div aria-live="polite" className="grid gap-2 empty:hidden">
        {fault !== undefined && <p className="text-small text-bad">{fault}</p>}
        {result && <Result {...result} />}
      </div>
    </Card>
  );
}

function Result({ status, failure, milliseconds, body }: TestResult) {
  const { tone, label } = callStatus({ status, failure, isTest: true });
  return (
    <>
      <p className="flex flex-wrap items-center gap-2.5">
        <Badge tone={tone}>{label}</Badge>
        <span className="num text-small text-ink-2">{formatCount(milliseconds)} ms</span>
      </p>
      {failure !== null && <p className="text-small text-ink-2">{FAILURE_WORDS[failure]}</p>}
      {body !== null && body !== "" && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
          tabIndex={0}
          className="mono max-h-80 overflow-auto rounded-control bg-sunk px-3.5 py-3 text-small whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {body}
        </pre>
      )}
    </>
  );
}
