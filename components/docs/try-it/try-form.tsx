"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { TextArea, TextField } from "@/components/ui/field";
import type { Call } from "@/lib/docs/calls";
import { buildRequest, curlOf, keyOf, type Values } from "./request";
import { Result } from "./result";
import { useSend } from "./use-send";

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
