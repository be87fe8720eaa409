"use client";

import { useSyncExternalStore } from "react";
import { CheckboxField, SelectField, TextArea, TextField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { CONTENT_MAX, DESCRIPTION_MAX } from "@/lib/links/rules";
import { labelWithNote, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { lengthOf } from "./draft";
import { FileField, ImageField } from "./upload-fields";
import type { LinkForm } from "./use-link-form";

type Props = { form: LinkForm };

/** Agent, price, network and reference, which cannot be changed later. */
export function PriceFields({ form, agents }: Props & { agents: readonly { id: string; name: string }[] }) {
  const { draft, faults, change } = form;
  return (
    <>
      <SelectField
        label="Agent"
        hint="This agent is paid, and can also change the link."
        value={draft.agentId}
        onChange={(event) => change({ agentId: event.target.value })}
        options={agents.map(({ id, name }) => ({ value: id, label: name }))}
        error={faults.agentId}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Price"
          suffix="USDC"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={draft.amount}
          onChange={(event) => change({ amount: event.target.value })}
          error={faults.amount}
        />
        <SelectField
          label="Network"
          value={draft.network}
          // The value is one of the options below.
          onChange={(event) => change({ network: event.target.value as NetworkName })}
          options={NETWORK_NAMES.map((name) => ({ value: name, label: labelWithNote(name) }))}
          error={faults.network}
        />
      </div>
      <TextField
        label="Your reference"
        aside="Optional"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={draft.reference}
        onChange={(event) => change({ reference: event.target.value })}
        hint="For example, an order number. Webhooks return it when the link is paid. Payers do not see it."
        error={faults.reference}
      />
    </>
  );
}

/** Fields that can be changed at any time. `origins`: allowed redirect origins. */
export function OfferFields({ form, origins }: Props & { origins: readonly string[] }) {
  const { draft, faults, change } = form;
  const zone = useSyncExternalStore(never, ownZone, () => null);
  return (
    <>
      <TextField
        label="Title"
        aside="Optional"
        dir="auto"
        autoComplete="off"
        value={draft.title}
        onChange={(event) => change({ title: event.target.value })}
        error={faults.title}
      />
      <TextArea
        label="Description"
        aside={<Count text={draft.description} max={DESCRIPTION_MAX} />}
        hint="Shown to everybody who opens the link, before they pay."
        dir="auto"
        rows={3}
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
        error={faults.description}
      />
      <ImageField form={form} />
      <TextArea
        label="Content"
        aside={<Count text={draft.resourceContent} max={CONTENT_MAX} />}
        hint="What you sell: text, an address, JSON. Only buyers get it, after they pay. If empty, they get a receipt."
        dir="auto"
        rows={5}
        spellCheck={false}
        value={draft.resourceContent}
        onChange={(event) => change({ resourceContent: event.target.value })}
        error={faults.resourceContent}
      />
      <FileField form={form} />
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
      <TextField
        label="Then send the payer to"
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
        label="Send a payer who cancels to"
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
      <CheckboxField
        label="List this link publicly"
        hint="Catalogues of paid resources may show its price and description, and agents can find it. Its content stays private."
        checked={draft.isListed}
        onChange={(event) => change({ isListed: event.target.checked })}
      />
      <CheckboxField
        label="Buyers may buy it again"
        hint="An agent that requests the link again pays again. Otherwise, an agent that has paid can sign in to read what it bought."
        checked={draft.isRepeatable}
        onChange={(event) => change({ isRepeatable: event.target.checked })}
      />
    </>
  );
}

function Count({ text, max }: { text: string; max: number }) {
  const length = lengthOf(text);
  return (
    <span className={length > max ? "num text-bad" : "num"}>
      {formatCount(length)} of {formatCount(max)}
    </span>
  );
}

const never = () => () => {};
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
