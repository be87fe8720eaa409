"use client";

import { type FormEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { callApi } from "@/lib/http/client";
import type { TestResult } from "@/lib/links/upstream/contract";
import type { UpstreamKind } from "@/lib/links/upstream/rules";
import { isToolName, toolPath } from "@/lib/links/upstream/tools/names";
import { callStatus, FAILURE_WORDS, linkSentence } from "./words";

export type TestCallProps = {
  /** Of the endpoint. */
  path: `/api/${string}`;
  kind: UpstreamKind;
  methods: readonly string[];
  /** A path or tool that is sold; empty for every tool. */
  example: string;
};

/** Calls the seller's API or tool as a buyer would, without a payment. */
export function TestCall({ path, kind, methods, example }: TestCallProps) {
  const [method, setMethod] = useState(methods[0] ?? "GET");
  const [target, setTarget] = useState(example);
  const [body, setBody] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<TestResult>();
  const [fault, setFault] = useState<string>();
  const isTool = kind === "mcp";
  const hasBody = method !== "GET" && method !== "DELETE";

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setResult(undefined);
    const refusal = isTool ? toolFault(target) : pathFault(target);
    setFault(refusal);
    if (refusal !== undefined) return;
    setBusy(true);
    const called = isTool ? toolPath(target.trim()) : target;
    const request = { method, path: called, body: hasBody && body !== "" ? body : null };
    const response = await callApi<{ call: TestResult }>("POST", path, request);
    setBusy(false);
    if (response.ok) setResult(response.data.call);
    else setFault((isTool && TOOL_SENTENCES[response.code]) || linkSentence(response));
  }

  return (
    <Card title="Try it without paying" aria-label="Try it without paying" className="grid gap-4 [&>header]:mb-0">
      <form onSubmit={send} noValidate className="grid gap-4">
        <div className={isTool ? "grid" : "grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3"}>
          {!isTool && (
            <SelectField
              label="Method"
              value={method}
              onChange={(event) => setMethod(event.target.value)}
              options={methods.map((value) => ({ value, label: value }))}
            />
          )}
          <TextField
            label={isTool ? "Tool" : "Path"}
            autoComplete="off"
            spellCheck={false}
            value={target}
            onChange={(event) => setTarget(event.target.value)}
          />
        </div>
        {hasBody && (
          <TextArea
            label={isTool ? "Arguments" : "Body"}
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

const TOOL_SENTENCES: Record<string, string> = {
  path_not_offered: "This link does not sell this tool.",
  invalid_json: "Write the arguments as a JSON object.",
};

const pathFault = (target: string): string | undefined => {
  const [, variable] = /^[^?]*(\{\w+\})/.exec(target) ?? [];
  return variable && `Write a value in place of ${variable}.`;
};

const toolFault = (name: string): string | undefined =>
  isToolName(name.trim()) ? undefined : "Write the name of a tool.";

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
