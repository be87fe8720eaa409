"use client";

import { useId } from "react";
import { CheckboxField, SelectField, TextArea, TextField } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { formatUsdc } from "@/lib/core/money";
import { DraftForm, useDraft } from "./draft-form";
import { type Draft, type Fault, narrower, type Terms } from "./narrower";
import { hostText } from "./words";

export type NarrowProps = { mandateId: string; terms: Terms };

/** Narrows a requested mandate before it is signed. It can never allow more than the agent requested. */
export function Narrow({ mandateId, terms }: NarrowProps) {
  const form = useDraft<Draft, Exclude<Fault["field"], "form">>({
    mandateId,
    first: () => draftOf(terms),
    bodyOf: (draft) => {
      const wanted = narrower(terms, draft, Date.now());
      return "fault" in wanted ? wanted : { body: wanted.change };
    },
    fieldOf: (code) => FIELD_OF[code],
    afterSaving: (draft) => ({ ...draft, ends: "keep" }),
  });
  const { draft, change, faultOf } = form;

  return (
    <DraftForm
      form={form}
      problem={faultOf("form")}
      verb="Narrow the mandate"
      saved="Narrowed. You will sign the lower limits shown above."
    >
      <TextField
        label="Limit in total"
        inputMode="decimal"
        autoComplete="off"
        suffix="USDC"
        value={draft.limit}
        onChange={(event) => change({ limit: event.target.value })}
        hint={`At most ${usdcText(terms.limitAmount)}`}
        error={faultOf("limit")}
      />
      <TextField
        label="Cap on one payment"
        aside="Optional"
        inputMode="decimal"
        autoComplete="off"
        suffix="USDC"
        value={draft.cap}
        onChange={(event) => change({ cap: event.target.value })}
        hint="A larger payment is refused"
        error={faultOf("cap")}
      />
      <Ending draft={draft} change={change} terms={terms} error={faultOf("ends")} />
      <HostChoice draft={draft} change={change} terms={terms} error={faultOf("hosts")} />
    </DraftForm>
  );
}

type PartProps = {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  terms: Terms;
  error: string | undefined;
};

function Ending({ draft, change, terms, error }: PartProps) {
  const seconds = (terms.validUntil.getTime() - terms.validFrom.getTime()) / 1000;
  const options = [
    { value: "keep", label: "Unchanged" },
    ...ENDS.filter((end) => end.seconds < seconds).map(({ label, ...end }) => ({ value: String(end.seconds), label })),
    { value: "moment", label: "At a date and time" },
  ];
  return (
    <>
      <SelectField
        label="Ends"
        options={options}
        value={draft.ends}
        onChange={(event) => change({ ends: event.target.value })}
        error={draft.ends === "moment" ? undefined : error}
      />
      {draft.ends === "moment" && (
        <TextField
          label="Last moment, in your time zone"
          type="datetime-local"
          value={draft.moment}
          onChange={(event) => change({ moment: event.target.value })}
          error={error}
        />
      )}
    </>
  );
}

function HostChoice({ draft, change, terms, error }: PartProps) {
  const id = useId();
  if (terms.hostAllowlist.length === 0) {
    return (
      <TextArea
        label="Only these hosts"
        rows={3}
        spellCheck={false}
        autoCapitalize="off"
        placeholder="api.example.com"
        value={draft.hosts}
        onChange={(event) => change({ hosts: event.target.value })}
        hint="One per line. Leave it empty and it may pay any host, and pay out to any address. Add the line “payout” to allow payouts."
        error={error}
      />
    );
  }
  const toggle = (host: string, isKept: boolean) =>
    change({ removed: isKept ? draft.removed.filter((other) => other !== host) : [...draft.removed, host] });
  return (
    <fieldset className="min-w-0" {...(error !== undefined && { "aria-describedby": `${id}-error` })}>
      <legend className="mb-1.5 text-small font-medium">Hosts it may pay</legend>
      {terms.hostAllowlist.map((host) => (
        <CheckboxField
          key={host}
          label={<span className="[overflow-wrap:anywhere]">{hostText(host)}</span>}
          checked={!draft.removed.includes(host)}
          onChange={(event) => toggle(host, event.target.checked)}
        />
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-small text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

const draftOf = (terms: Terms): Draft => ({
  limit: formatUsdc(terms.limitAmount),
  cap: terms.maxAmountPerPayment === null ? "" : formatUsdc(terms.maxAmountPerPayment),
  ends: "keep",
  moment: "",
  hosts: "",
  removed: [],
});

const ENDS = [
  { seconds: 3_600, label: "1 hour from now" },
  { seconds: 86_400, label: "1 day from now" },
  { seconds: 7 * 86_400, label: "1 week from now" },
  { seconds: 30 * 86_400, label: "30 days from now" },
] as const;

const FIELD_OF: Record<string, Exclude<Fault["field"], "form">> = {
  limit_not_narrower: "limit",
  validity_not_narrower: "ends",
  validity_in_the_past: "ends",
  hosts_not_narrower: "hosts",
  cap_not_narrower: "cap",
  cap_exceeds_limit: "cap",
};
