"use client";

import { Plus, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { AgentField } from "@/components/agents/agent-field";
import { sentenceFor } from "@/components/dashboard/words";
import { Amount } from "@/components/ui/amount";
import { Button, IconButton } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CheckboxField, SelectField, TextArea, TextField } from "@/components/ui/field";
import { FormFault, useFaults } from "@/components/ui/form-faults";
import { More } from "@/components/ui/more";
import { toast } from "@/components/ui/toast";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc } from "@/lib/core/usdc";
import { callApi, type Failure } from "@/lib/http/client";
import { LINES_MAX } from "@/lib/invoices/limits";
import { DEFAULT_NETWORK, labelWithNote, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import {
  type Faults,
  fieldOf,
  type InvoiceDraft,
  type LineDraft,
  newLine,
  previewOf,
  readDraft,
  type TaxKind,
} from "./draft";

export type NewInvoiceProps = {
  agents: readonly { id: string; name: string }[];
  /** An ISO day in UTC, as is `dueDate`. */
  today: string;
  dueDate: string;
  /** Initial values: a copied invoice, or the seller's details from the last invoice. */
  start: Partial<InvoiceDraft>;
};

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
  const { draft, faults, change } = form;
  return (
    <Card className="max-w-190">
      <form ref={form.ref} onSubmit={form.submit} noValidate aria-label="New invoice" className="grid gap-6">
        <AgentField
          agents={agents}
          agentId={draft.agentId}
          choose={(agentId) => change({ agentId })}
          hint="Receives the money. Its name, or that of your seller profile, appears on the invoice."
          error={faults.agentId}
        />
        <BuyerFields form={form} />
        <LineFields form={form} />
        <TaxFields form={form} />
        <TextField
          label="Due date"
          type="date"
          className="sm:w-1/2"
          value={draft.dueDate}
          onChange={(event) => change({ dueDate: event.target.value })}
          hint="It ends at midnight UTC."
          error={faults.dueDate}
        />
        <More names={MORE} faults={faults} isFilled={start.note !== undefined || (start.sellerDetails ?? "") !== ""}>
          <MoreFields form={form} />
        </More>
        <Total form={form} />
        <FormFault fault={faults.form ?? (agents.length === 1 ? faults.agentId : undefined)} />
        <Button type="submit" variant="primary" wide busy={form.isBusy}>
          Create invoice
        </Button>
      </form>
    </Card>
  );
}

type Props = { form: InvoiceForm };

function BuyerFields({ form: { draft, faults, change } }: Props) {
  return (
    <>
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
        rows={2}
        value={draft.buyerAddress}
        onChange={(event) => change({ buyerAddress: event.target.value })}
        error={faults.buyerAddress}
      />
    </>
  );
}

const MORE = ["sellerDetails", "number", "issueDate", "note"] as const satisfies readonly (keyof InvoiceDraft)[];

