"use client";

import { ExternalLink, Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, buttonClass, IconButton } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Disclosure } from "@/components/ui/disclosure";
import { CheckboxField, TextArea, TextField } from "@/components/ui/field";
import { FormFault } from "@/components/ui/form-faults";
import { Qr } from "@/components/ui/qr";
import { NAME_MAX } from "@/lib/core/lengths";
import { callApi } from "@/lib/http/client";
import { FIELDS_MAX, METADATA_KEYS_MAX } from "@/lib/links/orders/limits";
import { readDraft } from "./draft";
import type { FieldDraft, LinkDraft, LinkStart } from "./draft-types";
import { OfferFields, PriceFields } from "./link-fields";
import { LinkPreview } from "./link-preview";
import { type LinkForm, useLinkForm } from "./use-link-form";
import { faultsOf } from "./words";

export type NewLinkProps = {
  agents: readonly { id: string; name: string }[];
  /** The link to duplicate, and its agent. */
  start?: { agentId: string; link: LinkStart } | undefined;
  origins: readonly string[];
};

/** Creates a link, then shows its URL. */
export function NewLink(props: NewLinkProps) {
  const [createdLink, setMade] = useState<MadeLink>();
  const [round, setRound] = useState(0);
  if (createdLink) {
    const resetForm = () => {
      setMade(undefined);
      setRound(round + 1);
    };
    return <LinkMade link={createdLink} again={resetForm} />;
  }
  return <Form key={round} {...props} start={round === 0 ? props.start : undefined} onMade={setMade} />;
}

function Form({ agents, start, origins, onMade }: NewLinkProps & { onMade: (link: MadeLink) => void }) {
  const form = useLinkForm(start?.agentId ?? agents[0]?.id ?? "", start?.link, async (draft: LinkDraft) => {
    const parsed = readDraft(draft);
    if (parsed.type === "invalid") return parsed.faults;
    const path = `/api/agents/${draft.agentId}/payment-links` as const;
    const response = await callApi<{ paymentLink: MadeLink }>("POST", path, parsed.body);
    if (response.ok) onMade(response.data.paymentLink);
    else if (response.status === 0) return { form: UNKNOWN };
    return response.ok ? undefined : faultsOf(response);
  });
  const agentName = agents.find(({ id }) => id === form.draft.agentId)?.name ?? "";
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]">
      <Card>
        <form ref={form.ref} onSubmit={form.submit} noValidate aria-label="New payment link" className="grid gap-5">
          <PriceFields form={form} agents={agents} />
          <OfferFields form={form} origins={origins} />
          <OptionFields form={form} />
          <FormFault fault={form.faults.form} />
          <Button type="submit" variant="primary" wide busy={form.isBusy}>
            Create link
          </Button>
        </form>
      </Card>
      <LinkPreview draft={form.draft} agentName={agentName} />
    </div>
  );
}

const UNKNOWN =
  "The server could not be reached, so the link may or may not have been created. Check your links before you try again. Your input is still here.";

type MadeLink = { linkId: string; url: string };

