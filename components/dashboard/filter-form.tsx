import Form from "next/form";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Disclosure } from "@/components/ui/disclosure";
import { SelectField, TextField } from "@/components/ui/field";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

export type FilterFormProps = {
  /** The path of the list's page. */
  action: string;
  /** Field values, including rejected ones. */
  values: { from?: string; to?: string };
  isOpen: boolean;
  columns: 3 | 4;
  /** The fields before the dates. */
  children: ReactNode;
};

/** Filters a list by its fields and by dates. A plain GET form, so that it works without scripts. */
export function FilterForm({ action, values, isOpen, columns, children }: FilterFormProps) {
  return (
    <Disclosure summary="Filters" open={isOpen}>
      {/* Uncontrolled fields keep typed text across navigations; the key resets them to the URL's values. */}
      <Form
        key={JSON.stringify(values)}
        action={action}
        scroll={false}
        className={cx("grid gap-4 sm:grid-cols-2", columns === 3 ? "lg:grid-cols-3" : "lg:grid-cols-4")}
      >
        {children}
        <TextField label="From" name="from" type="date" defaultValue={values.from} />
        <TextField label="To" name="to" type="date" defaultValue={values.to} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:col-span-full">
          <Button type="submit" className="max-sm:w-full">
            Filter
          </Button>
          <p className="text-small text-ink-2">Dates are in UTC, inclusive.</p>
        </div>
      </Form>
    </Disclosure>
  );
}

export type FilterAgent = { id: string; name: string; isDeleted: boolean };

export const agentOptions = (agents: readonly FilterAgent[]) =>
  agents.map(({ id, name, isDeleted }) => ({ value: id, label: isDeleted ? `${name} (deleted)` : name }));

type FilterSelectProps = {
  label: string;
  name: string;
  value: string | undefined;
  /** The option that leaves the filter out. */
  any?: string;
  options: readonly { value: string; label: string }[];
};

export const FilterSelect = ({ value, any = "Any", options, ...fieldProps }: FilterSelectProps) => (
  <SelectField {...fieldProps} defaultValue={value ?? ""} options={[{ value: "", label: any }, ...options]} />
);

type AgentFilterProps = { agents: readonly FilterAgent[]; value: string | undefined };

export const AgentFilter = ({ agents, value }: AgentFilterProps) => (
  <FilterSelect label="Agent" name="agent" value={value} any="All agents" options={agentOptions(agents)} />
);

export const NetworkFilter = ({ value }: { value: string | undefined }) => (
  <FilterSelect
    label="Network"
    name="network"
    value={value}
    options={NETWORK_NAMES.map((name) => ({ value: name, label: NETWORKS[name].label }))}
  />
);

type FilterTextProps = {
  label: string;
  name: string;
  value: string | undefined;
  placeholder: string;
  /** "auto" for human text; unset for ids and hosts. */
  dir?: "auto";
};

export const FilterText = ({ value, ...fieldProps }: FilterTextProps) => (
  <TextField {...fieldProps} defaultValue={value} autoComplete="off" autoCapitalize="off" spellCheck={false} />
);