/** What most invoices do without. */
function MoreFields({ form: { draft, faults, change } }: Props) {
  return (
    <>
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
      <TextArea
        label="Note"
        aside="Optional"
        dir="auto"
        rows={3}
        value={draft.note}
        onChange={(event) => change({ note: event.target.value })}
        error={faults.note}
      />
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
        <TextField
          label="Issue date"
          type="date"
          value={draft.issueDate}
          onChange={(event) => change({ issueDate: event.target.value })}
          error={faults.issueDate}
        />
      </div>
      <SelectField
        label="Network"
        value={draft.network}
        // The value is one of the options below.
        onChange={(event) => change({ network: event.target.value as NetworkName })}
        options={NETWORK_NAMES.map((name) => ({ value: name, label: labelWithNote(name) }))}
      />
      <CheckboxField
        label="It can be paid after the due date"
        hint="It is then shown as overdue."
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
            hint={draft.taxKind === "percent" ? "Rounded to cents, unless a price is finer." : undefined}
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

function LineFields({ form }: { form: InvoiceForm }) {
  const { draft, faults, changeLine, addLine, removeLine } = form;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 text-body font-medium">Lines</legend>
      {draft.lines.map((line, index) => (
        <fieldset key={line.key} className="grid gap-3 border-b pb-4">
          <legend className="sr-only">Line {index + 1}</legend>
          <div className="flex items-end gap-2">
            <TextField
              label="Description"
              dir="auto"
              autoComplete="off"
              value={line.description}
              onChange={(event) => changeLine(line.key, { description: event.target.value })}
              error={faults[`lines.${index}.description`]}
              className="flex-1"
            />
            {draft.lines.length > 1 && (
              <IconButton
                label={`Remove line ${index + 1}`}
                icon={<Trash2 aria-hidden />}
                onClick={() => removeLine(line.key)}
                className="mb-1 self-start mt-7"
              />
            )}
          </div>
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="Quantity"
              inputMode="decimal"
              autoComplete="off"
              value={line.quantity}
              onChange={(event) => changeLine(line.key, { quantity: event.target.value })}
              error={faults[`lines.${index}.quantity`]}
            />
            <UsdcField
              label="Unit price"
              value={line.unitPrice}
              onText={(unitPrice) => changeLine(line.key, { unitPrice })}
              error={faults[`lines.${index}.unitPrice`]}
            />
          </div>
        </fieldset>
      ))}
      <div>
        <Button size="small" onClick={addLine} disabled={draft.lines.length >= LINES_MAX}>
          <Plus aria-hidden />
          Add a line
        </Button>
      </div>
    </fieldset>
  );
}

type InvoiceForm = {
  /** The form element, in which the first invalid field receives the focus. */
  ref: RefObject<HTMLFormElement | null>;
  draft: InvoiceDraft;
  faults: Faults;
  isBusy: boolean;
  change: (part: Partial<InvoiceDraft>) => void;
  changeLine: (key: number, part: Partial<LineDraft>) => void;
  addLine: () => void;
  removeLine: (key: number) => void;
  submit: (event: FormEvent) => Promise<void>;
};

/** State of the form for a new invoice. */
function useInvoiceForm(start: InvoiceDraft, onMade: (invoiceId: string) => void): InvoiceForm {
  const { ref, faults, setFaults, refuse } = useFaults<Faults>({});
  const nextKey = useRef(start.lines.length);
  const [draft, setDraft] = useState(start);
  const [isBusy, setBusy] = useState(false);

  function change(part: Partial<InvoiceDraft>) {
    setDraft({ ...draft, ...part });
    const isOf = (field: string) =>
      Object.hasOwn(part, field) || field === "form" || (part.lines !== undefined && field.startsWith("lines."));
    setFaults(Object.fromEntries(Object.entries(faults).filter(([field]) => !isOf(field))));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const reading = readDraft(draft);
    if (reading.type === "invalid") return refuse(reading.faults);
    setBusy(true);
    const path = `/api/agents/${draft.agentId}/invoices` as const;
    const response = await callApi<{ invoice: { invoiceId: string } }>("POST", path, reading.body);
    // It stays busy while the next page is loaded.
    if (response.ok) return onMade(response.data.invoice.invoiceId);
    setBusy(false);
    refuse(faultsOf(response));
  }

  return {
    ref,
    draft,
    faults,
    isBusy,
    change,
    submit,
    changeLine: (key, part) =>
      change({ lines: draft.lines.map((line) => (line.key === key ? { ...line, ...part } : line)) }),
    addLine: () => {
      if (draft.lines.length < LINES_MAX) change({ lines: [...draft.lines, newLine(nextKey.current++)] });
    },
    removeLine: (key) => change({ lines: draft.lines.filter((line) => line.key !== key) }),
  };
}

function faultsOf(failure: Failure): Faults {
  const { code, status, details } = failure;
  if (status === 0 || status >= 500) return { form: UNKNOWN };
  const knownFaults = SENTENCES[code];
  if (knownFaults) return knownFaults;
  const { field, reason } = details ?? {};
  if (code === "invalid_request" && typeof field === "string" && typeof reason === "string")
    return { [fieldOf(field)]: `It ${reason}.` };
  return { form: sentenceFor(failure) };
}

const SENTENCES: Readonly<Record<string, Faults>> = {
  agent_not_found: { agentId: "This agent no longer exists." },
  invoice_number_taken: { number: "Another invoice has this number. Choose another, or leave it empty." },
  due_date_before_issue: { dueDate: "Choose a day after the issue date." },
  due_date_in_past: { dueDate: "This day has passed. Choose a later one, or allow payments after it." },
};

const UNKNOWN =
  "The server could not be reached, so the invoice may or may not have been created. Check your invoices before you try again. Your input is still here.";
