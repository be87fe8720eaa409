"use client";

import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { CheckboxField, TextArea, TextField } from "@/components/ui/field";
import { NAME_MAX } from "@/lib/core/lengths";
import { FIELDS_MAX, METADATA_KEYS_MAX } from "@/lib/links/orders/limits";
import type { FieldDraft } from "./draft-types";
import type { LinkForm } from "./use-link-form";

/** The buyer's options and questions, and the seller's metadata. None of these can be changed later. */
export function OptionFields({ form }: { form: LinkForm }) {
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
