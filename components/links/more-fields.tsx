"use client";

import { Plus, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { CheckboxField, SelectField, TextArea, TextField } from "@/components/ui/field";
import { More } from "@/components/ui/more";
import { UsdcField } from "@/components/ui/usdc-field";
import { NAME_MAX } from "@/lib/core/lengths";
import { FIELDS_MAX, METADATA_KEYS_MAX } from "@/lib/links/orders/limits";
import { DESCRIPTION_MAX } from "@/lib/links/rules";
import { labelWithNote, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { ApiLimitFields } from "./api-fields";
import { draftOf } from "./draft";
import { PASS_FIELDS } from "./draft-pass";
import type { FieldDraft, LinkField } from "./draft-types";
import { Count } from "./link-fields";
import { PassFields } from "./pass-fields";
import type { LinkForm } from "./use-link-form";

type Props = { form: LinkForm };
type MoreFieldsProps = Props & {
  /** Allowed redirect origins. */
  origins: readonly string[];
  /** A new link also has the fields that cannot be changed later. */
  isNew: boolean;
};

const FIELDS = [
  "description",
  "minAmount",
  "maxAmount",
  "presets",
  "maxQuantity",
  "fields",
  "expiresAt",
  "maxUses",
  "redirectUrl",
  "cancelUrl",
  "network",
  "reference",
  "metadata",
  "taxNote",
  "disabledMessage",
  "isListed",
  "isRepeatable",
  "upstreamMethods",
  "upstreamSeconds",
  ...PASS_FIELDS,
] as const satisfies readonly LinkField[];

const EMPTY = draftOf("");

/** What most links do without. */
export function MoreFields({ form, origins, isNew }: MoreFieldsProps) {
  const { isApi } = form.draft;
  const isFilled = FIELDS.some((name) => JSON.stringify(form.before[name]) !== JSON.stringify(EMPTY[name]));
  return (
    <More names={FIELDS} faults={form.faults} isFilled={isFilled}>
      <DescriptionField form={form} />
      {isNew && !isApi && <OrderFields form={form} />}
      {isApi && <ApiLimitFields form={form} />}
      {isApi && <PassFields form={form} />}
      <LimitFields form={form} />
      {!isApi && <RedirectFields form={form} origins={origins} />}
      {isNew && <SellerFields form={form} />}
      <MessageFields form={form} />
      <ReachFields form={form} />
    </More>
  );
}

function DescriptionField({ form: { draft, faults, change } }: Props) {
  return (
    <TextArea
      label="Description"
      aside={<Count text={draft.description} max={DESCRIPTION_MAX} />}
      hint="Everyone who opens the link sees it."
      dir="auto"
      rows={3}
      value={draft.description}
      onChange={(event) => change({ description: event.target.value })}
      error={faults.description}
    />
  );
}

/** What the buyer chooses and answers. */
function OrderFields({ form: { draft, faults, change } }: Props) {
  return (
    <>
      <fieldset className="grid gap-4">
        <legend className="mb-2.5 text-small font-medium">The buyer chooses the amount</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <UsdcField
            label="Lowest amount"
            aside="Optional"
            value={draft.minAmount}
            onText={(minAmount) => change({ minAmount })}
            error={faults.minAmount}
          />
          <UsdcField
            label="Highest amount"
            aside="Optional"
            value={draft.maxAmount}
            onText={(maxAmount) => change({ maxAmount })}
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
        hint="The buyer can buy up to this many. The price above is then the price of one."
        error={faults.maxQuantity}
      />
      <Questions fields={draft.fields} change={(fields) => change({ fields })} error={faults.fields} />
    </>
  );
}

function LimitFields({ form: { draft, faults, change } }: Props) {
  const zone = useSyncExternalStore(never, ownZone, () => null);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Expires"
        aside="Optional"
        type="datetime-local"
        value={draft.expiresAt}
        onChange={(event) => change({ expiresAt: event.target.value })}
        hint={zone === null ? "In your time zone." : `In your time zone, ${zone}.`}
        error={faults.expiresAt}
      />
      <TextField
        label="Can be paid"
        aside="Optional"
        suffix="times"
        inputMode="numeric"
        autoComplete="off"
        value={draft.maxUses}
        onChange={(event) => change({ maxUses: event.target.value })}
        hint="Leave it empty for no limit."
        error={faults.maxUses}
      />
    </div>
  );
}

function RedirectFields({ form: { draft, faults, change }, origins }: Props & Pick<MoreFieldsProps, "origins">) {
  return (
    <>
      <TextField
        label="Then send the buyer to"
        aside="Optional"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={draft.redirectUrl}
        onChange={(event) => change({ redirectUrl: event.target.value })}
        hint={
          <>
            {origins.map((origin, index) => (
              <span key={origin}>
                {index === 0 ? "A page on " : ", "}
                <span className="mono [overflow-wrap:anywhere]">{origin}</span>
              </span>
            ))}
            {origins.length > 0 ? ", or one" : "One"} of this server's payment links or receipts.{" "}
            <a href="/dashboard/settings#domains" className="underline underline-offset-4">
              Verify your domain
            </a>{" "}
            to use its pages.
          </>
        }
        error={faults.redirectUrl}
      />
      <TextField
        label="Send a buyer who cancels to"
        aside="Optional"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={draft.cancelUrl}
        onChange={(event) => change({ cancelUrl: event.target.value })}
        hint="On the same sites."
        error={faults.cancelUrl}
      />
    </>
  );
}

/** Network, reference and metadata, which cannot be changed later. */
function SellerFields({ form: { draft, faults, change } }: Props) {
  return (
    <>
      <SelectField
        label="Network"
        value={draft.network}
        // The value is one of the options below.
        onChange={(event) => change({ network: event.target.value as NetworkName })}
        options={NETWORK_NAMES.map((name) => ({ value: name, label: labelWithNote(name) }))}
        hint="It cannot be changed later."
        error={faults.network}
      />
      <TextField
        label="Your reference"
        aside="Optional"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={draft.reference}
        onChange={(event) => change({ reference: event.target.value })}
        hint="For example, an order number. Webhooks return it. Buyers do not see it."
        error={faults.reference}
      />
      <TextArea
        label="Metadata"
        aside="Optional"
        rows={3}
        spellCheck={false}
        placeholder="customer = 42"
        value={draft.metadata}
        onChange={(event) => change({ metadata: event.target.value })}
        hint={`For your own programs: one key = value per line, at most ${METADATA_KEYS_MAX}. Buyers do not see it.`}
        error={faults.metadata}
      />
    </>
  );
}

function MessageFields({ form: { draft, faults, change } }: Props) {
  return (
    <>
      <TextArea
        label="Tax note on receipts"
        aside="Optional"
        dir="auto"
        rows={2}
        value={draft.taxNote}
        onChange={(event) => change({ taxNote: event.target.value })}
        hint="For example, your tax number. A receipt keeps the note of its sale."
        error={faults.taxNote}
      />
      <TextArea
        label="Message while it is disabled"
        aside="Optional"
        dir="auto"
        rows={2}
        value={draft.disabledMessage}
        onChange={(event) => change({ disabledMessage: event.target.value })}
        hint="Visitors read it if you disable the link."
        error={faults.disabledMessage}
      />
    </>
  );
}

function ReachFields({ form: { draft, change } }: Props) {
  return (
    <>
      <CheckboxField
        label="List this link publicly"
        hint={
          draft.isApi
            ? "Catalogues of paid resources may show its paths and prices, and agents can find it."
            : "Catalogues of paid resources may show its price and description, and agents can find it. Its content stays private."
        }
        checked={draft.isListed}
        onChange={(event) => change({ isListed: event.target.checked })}
      />
      {!draft.isApi && (
        <CheckboxField
          label="Buyers may buy it again"
          hint="An agent that requests the link again pays again. Otherwise, an agent that has paid can sign in to read what it bought."
          checked={draft.isRepeatable}
          onChange={(event) => change({ isRepeatable: event.target.checked })}
        />
      )}
    </>
  );
}

const never = () => () => {};
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

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
      <legend className="mb-2.5 text-small font-medium">Questions to the buyer</legend>
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
