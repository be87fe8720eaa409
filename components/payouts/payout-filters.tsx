import { agentOptions, type FilterAgent, FilterForm } from "@/components/dashboard/filter-form";
import { SelectField, TextField } from "@/components/ui/field";
import type { PayoutQuery } from "@/lib/payouts/owner/contract";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { type PayoutStatus, STATUS_WORDS } from "./words";

export type PayoutFilterName = keyof PayoutQuery;

export type PayoutFiltersProps = {
  agents: readonly FilterAgent[];
  /** Field values, including rejected ones. */
  values: Partial<Record<PayoutFilterName, string>>;
  isOpen: boolean;
};

export const FILTER_LABELS: Record<PayoutFilterName, string> = {
  status: "Status",
  network: "Network",
  agent: "Created by",
  text: "Text",
  bizId: "Reference",
  from: "From",
  to: "To",
};

export const OWN_LABEL = "You";

// Object.keys returns string[].
const STATUSES = Object.keys(STATUS_WORDS) as PayoutStatus[];

export function PayoutFilters({ agents, values, isOpen }: PayoutFiltersProps) {
  return (
    <FilterForm action="/dashboard/payouts" values={values} isOpen={isOpen} columns={3}>
      {values.bizId !== undefined && <input type="hidden" name="bizId" value={values.bizId} />}
      <SelectField
        label={FILTER_LABELS.status}
        name="status"
        defaultValue={values.status ?? ""}
        options={[
          { value: "", label: "Any" },
          ...STATUSES.map((value) => ({ value, label: STATUS_WORDS[value].label })),
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
          ...agentOptions(agents),
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
    </FilterForm>
  );
}
