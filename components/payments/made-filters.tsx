import { AgentFilter, type FilterAgent, FilterForm, FilterText } from "@/components/dashboard/filter-form";
import type { MadeQuery } from "@/lib/payments/made/contract";

/** The status has filter links of its own. */
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
      <AgentFilter agents={agents} value={values.agent} />
      <FilterText label={FILTER_LABELS.mandate} name="mandate" value={values.mandate} placeholder="mand_…" />
      <FilterText label={FILTER_LABELS.host} name="host" value={values.host} placeholder="api.example.com" />
    </FilterForm>
  );
}
