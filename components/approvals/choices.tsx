"use client";

import { useState } from "react";
import { Disclosure } from "@/components/ui/disclosure";
import { CheckboxField } from "@/components/ui/field";
import { Always } from "./always";
import { Decide } from "./decide";

export type ChoicesProps = {
  approvalId: string;
  host: string;
  /** In atomic units. */
  amount: bigint;
  /** The formatted amount: "12.50 USDC". */
  sum: string;
  /** Its address looks like a known one. The owner confirms with a checkbox that they compared them. */
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
            label="I have compared the two addresses letter by letter, and mean the one of this payment"
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
