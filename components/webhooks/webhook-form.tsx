"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { CheckboxField, TextField } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { DESCRIPTION_MAX, URL_MAX } from "@/lib/webhooks/limits";
import { RECEIVER } from "./receiver";
import type { EventGroup } from "./types";
import { useWebhookCall } from "./use-webhook-call";
import { SECRET_RISK } from "./words";

export type WebhookTerms = { url: string; description: string; eventTypes: string[] | null };
export type WebhookFormProps = {
  title: string;
  verb: string;
  groups: readonly EventGroup[];
  now: WebhookTerms;
  isBusy: boolean;
  failure: { field?: string | undefined; message: string } | undefined;
  save: (terms: WebhookTerms) => void;
  /** Clears the error, called when the person edits the form. */
  forget: () => void;
  close: () => void;
  /** A dialog above the form. */
  nested: ReactNode;
};

/** The URL, the name and the event types of a webhook. */
export function WebhookForm({
  title,
  verb,
  groups,
  now: initialTerms,
  isBusy,
  failure,
  save,
  forget,
  close,
  nested,
}: WebhookFormProps) {
  const [url, setUrl] = useState(initialTerms.url);
  const [description, setDescription] = useState(initialTerms.description);
  const [isAll, setAll] = useState(initialTerms.eventTypes === null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(initialTerms.eventTypes ?? []));
  // An object, so that finding the same error again triggers the effect.
  const [problem, setProblem] = useState<{ text: string }>();
  const fields = useRef<HTMLFormElement>(null);

  // With all event types listed, a phone may not show the error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there is news, not when the form is another
  useEffect(() => {
    fields.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }, [problem, failure]);

  function submit() {
    if (!isAll && chosen.size === 0) return setProblem({ text: "Choose at least one kind of event." });
    setProblem(undefined);
    const types = groups.flatMap(({ choices }) => choices.map(({ type }) => type));
    save({
      url: url.trim(),
      description: description.trim(),
      eventTypes: isAll ? null : types.filter((type) => chosen.has(type)),
    });
  }

  const isAboutUrl = failure?.field === "url";
  return (
    <FormDialog
      title={title}
      description="We send each event to this address as a signed POST with JSON."
      verb={verb}
      isBusy={isBusy}
      submit={submit}
      close={close}
      formRef={fields}
      nested={nested}
    >
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={URL_MAX}
        placeholder="https://example.com/hooks"
        value={url}
        onChange={(event) => {
          setUrl(event.target.value);
          forget();
        }}
        error={isAboutUrl ? failure.message : undefined}
      />
      <TextField
        label="Description"
        aside="Optional"
        dir="auto"
        autoComplete="off"
        maxLength={DESCRIPTION_MAX}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-small font-medium">Events</legend>
        <Radio name="events" isChosen={isAll} choose={() => setAll(true)}>
          All events, including new ones
        </Radio>
        <Radio name="events" isChosen={!isAll} choose={() => setAll(false)}>
          Only some
        </Radio>
      </fieldset>
      {!isAll && <Choices groups={groups} chosen={chosen} choose={setChosen} />}
      {problem !== undefined && (
        <Note tone="bad" live="assertive">
          {problem.text}
        </Note>
      )}
      {failure && !isAboutUrl && (
        <Note tone="bad" live="assertive">
          {failure.message}
        </Note>
      )}
    </FormDialog>
  );
}

type ChoicesProps = {
  groups: readonly EventGroup[];
  chosen: ReadonlySet<string>;
  choose: (chosen: ReadonlySet<string>) => void;
};

function Choices({ groups, chosen, choose }: ChoicesProps) {
  function toggle(type: string, isOn: boolean) {
    const next = new Set(chosen);
    if (isOn) next.add(type);
    else next.delete(type);
    choose(next);
  }
  return (
    <div className="grid gap-4">
      {groups.map(({ label, choices }) => (
        <fieldset key={label}>
          <legend className="mb-1 text-small font-medium text-ink-2">{label}</legend>
          {choices.map((choice) => (
            <CheckboxField
              key={choice.type}
              label={choice.label}
              checked={chosen.has(choice.type)}
              onChange={(event) => toggle(choice.type, event.target.checked)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

type NewWebhookProps = { groups: readonly EventGroup[]; isFull: boolean };

const EMPTY: WebhookTerms = { url: "", description: "", eventTypes: null };

/** Adds a webhook, and shows its secret. */
export function NewWebhook({ groups, isFull }: NewWebhookProps) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { send, isBusy, failure, dialog, forget } = useWebhookCall();

  async function save(terms: WebhookTerms) {
    const createdWebhook = await send<{ secret: string }>("POST", "/api/webhooks", terms);
    if (!createdWebhook) return;
    setOpen(false);
    setSecret(createdWebhook.secret);
  }

  function close() {
    setOpen(false);
    forget();
  }

  return (
    <>
      <Button variant="primary" disabled={isFull} onClick={() => setOpen(true)}>
        Add webhook
      </Button>
      {isOpen && (
        <WebhookForm
          title="Add a webhook"
          verb="Add webhook"
          groups={groups}
          now={EMPTY}
          isBusy={isBusy}
          failure={failure}
          save={(terms) => void save(terms)}
          forget={forget}
          close={close}
          nested={dialog}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title="Store the secret"
          secret={secret}
          risk={SECRET_RISK}
          close={() => setSecret(undefined)}
          more={
            <Disclosure summary="Code for your receiver">
              <JsonView value={RECEIVER} label="receiver" />
            </Disclosure>
          }
        >
          Your receiver checks each message with this secret. When it runs, open the webhook and verify it.
        </SecretDialog>
      )}
    </>
  );
}
