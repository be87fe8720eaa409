"use client";

import { type ReactNode, useId } from "react";
import { cx } from "@/components/ui/cx";
import { CheckboxField, Field, SelectField, TextArea, TextField } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { Time } from "@/components/ui/time";
import { formatUsdc, type Usdc } from "@/lib/core/usdc";
import { DraftForm, useDraft } from "./draft-form";
import { type Choice, type Draft, type Fault, hostsToKeep, narrower, type Terms } from "./narrower";
import { hostText } from "./words";

export type NarrowProps = Choice & { mandateId: string; validFrom: Date };

/** Changes a requested mandate before it is signed. The values cannot exceed the agent's request, and every change can be undone. */
export function Narrow({ mandateId, asked: requestedTerms, current, validFrom }: NarrowProps) {
  const choice = { asked: requestedTerms, current };
  const form = useDraft<Draft, Fault["field"]>({
    mandateId,
    first: () => draftOf(choice, current),
    version: versionOf(current),
    bodyOf: (draft) => {
      const result = narrower(choice, draft, Date.now());
      if (result.type === "invalid") return result;
      return { type: "valid", body: Object.keys(result.change).length === 0 ? null : result.change };
    },
    fieldOf: (code) => FIELD_OF[code],
  });
  const { draft, change, choose, faultOf } = form;
  const isChanged = JSON.stringify(draftOf(choice, requestedTerms)) !== JSON.stringify({ ...draft, ends: "keep" });
  const isEndChanged = draft.ends !== "asked" && (draft.ends !== "keep" || !isSameTime(requestedTerms, current));

  const isLowered = requestedTerms.limitAmount !== current.limitAmount;

  return (
    <DraftForm form={form} problem={faultOf("form")}>
      <div>
        <LimitField value={draft.limit} onChange={(limit) => change({ limit })} error={faultOf("limit")}>
          {isLowered && `You lowered it from ${usdcText(requestedTerms.limitAmount)}. `}
          {(isChanged || isEndChanged) && (
            <button
              type="button"
              className="relative font-medium text-ink underline underline-offset-4 after:absolute after:-inset-3"
              onClick={() => choose({ ...draftOf(choice, requestedTerms), ends: "asked" })}
            >
              Reset
            </button>
          )}
        </LimitField>
        <p className="mt-1 text-small text-ink-2">
          until <Time at={current.validUntil} form="short" className="font-medium text-ink" />
        </p>
      </div>
      <HostChoice {...form} choice={choice} error={faultOf("hosts")} />
      <div className="grid grid-cols-3 gap-3 sm:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.4fr)]">
        {CAPS.map(({ field, member, label }) => (
          <TextField
            key={field}
            label={label}
            inputMode="decimal"
            autoComplete="off"
            placeholder="any"
            value={draft[field]}
            onChange={(event) => change({ [field]: event.target.value })}
            hint={requestedTerms[member] === null ? undefined : `At most ${usdcText(requestedTerms[member])}`}
            error={faultOf(field)}
          />
        ))}
        <div className="max-sm:col-span-full">
          <Ending {...form} choice={choice} validFrom={validFrom} error={faultOf("ends")} />
        </div>
      </div>
    </DraftForm>
  );
}

const CAPS = [
  { field: "cap", member: "maxAmountPerPayment", label: "Per payment" },
  { field: "day", member: "maxAmountPerDay", label: "Per day" },
  { field: "month", member: "maxAmountPerMonth", label: "Per month" },
] as const;

type LimitFieldProps = {
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  /** Shown beside the figure, so that nothing moves when it appears. */
  children: ReactNode;
};

/** The figure of the page, which can be typed over. */
const LimitField = ({ value, onChange, error, children }: LimitFieldProps) => (
  <Field label={<span className="font-normal text-ink-2">The most you can lose, in total</span>} error={error}>
    {(wiring) => (
      <span className="flex items-center gap-2.5">
        <input
          {...wiring}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          size={Math.max(value.length, 4)}
          className={cx(
            "field-sizing-content max-w-full min-w-24 shrink-0 rounded-control border border-field bg-card px-2.5 font-bold tracking-[-0.03em] text-ink num aria-invalid:border-bad",
            value.length > BIG_CHARS_MAX ? "h-14 text-mid" : "h-14 text-[clamp(2rem,11vw,2.75rem)] leading-[1.05]",
          )}
        />
        <span className="text-body font-medium text-ink-2">USDC</span>
        <span className="min-w-0 text-small text-ink-2">{children}</span>
      </span>
    )}
  </Field>
);

