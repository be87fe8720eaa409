import Form from "next/form";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { SelectField, TextField } from "@/components/ui/field";
import type { AskedPayouts } from "@/lib/payouts/owner-contract";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { type PayoutStatus, STATUS_WORDS } from "./words";

export type PayoutFilterName = keyof AskedPayouts;

export type PayoutFiltersProps = {
  agents: readonly { id: string; name: string; isDeleted: boolean }[];
  /** What the fields hold: what counts, and what was given and does not. */
  values: Partial<Record<PayoutFilterName, string>>;
  isOpen: boolean;
};

export const FILTER_LABELS: Record<PayoutFilterName, string> = {
  status: "Status",
  network: "Network",
  agent: "Made by",
  text: "Text",
  bizId: "Reference",
  from: "From",
  to: "To",
};

export const OWN_LABEL = "You";

// Object.keys forgets what the keys are.
const STATUSES = Object.keys(STATUS_WORDS) as PayoutStatus[];

/** Narrows the payouts. A plain form: it works before any script has run. */
export function PayoutFilters({ agents, values, isOpen }: PayoutFiltersProps) {
  return (
    <Disclosure summary="Filters" open={isOpen}>
      {/* Fields keep what was typed while the page stays: a key has them begin anew with what the address says. */}
      <Form
        key={JSON.stringify(values)}
        action="/dashboard/payouts"
        scroll={false}
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3"
      >
        {values.bizId !== undefined && <input type="hidden" name="bizId" value={values.bizId} />}
        <SelectField
          label={FILTER_LABELS.status}
          name="status"
          defaultValue={values.status ?? ""}
          options={[
            { value: "", label: "Any" },
            ...STATUSES.map((value) => ({ value, label: STATUS_WORDS[value].word })),
          ]}
        />
        <SelectField
          label={FILTER_LABELS.network}
          name="network"
          defaultValue={values.network ?? ""}
          options={[
            { value: "", label: "Any" },
            ...NETWORK_NAMES.map((value) => ({ value, label: NETWORKS[value].label })),
          ]}
        />
        <SelectField
          label={FILTER_LABELS.agent}
          name="agent"
          defaultValue={values.agent ?? ""}
          options={[
            { value: "", label: "You and all agents" },
            { value: "me", label: OWN_LABEL },
            ...agents.map(({ id, name, isDeleted }) => ({ value: id, label: isDeleted ? `${name} (deleted)` : name })),
          ]}
        />
        <TextField
          label={FILTER_LABELS.text}
          name="text"
          dir="auto"
          defaultValue={values.text}
          placeholder="Name, reference, description, 0x…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <TextField label={FILTER_LABELS.from} name="from" type="date" defaultValue={values.from} />
        <TextField label={FILTER_LABELS.to} name="to" type="date" defaultValue={values.to} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-full">
          <Button type="submit" className="max-sm:w-full">
            Filter
          </Button>
          <p className="text-small text-ink-2">Days are days of UTC; the last one counts as a whole.</p>
        </div>
      </Form>
    </Disclosure>
  );
}
