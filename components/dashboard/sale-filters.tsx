import Form from "next/form";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { SelectField, TextField } from "@/components/ui/field";
import {
  type AskedSales,
  SALE_SOURCES,
  SALE_STATUSES,
  type SaleSource,
  type SaleStatus,
} from "@/lib/links/sales-contract";

export type SaleFiltersProps = {
  agents: readonly { id: string; name: string; isDeleted: boolean }[];
  /** What the fields hold: what counts, and what was given and does not. */
  values: Partial<Record<keyof AskedSales, string>>;
  isOpen: boolean;
};

export const FILTER_LABELS: Record<keyof AskedSales, string> = {
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
  pending: "On the way",
  settled: "Settled",
  failed: "Failed",
  refunded: "Refunded",
};

export const SOURCE_LABELS: Record<SaleSource, string> = {
  payment_link: "A payment link",
  upl: "An agent's address",
};

/** Narrows the payments received. A plain form: it works before any script has run. */
export function SaleFilters({ agents, values, isOpen }: SaleFiltersProps) {
  return (
    <Disclosure summary="Filters" open={isOpen}>
      {/* Fields keep what was typed while the page stays: a key has them begin anew with what the address says. */}
      <Form
        key={JSON.stringify(values)}
        action="/dashboard/payments"
        scroll={false}
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4"
      >
        <input type="hidden" name="side" value="received" />
        <SelectField
          label={FILTER_LABELS.status}
          name="status"
          defaultValue={values.status ?? ""}
          options={[
            { value: "", label: "Any" },
            ...SALE_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
          ]}
        />
        <SelectField
          label={FILTER_LABELS.agent}
          name="agent"
          defaultValue={values.agent ?? ""}
          options={[
            { value: "", label: "All agents" },
            ...agents.map(({ id, name, isDeleted }) => ({ value: id, label: isDeleted ? `${name} (deleted)` : name })),
          ]}
        />
        <SelectField
          label={FILTER_LABELS.source}
          name="source"
          defaultValue={values.source ?? ""}
          options={[
            { value: "", label: "Links and addresses" },
            ...SALE_SOURCES.map((value) => ({ value, label: SOURCE_LABELS[value] })),
          ]}
        />
        <Text name="link" value={values.link} placeholder="lnk_…" />
        <Text name="payer" value={values.payer} placeholder="0x…" />
        <Text name="tx" value={values.tx} placeholder="0x…" />
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

type TextProps = { name: "link" | "payer" | "tx"; value: string | undefined; placeholder: string };

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
