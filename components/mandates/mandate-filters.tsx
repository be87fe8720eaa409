import { AgentFilter, type FilterAgent, FilterForm, FilterText } from "@/components/dashboard/filter-form";
import { SelectField } from "@/components/ui/field";
import type { MandateQuery } from "@/lib/mandates/owner/contract";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

/** The status has filter links of its own. */
export type MandateFilterName = Exclude<keyof MandateQuery, "status">;

export type MandateFiltersProps = {
  agents: readonly FilterAgent[];
  /** Field values, including rejected ones. */
  values: Partial<Record<MandateFilterName | "status", string>>;
  isOpen: boolean;
};

export const FILTER_LABELS: Record<MandateFilterName, string> = {
  agent: "Agent",
  network: "Network",
  mode: "Pays from",
  text: "Text",
  from: "From",
  to: "To",
};

export const MODE_LABELS = { wallet: "Spending wallet", vault: "Vault" } as const;

export function MandateFilters({ agents, values, isOpen }: MandateFiltersProps) {
  return (
    <FilterForm action="/dashboard/mandates" values={values} isOpen={isOpen} columns={3}>
      {values.status !== undefined && <input type="hidden" name="status" value={values.status} />}
      <AgentFilter agents={agents} value={values.agent} />
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
        label={FILTER_LABELS.mode}
        name="mode"
        defaultValue={values.mode ?? ""}
        options={[
          { value: "", label: "Any" },
          { value: "wallet", label: MODE_LABELS.wallet },
          { value: "vault", label: MODE_LABELS.vault },
        ]}
      />
      <FilterText
        label={FILTER_LABELS.text}
        name="text"
        dir="auto"
        value={values.text}
        placeholder="Purpose, category or host"
      />
    </FilterForm>
  );
}
