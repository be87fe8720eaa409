"use client";

import { useState } from "react";
import { Decision, type Problem } from "@/components/authorize/decision";
import { NOT_SIGNED, useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/mandates/words";
import { Disclosure } from "@/components/ui/disclosure";
import { CheckboxField } from "@/components/ui/field";
import type { Failure } from "@/lib/http/client";
import { Always } from "./always";

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
      <div className="grid gap-3">
        {isLookalike && (
          <CheckboxField
            label="I have compared both addresses letter by letter, and this payment's is the right one"
            checked={hasCompared}
            onChange={(event) => setCompared(event.target.checked)}
          />
        )}
        <Decide approvalId={approvalId} sum={sum} canPay={canPay} />
      </div>
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
