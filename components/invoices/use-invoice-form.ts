"use client";

import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { callApi, type Failure } from "@/lib/http/client";
import { LINES_MAX } from "@/lib/invoices/limits";
import { type Faults, fieldOf, type InvoiceDraft, type LineDraft, newLine, readDraft } from "./draft";

export type InvoiceForm = {
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
export function useInvoiceForm(start: InvoiceDraft, onMade: (invoiceId: string) => void): InvoiceForm {
  const ref = useRef<HTMLFormElement>(null);
  const nextKey = useRef(start.lines.length);
  const [draft, setDraft] = useState(start);
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);

  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-fault]")?.focus();
  }, [refusals]);

  function refuse(nextFaults: Faults) {
    setFaults(nextFaults);
    setRefusals((count) => count + 1);
  }

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
