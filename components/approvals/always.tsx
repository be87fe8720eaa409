"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { sentenceFor } from "@/components/mandates/words";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";

export type AlwaysProps = {
  approvalId: string;
  host: string;
  /** The amount of this payment in atomic units: the proposed cap. */
  amount: bigint;
  /** False until the owner confirms that they compared an address that resembles a known one. */
  canPay: boolean;
};

type Fault = { field: "cap" | "limit" | "form"; text: string };

/** Prepares a mandate for this agent and host, which the owner signs in the next step of the page. */
export function Always({ approvalId, host, amount, canPay }: AlwaysProps) {
  const router = useRouter();
  const [cap, setCap] = useState(() => formatUsdc(toUsdc(amount)));
  const [limit, setLimit] = useState(() => formatUsdc(toUsdc(amount * TIMES_USUAL)));
  const [days, setDays] = useState<string>(DAYS[1].value);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();

  async function prepare(event: FormEvent) {
    event.preventDefault();
    if (isBusy || !canPay) return;
    const reading = termsOf(cap, limit);
    setFault(reading.type === "invalid" ? reading.fault : undefined);
    if (reading.type === "invalid") return;
    setBusy(true);
    const validForSeconds = Number(days) * DAY_SECONDS;
    const response = await callApi("POST", `/api/approvals/${approvalId}/mandate`, {
      ...reading.terms,
      validForSeconds,
    });
    // On success it stays busy until the refreshed page shows the next step.
    if (!response.ok) {
      setBusy(false);
      setFault({ field: "form", text: sentenceFor(response) });
    }
    router.refresh();
  }

  const faultOf = (field: Fault["field"]) => (fault?.field === field ? fault.text : undefined);

  return (
    <form onSubmit={prepare} noValidate className="grid gap-4">
      <p className="text-small text-ink-2 [overflow-wrap:anywhere]">
        The agent may then pay <bdi className="font-medium text-ink">{host}</bdi> without asking you, within what you
        set here. You sign it in your wallet next. You still approve this payment yourself.
      </p>
      <UsdcField label="At most per payment" value={cap} onText={setCap} error={faultOf("cap")} />
      <UsdcField label="At most in total" value={limit} onText={setLimit} error={faultOf("limit")} />
      <SelectField label="For" options={DAYS} value={days} onChange={(event) => setDays(event.target.value)} />
      {faultOf("form") !== undefined && (
        <Note tone="bad" live="assertive">
          {faultOf("form")}
        </Note>
      )}
      {!canPay && (
        <p className="text-small text-ink-2">
          First compare the two addresses above, and tick the box: once this is signed, you are not asked again.
        </p>
      )}
      <Button type="submit" busy={isBusy} disabled={!canPay}>
        Review and sign
      </Button>
    </form>
  );
}

function termsOf(
  cap: string,
  limit: string,
): { type: "valid"; terms: { maxAmountPerPayment: string; limitAmount: string } } | { type: "invalid"; fault: Fault } {
  const capAmount = parseUsdc(cap);
  if (capAmount === null)
    return { type: "invalid", fault: { field: "cap", text: "Enter an amount, for example, 1.00." } };
  const total = parseUsdc(limit);
  if (total === null)
    return { type: "invalid", fault: { field: "limit", text: "Enter an amount, for example, 12.50." } };
  if (capAmount > total)
    return { type: "invalid", fault: { field: "limit", text: "The total cannot be less than one payment." } };
  return { type: "valid", terms: { maxAmountPerPayment: capAmount.toString(), limitAmount: total.toString() } };
}

const TIMES_USUAL = 10n;
const DAY_SECONDS = 86_400;
const DAYS = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;
