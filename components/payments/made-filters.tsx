import { agentOptions, type FilterAgent, FilterForm } from "@/components/dashboard/filter-form";
import { SelectField, TextField } from "@/components/ui/field";
import type { MadeQuery } from "@/lib/payments/made/contract";

/** The status has links of its own. */
export type MadeFilterName = Exclude<keyof MadeQuery, "status">;

export type MadeFiltersProps = {
  agents: readonly FilterAgent[];
  /** Field values, including rejected ones. */
  values: Partial<Record<keyof MadeQuery, string>>;
  isOpen: boolean;
};

export const FILTER_LABELS: Record<MadeFilterName, string> = {
  agent: "Agent",
  mandate: "Mandate",
  host: "Host",
  from: "From",
  to: "To",
};

export function MadeFilters({ agents, values, isOpen }: MadeFiltersProps) {
  return (
    <FilterForm action="/dashboard/payments" values={values} isOpen={isOpen} columns={3}>
      {values.status !== undefined && <input type="hidden" name="status" value={values.status} />}
      <SelectField
        label={FILTER_LABELS.agent}
        name="agent"
        defaultValue={values.agent ?? ""}
        options={[{ value: "", label: "All agents" }, ...agentOptions(agents)]}
      />
      <Text name="mandate" value={values.mandate} placeholder="mand_…" />
      <Text name="host" value={values.host} placeholder="api.example.com" />
    </FilterForm>
  );
}

type TextProps = { name: "mandate" | "host"; value: string | undefined; placeholder: string };

const Text = ({ name, value, placeholder }: TextProps) => (
  <TextField
    label={FILTER_LABELS[name]}
    name={name}
    defaultValue={value}
    placeholder={placeholder}
    autoComplete="off"
    autoCapitalize="off"
    spellCheck={false}
  />
);
