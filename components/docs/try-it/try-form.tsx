"use client";

import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { TextArea, TextField } from "@/components/ui/field";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import type { Call } from "@/lib/docs/calls";
import { type BuiltRequest, buildRequest, curlOf, keyOf, type Values } from "./request";

export type TryFormProps = { call: Call };

/** The values stay in this component: nothing is stored, so that no token outlives the page. */
export function TryForm({ call }: TryFormProps) {
  const [values, setValues] = useState<Values>({});
  const [body, setBody] = useState(call.body?.sample ?? "");
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const { sending, start, cancel } = useSend(call.session !== null);
  const built = buildRequest(window.location.origin, call, values, body);
  const faults = attempts > 0 && built.type === "invalid" ? built.faults : {};

  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [attempts]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (sending.state === "sending") return;
    if (built.type === "valid") start(built.request);
    else setAttempts(attempts + 1);
  }

  function stop() {
    cancel();
    // The button is about to disappear, and the focus with it.
    form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
  }

  return (
    <form ref={form} onSubmit={submit} noValidate autoComplete="off" className="grid gap-4">
      {call.fields.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {call.fields.map((field) => {
            const key = keyOf(field);
            return (
              <TextField
                key={key}
                label={field.label}
                aside={field.isRequired ? undefined : "Optional"}
                hint={field.hint === "" ? undefined : field.hint}
                error={faults[key]}
                value={values[key] ?? ""}
                onChange={({ target }) => setValues({ ...values, [key]: target.value })}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
              />
            );
          })}
        </div>
      )}
      {call.body && (
        <TextArea
          label="Body"
          aside={call.body.type}
          rows={Math.min(Math.max(call.body.sample.split("\n").length + 1, 4), 16)}
          className="[&_textarea]:font-mono"
          value={body}
          onChange={({ target }) => setBody(target.value)}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {call.session !== null && (
        <p className="text-small text-ink-2">
          Sent with your session in this browser.{call.method === "GET" ? "" : " It takes effect."}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" size="small" type="submit" busy={sending.state === "sending"}>
          {sending.state === "sending" ? "Sending…" : "Send request"}
        </Button>
        {sending.state === "sending" && (
          <Button size="small" onClick={stop}>
            Cancel
          </Button>
        )}
        {built.type === "valid" && <Copy value={curlOf(built.request, call.session)} label="Copy as curl" />}
      </div>
      <Result sending={sending} />
    </form>
  );
}

/** The response, or the state of the request. Only the first line is announced to screen readers. */
function Result({ sending }: { sending: Sending }) {
  return (
    <div className="grid min-w-0 gap-3 border-t pt-4">
      <div role="status" className="text-small">
        {sending.state === "done" ? <Head answer={sending.answer} /> : WORDS[sending.state]}
      </div>
      {sending.state === "failed" && (
        <Note tone="bad" title="No response">
          The service did not answer, or redirected to another site. What the request did is unknown.
        </Note>
      )}
      {sending.state === "done" && <Details answer={sending.answer} />}
    </div>
  );
}

const WORDS = {
  empty: <span className="text-ink-2">The response appears here.</span>,
  sending: <span className="text-ink-2">Waiting for the response…</span>,
  cancelled: <span className="text-ink-2">Cancelled. The service may have received the request.</span>,
  failed: <span className="sr-only">No response. What the request did is unknown.</span>,
};

const Head = ({ answer: { status, statusText, milliseconds } }: { answer: Answer }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <Badge tone={toneOf(status)}>
      {status} {statusText}
    </Badge>
    <span className="text-ink-2">{milliseconds} ms</span>
  </span>
);

const toneOf = (status: number): BadgeTone => {
  if (status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "info" : "good";
};

function Details({ answer: { headers, text, isCut } }: { answer: Answer }) {
  const contents = headers.flatMap(([name, value]) => {
    const content = decoded(value);
    return content === null ? [] : [{ name, content }];
  });
  return (
    <>
      {headers.length > 0 && (
        <dl className="grid gap-2 text-small">
          {headers.map(([name, value]) => (
            <div key={name} className="grid items-baseline gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
              <dt className="text-ink-2">{name}</dt>
              <dd className="flex min-w-0 items-center gap-1.5">
                <span className="line-clamp-3 min-w-0 flex-1 [overflow-wrap:anywhere]">{value}</span>
                <Copy value={value} label={`Copy ${name}`} iconOnly />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {contents.map(({ name, content }) => (
        <div key={name} className="grid min-w-0 gap-1.5">
          <p className="text-small font-medium">{name}, decoded</p>
          <JsonView value={content} label={`${name}, decoded`} />
        </div>
      ))}
      <div className="grid min-w-0 gap-1.5">
        <p className="text-small font-medium">Body</p>
        {text === "" ? (
          <p className="text-small text-ink-2">The response has no body.</p>
        ) : (
          <JsonView value={text} label="Response body" />
        )}
        {isCut && <p className="text-small text-ink-2">Only the beginning is shown. Use curl to get all of it.</p>}
      </div>
    </>
  );
}

type Sending =
  | { readonly state: "empty" | "sending" | "cancelled" | "failed" }
  | { readonly state: "done"; readonly answer: Answer };

/** Sends one request at a time. Leaving the page cancels it. */
function useSend(withSession: boolean) {
  const [sending, setSending] = useState<Sending>({ state: "empty" });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  const start = useCallback(
    (request: BuiltRequest) => {
      const controller = new AbortController();
      current.current = controller;
      setSending({ state: "sending" });
      send(request, withSession, controller.signal).then(
        (response) => setSending({ state: "done", answer: response }),
        () => setSending({ state: controller.signal.aborted ? "cancelled" : "failed" }),
      );
    },
    [withSession],
  );
  const cancel = useCallback(() => current.current?.abort(), []);
  return { sending, start, cancel };
}

type Answer = {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  /** Only headers of interest to a reader. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** True if `text` is truncated. */
  readonly isCut: boolean;
};

/** In the order in which they are shown. */
const SHOWN = [
  "Retry-After",
  "PAYMENT-REQUIRED",
  "WWW-Authenticate",
  "PAYMENT-RESPONSE",
  "Payment-Receipt",
  "Location",
  "Idempotency-Replayed",
  "Content-Type",
  "X-Request-Id",
];

/** In characters. Longer texts would make the page slow. */
const TEXT_MAX = 100_000;

export const shownHeaders = (headers: Headers): Answer["headers"] =>
  SHOWN.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });

/** The JSON in a header that is base64 of JSON, such as PAYMENT-REQUIRED. Null for any other value. */
export function decoded(value: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    const content: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof content === "object" ? content : null;
  } catch {
    return null;
  }
}

export const cut = (text: string): Pick<Answer, "text" | "isCut"> =>
  text.length > TEXT_MAX ? { text: text.slice(0, TEXT_MAX), isCut: true } : { text, isCut: false };

/** Sends the request to this service only: a redirect to another origin fails. */
async function send(
  { method, url, headers, body }: BuiltRequest,
  withSession: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const start = performance.now();
  const res = await fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body,
    mode: "same-origin",
    credentials: withSession ? "same-origin" : "omit",
    cache: "no-store",
    signal,
  });
  const text = await res.text();
  const milliseconds = Math.round(performance.now() - start);
  return {
    status: res.status,
    statusText: res.statusText,
    milliseconds,
    headers: shownHeaders(res.headers),
    ...cut(text),
  };
}
