"use client";

import { useRouter } from "next/navigation";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CheckboxField, SelectField, TextArea, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { formatUsdc } from "@/lib/core/usdc";
import { DEFAULT_NETWORK, labelWithNote, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { type InvoiceDraft, newLine, previewOf, type TaxKind } from "./draft";
import { LineFields } from "./line-fields";
import { type InvoiceForm, useInvoiceForm } from "./use-invoice-form";

export type NewInvoiceProps = {
  agents: readonly { id: string; name: string }[];
  /** Days in UTC. */
  today: string;
  dueDate: string;
  /** What is filled in: from the invoice that is duplicated, or the words about the seller on the last one. */
  start: Partial<InvoiceDraft>;
};

/** Creates an invoice, then opens its page. */
export function NewInvoice({ agents, today, dueDate, start }: NewInvoiceProps) {
  const router = useRouter();
  const form = useInvoiceForm(
    {
      agentId: agents[0]?.id ?? "",
      network: DEFAULT_NETWORK,
      buyerName: "",
      buyerEmail: "",
      buyerAddress: "",
      number: "",
      issueDate: today,
      dueDate,
      isPayableAfterDue: true,
      lines: [newLine(0)],
      taxKind: "none",
      taxLabel: "VAT",
      taxValue: "",
      note: "",
      sellerDetails: "",
      ...start,
    },
    (invoiceId) => {
      toast.success("Invoice created");
      router.push(`/dashboard/invoices/${invoiceId}`);
      router.refresh();
    },
  );
  const { faults } = form;
  return (
    <Card className="max-w-190">
      <form ref={form.ref} onSubmit={form.submit} noValidate aria-label="New invoice" className="grid gap-6">
        <PartyFields form={form} agents={agents} />
        <TermFields form={form} />
        <LineFields form={form} />
        <TaxFields form={form} />
        <TextArea
          label="Note"
          aside="Optional"
          dir="auto"
          rows={3}
          value={form.draft.note}
          onChange={(event) => form.change({ note: event.target.value })}
          error={faults.note}
        />
        <Total form={form} />
        {faults.form !== undefined && (
          <div tabIndex={-1} data-fault className="rounded-control">
            <Note tone="bad" live="assertive">
              {faults.form}
            </Note>
          </div>
        )}
        <Button type="submit" variant="primary" wide busy={form.isBusy}>
          Create invoice
        </Button>
      </form>
    </Card>
  );
}

type Props = { form: InvoiceForm };

function PartyFields({ form: { draft, faults, change }, agents }: Props & Pick<NewInvoiceProps, "agents">) {
  return (
    <>
      <SelectField
        label="Agent"
        hint="It is paid. Its name, or that of your seller’s profile, stands on the invoice."
        value={draft.agentId}
        onChange={(event) => change({ agentId: event.target.value })}
        options={agents.map(({ id, name }) => ({ value: id, label: name }))}
        error={faults.agentId}
      />
      <TextArea
        label="About you"
        aside="Optional"
        hint="For example, your address and tax number."
        dir="auto"
        rows={3}
        value={draft.sellerDetails}
        onChange={(event) => change({ sellerDetails: event.target.value })}
        error={faults.sellerDetails}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Buyer’s name"
          dir="auto"
          autoComplete="off"
          value={draft.buyerName}
          onChange={(event) => change({ buyerName: event.target.value })}
          error={faults.buyerName}
        />
        <TextField
          label="Buyer’s email"
          aside="Optional"
          type="email"
          autoComplete="off"
          value={draft.buyerEmail}
          onChange={(event) => change({ buyerEmail: event.target.value })}
          hint="For you only. Nothing is sent."
          error={faults.buyerEmail}
        />
      </div>
      <TextArea
        label="Buyer’s address"
        aside="Optional"
        dir="auto"
        rows={3}
        value={draft.buyerAddress}
        onChange={(event) => change({ buyerAddress: event.target.value })}
        error={faults.buyerAddress}
      />
    </>
  );
}

function TermFields({ form: { draft, faults, change } }: Props) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Invoice number"
          aside="Optional"
          autoComplete="off"
          spellCheck={false}
          value={draft.number}
          onChange={(event) => change({ number: event.target.value })}
          hint="Leave it empty for the next number."
          error={faults.number}
        />
        <SelectField
          label="Network"
          value={draft.network}
          // The value is one of the options below.
          onChange={(event) => change({ network: event.target.value as NetworkName })}
          options={NETWORK_NAMES.map((name) => ({ value: name, label: labelWithNote(name) }))}
        />
        <TextField
          label="Issue date"
          type="date"
          value={draft.issueDate}
          onChange={(event) => change({ issueDate: event.target.value })}
          error={faults.issueDate}
        />
        <TextField
          label="Due date"
          type="date"
          value={draft.dueDate}
          onChange={(event) => change({ dueDate: event.target.value })}
          hint="Its last moment is midnight in UTC."
          error={faults.dueDate}
        />
      </div>
      <CheckboxField
        label="It can be paid after the due date"
        hint="It then says that it is overdue."
        checked={draft.isPayableAfterDue}
        onChange={(event) => change({ isPayableAfterDue: event.target.checked })}
      />
    </>
  );
}

function TaxFields({ form: { draft, faults, change } }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField
        label="Tax"
        value={draft.taxKind}
        // The value is one of the options below.
        onChange={(event) => change({ taxKind: event.target.value as TaxKind, taxValue: "" })}
        options={TAX_KINDS}
      />
      {draft.taxKind !== "none" && (
        <>
          <TextField
            label="Name of the tax"
            autoComplete="off"
            value={draft.taxLabel}
            onChange={(event) => change({ taxLabel: event.target.value })}
            error={faults.taxLabel}
          />
          <TextField
            label={draft.taxKind === "percent" ? "Percentage" : "Tax amount"}
            suffix={draft.taxKind === "percent" ? "%" : "USDC"}
            inputMode="decimal"
            autoComplete="off"
            value={draft.taxValue}
            onChange={(event) => change({ taxValue: event.target.value })}
            hint={draft.taxKind === "percent" ? "Rounded half up to 0.000001 USDC." : undefined}
            error={faults.taxValue}
          />
        </>
      )}
    </div>
  );
}

function Total({ form: { draft } }: Props) {
  const sums = previewOf(draft);
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-3 border-t pt-4" aria-live="polite">
      <span className="text-ink-2">Total</span>
      <Amount value={sums === null ? "0" : formatUsdc(sums.total)} size="mid" />
    </p>
  );
}

const TAX_KINDS: readonly { value: TaxKind; label: string }[] = [
  { value: "none", label: "No tax" },
  { value: "percent", label: "Per cent" },
  { value: "amount", label: "An amount" },
];
