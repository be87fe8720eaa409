"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Decision, type Problem } from "@/components/authorize/decision";
import { NOT_SIGNED, useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/mandates/words";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { CheckboxField, SelectField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import { callApi, type Failure } from "@/lib/http/client";

export type ChoicesProps = {
  approvalId: string;
  host: string;
  /** In atomic units. */
  amount: bigint;
  /** The formatted amount: "12.50 USDC". */
  sum: string;
  /** True if the address resembles a known one. The owner must tick a checkbox that they compared the two. */
  isLookalike: boolean;
  /** A mandate for the host was signed on this page. */
  isAllowed: boolean;
};

/** Approve or reject one payment, or let the agent pay the host from now on. */
export function Choices({ approvalId, host, amount, sum, isLookalike, isAllowed }: ChoicesProps) {
  const [hasCompared, setCompared] = useState(false);
  const canPay = !isLookalike || hasCompared;
  return (
    <>
      {isLookalike && (
        <CheckboxField
          label="I have compared both addresses letter by letter, and this payment's is the right one"
          checked={hasCompared}
          onChange={(event) => setCompared(event.target.checked)}
        />
      )}
      <Decide approvalId={approvalId} sum={sum} canPay={canPay} />
      <p className="text-small text-ink-2">The money can go to this address only. A payment cannot be reversed.</p>
      {!isAllowed && (
        <Disclosure summary="Always allow this host, up to a limit">
          <Always approvalId={approvalId} host={host} amount={amount} canPay={canPay} />
        </Disclosure>
      )}
    </>
  );
}

type DecideProps = {
  approvalId: string;
  /** Formatted: "12.50 USDC". */
  sum: string;
  /** False until the owner confirms that they compared an address that resembles a known one. */
  canPay: boolean;
};

function Decide({ approvalId, sum, canPay }: DecideProps) {
  const { post, dialog } = useConfirmed();
  return (
    <>
      <Decision
        refusal={{ verb: "deny", label: "Reject" }}
        approval={{ label: `Approve ${sum}`, isDisabled: !canPay }}
        send={(verb) => post(`/api/approvals/${approvalId}/${verb}`, {})}
        problemOf={problemOf}
      />
      {dialog}
    </>
  );
}

function problemOf(verb: "approve" | "deny", failure: Failure): Problem {
  if (failure.code === NOT_SIGNED) return { title: "Not approved", text: failure.message };
  const title = verb === "approve" ? "We could not confirm the approval" : "We could not confirm the rejection";
  return { title, text: sentenceFor(failure) };
}

type AlwaysProps = {
  approvalId: string;
  host: string;
  /** The amount of this payment in atomic units: the proposed cap. */
  amount: bigint;
  /** False until the owner confirms that they compared an address that resembles a known one. */
  canPay: boolean;
};

type Fault = { field: "cap" | "limit" | "form"; text: string };

/** Prepares a mandate for this agent and host, which the owner signs in the next step of the page. */
function Always({ approvalId, host, amount, canPay }: AlwaysProps) {
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