/** "10,000.00": a longer figure does not fit a phone in the big size. */
const BIG_CHARS_MAX = 8;

const isSameTime = (a: Terms, b: Terms) => a.validUntil.getTime() === b.validUntil.getTime();

type PartProps = {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  choose: (part: Partial<Draft>) => void;
  choice: Choice;
  error: string | undefined;
};

function Ending({ draft, change, choose, choice, validFrom, error }: PartProps & { validFrom: Date }) {
  const { asked: requestedTerms, current } = choice;
  const seconds = (requestedTerms.validUntil.getTime() - validFrom.getTime()) / 1000;
  const options = [
    { value: "keep", label: "Unchanged" },
    ...(draft.ends === "asked" || !isSameTime(requestedTerms, current)
      ? [{ value: "asked", label: "As requested" }]
      : []),
    ...ENDS.filter((end) => end.seconds < seconds).map(({ label, ...end }) => ({ value: String(end.seconds), label })),
    { value: "moment", label: "At a date and time" },
  ];
  return (
    <>
      <SelectField
        label="Ends"
        options={options}
        value={draft.ends}
        onChange={({ target: { value } }) => (value === "moment" ? change : choose)({ ends: value })}
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

function HostChoice({ draft, change, choose, choice, error }: PartProps) {
  const id = useId();
  const offered = hostsToKeep(choice);
  if (offered.length === 0) {
    return (
      <TextArea
        label="Only these hosts"
        rows={2}
        spellCheck={false}
        autoCapitalize="off"
        placeholder="api.example.com"
        value={draft.hosts}
        onChange={(event) => change({ hosts: event.target.value })}
        hint="One per line. If empty, it may pay any host, and pay out to any address. Add the line “payout” to allow payouts."
        error={error}
      />
    );
  }
  const toggle = (host: string, isKept: boolean) =>
    choose({
      removed: isKept ? draft.removed.filter((removedHost) => removedHost !== host) : [...draft.removed, host],
    });
  return (
    <fieldset className="min-w-0" {...(error !== undefined && { "aria-describedby": `${id}-error` })}>
      <legend className="mb-1 text-small font-medium">May pay</legend>
      <div className="flex flex-wrap gap-x-6 max-sm:-mb-3">
        {offered.map((host) => (
          <CheckboxField
            key={host}
            label={<span className="[overflow-wrap:anywhere]">{hostText(host)}</span>}
            checked={!draft.removed.includes(host)}
            onChange={(event) => toggle(host, event.target.checked)}
          />
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} data-fault tabIndex={-1} role="alert" className="mt-1.5 text-small text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** The form that shows `terms`. */
const draftOf = (choice: Choice, terms: Terms): Draft => ({
  limit: formatUsdc(terms.limitAmount),
  month: capText(terms.maxAmountPerMonth),
  day: capText(terms.maxAmountPerDay),
  cap: capText(terms.maxAmountPerPayment),
  ends: "keep",
  moment: "",
  hosts: choice.asked.hostAllowlist.length === 0 ? terms.hostAllowlist.join("\n") : "",
  removed: hostsToKeep(choice).filter((host) => !terms.hostAllowlist.includes(host)),
});

const capText = (cap: Usdc | null): string => (cap === null ? "" : formatUsdc(cap));

const versionOf = (terms: Terms): string =>
  JSON.stringify([
    [terms.limitAmount, terms.maxAmountPerMonth, terms.maxAmountPerDay, terms.maxAmountPerPayment].map(String),
    terms.validUntil.getTime(),
    terms.hostAllowlist,
  ]);

const ENDS = [
  { seconds: 3_600, label: "1 hour from now" },
  { seconds: 86_400, label: "1 day from now" },
  { seconds: 7 * 86_400, label: "1 week from now" },
  { seconds: 30 * 86_400, label: "30 days from now" },
] as const;

const FIELD_OF: Record<string, Fault["field"]> = {
  limit_not_narrower: "limit",
  validity_not_narrower: "ends",
  validity_in_the_past: "ends",
  hosts_not_narrower: "hosts",
  cap_not_narrower: "cap",
  cap_exceeds_limit: "cap",
};