function LinkMade({ link: { linkId, url }, again: onCreateAnother }: { link: MadeLink; again: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card lift className="grid max-w-150 gap-6">
      <div className="grid gap-1.5">
        <h2 ref={heading} tabIndex={-1} className="rounded-control text-[1.125rem] leading-snug">
          Your link is ready
        </h2>
        <p className="text-control text-ink-2">Send it to the payer. People and agents can pay it.</p>
      </div>
      <Qr value={url} label="Scan to open the checkout" className="justify-self-center" />
      <div className="flex flex-wrap justify-center gap-2.5">
        <Copy value={url} label="Copy link" className="min-h-11!" />
        <a href={url} target="_blank" rel="noreferrer" className={cx(buttonClass({ size: "small" }), "min-h-11!")}>
          <ExternalLink aria-hidden />
          Open the checkout
        </a>
      </div>
      <div className="flex flex-wrap justify-between gap-2.5 border-t pt-5">
        <Button onClick={onCreateAnother}>Create another link</Button>
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink href="/dashboard/links">All links</ButtonLink>
          <ButtonLink href={`/dashboard/links/${linkId}`} variant="primary">
            View this link
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}

/** The buyer's options and questions, and the seller's metadata. None of these can be changed later. */
function OptionFields({ form }: { form: LinkForm }) {
  const { draft, faults, change } = form;
  const [isOpen, setOpen] = useState(draft.minAmount !== "" || draft.maxQuantity !== "" || draft.fields.length > 0);
  const hasFault = OPTIONS.some((name) => faults[name] !== undefined);
  // It stays open, so that correcting the error does not hide its field.
  if (hasFault && !isOpen) setOpen(true);
  return (
    <Disclosure summary="More options" open={isOpen}>
      <div className="grid gap-5">
        <fieldset className="grid gap-4">
          <legend className="mb-1 text-small font-medium">The payer chooses the amount</legend>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Lowest amount"
              aside="Optional"
              suffix="USDC"
              inputMode="decimal"
              autoComplete="off"
              value={draft.minAmount}
              onChange={(event) => change({ minAmount: event.target.value })}
              error={faults.minAmount}
            />
            <TextField
              label="Highest amount"
              aside="Optional"
              suffix="USDC"
              inputMode="decimal"
              autoComplete="off"
              value={draft.maxAmount}
              onChange={(event) => change({ maxAmount: event.target.value })}
              error={faults.maxAmount}
            />
          </div>
          <TextField
            label="Suggested amounts"
            aside="Optional"
            inputMode="decimal"
            autoComplete="off"
            placeholder="5 10 25"
            value={draft.presets}
            onChange={(event) => change({ presets: event.target.value })}
            hint="Up to four, separated by spaces. The price above is the default amount."
            error={faults.presets}
          />
        </fieldset>
        <TextField
          label="Highest quantity"
          aside="Optional"
          inputMode="numeric"
          autoComplete="off"
          value={draft.maxQuantity}
          onChange={(event) => change({ maxQuantity: event.target.value })}
          hint="The payer can buy up to this many. The price above is then the price of one."
          error={faults.maxQuantity}
        />
        <Questions fields={draft.fields} change={(fields) => change({ fields })} error={faults.fields} />
        <TextArea
          label="Metadata"
          aside="Optional"
          rows={3}
          spellCheck={false}
          placeholder="customer = 42"
          value={draft.metadata}
          onChange={(event) => change({ metadata: event.target.value })}
          hint={`For your own programs: one key = value per line, at most ${METADATA_KEYS_MAX}. Payers do not see it.`}
          error={faults.metadata}
        />
      </div>
    </Disclosure>
  );
}

const OPTIONS = ["minAmount", "maxAmount", "presets", "maxQuantity", "fields", "metadata"] as const;

type QuestionsProps = {
  fields: readonly FieldDraft[];
  change: (fields: FieldDraft[]) => void;
  error: string | undefined;
};

function Questions({ fields, change, error }: QuestionsProps) {
  const updateField = (index: number, part: Partial<FieldDraft>) =>
    change(fields.map((field, position) => (position === index ? { ...field, ...part } : field)));
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 text-small font-medium">Questions to the payer</legend>
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a question has no identity but its place
        <div key={index} className="grid gap-1 rounded-control border p-3">
          <div className="flex items-end gap-2">
            <TextField
              label={`Question ${index + 1}`}
              className="flex-1"
              dir="auto"
              maxLength={NAME_MAX}
              autoComplete="off"
              placeholder="E-mail address"
              value={field.label}
              onChange={(event) => updateField(index, { label: event.target.value })}
              error={index === fields.length - 1 ? error : undefined}
            />
            <IconButton
              label={`Remove question ${index + 1}`}
              icon={<X aria-hidden />}
              className="size-11"
              onClick={() => change(fields.filter((_, position) => position !== index))}
            />
          </div>
          <CheckboxField
            label="An answer is required"
            checked={field.isRequired}
            onChange={(event) => updateField(index, { isRequired: event.target.checked })}
          />
        </div>
      ))}
      {fields.length < FIELDS_MAX && (
        <div>
          <Button
            size="small"
            className="min-h-11"
            onClick={() => change([...fields, { label: "", isRequired: true }])}
          >
            <Plus aria-hidden />
            Add a question
          </Button>
        </div>
      )}
    </fieldset>
  );
}
