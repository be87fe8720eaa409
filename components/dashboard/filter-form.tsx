import Form from "next/form";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Disclosure } from "@/components/ui/disclosure";
import { TextField } from "@/components/ui/field";

export type FilterFormProps = {
  /** The page it narrows. */
  action: string;
  /** What the fields hold: what counts, and what was given and does not. */
  values: { from?: string; to?: string };
  isOpen: boolean;
  columns: 3 | 4;
  /** The fields before the days. */
  children: ReactNode;
};

/** Narrows a list by what its fields say and by days. A plain form: it works before any script has run. */
export function FilterForm({ action, values, isOpen, columns, children }: FilterFormProps) {
  return (
    <Disclosure summary="Filters" open={isOpen}>
      {/* Fields keep what was typed while the page stays: a key has them begin anew with what the address says. */}
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
