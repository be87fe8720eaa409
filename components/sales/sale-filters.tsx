import {
  AgentFilter,
  type FilterAgent,
  FilterForm,
  FilterSelect,
  FilterText,
} from "@/components/dashboard/filter-form";
import { SALE_SOURCES, SALE_STATUSES, type SaleSource, type SaleStatus } from "@/lib/links/rules";
import type { SaleQuery } from "@/lib/links/sales/contract";

export type SaleFiltersProps = {
  agents: readonly FilterAgent[];
  /** Field values, including rejected ones. */
  values: Partial<Record<keyof SaleQuery, string>>;
  isOpen: boolean;
};

export const FILTER_LABELS: Record<keyof SaleQuery, string> = {
  status: "Status",
  agent: "Agent",
  source: "Paid at",
  link: "Link",
  payer: "Payer",
  tx: "Transaction",
  from: "From",
  to: "To",
};

export const STATUS_LABELS: Record<SaleStatus, string> = {
  pending: "On its way",
  settled: "Settled",
  failed: "Failed",
  refunded: "Refunded",
};

export const SOURCE_LABELS: Record<SaleSource, string> = {
  payment_link: "A payment link",
  upl: "An agent's address",
};

export function SaleFilters({ agents, values, isOpen }: SaleFiltersProps) {
  return (
    <FilterForm action="/dashboard/payments" values={values} isOpen={isOpen} columns={4}>
      <input type="hidden" name="side" value="received" />
      <FilterSelect
        label={FILTER_LABELS.status}
        name="status"
        value={values.status}
        options={SALE_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))}
      />
      <AgentFilter agents={agents} value={values.agent} />
      <FilterSelect
        label={FILTER_LABELS.source}
        name="source"
        value={values.source}
        any="Links and addresses"
        options={SALE_SOURCES.map((value) => ({ value, label: SOURCE_LABELS[value] }))}
      />
      <FilterText label={FILTER_LABELS.link} name="link" value={values.link} placeholder="lnk_…" />
      <FilterText label={FILTER_LABELS.payer} name="payer" value={values.payer} placeholder="0x…" />
      <FilterText label={FILTER_LABELS.tx} name="tx" value={values.tx} placeholder="0x…" />
    </FilterForm>
  );
}
