"use client";

import { useState } from "react";
import { Disclosure } from "@/components/ui/disclosure";
import { CheckboxField } from "@/components/ui/field";
import { Always } from "./always";
import { Decide } from "./decide";

export type ChoicesProps = {
  approvalId: string;
  host: string;
  /** What this payment costs, atomic. */
  amount: bigint;
  /** The same as people read it: "12.50 USDC". */
  sum: string;
  /** Its address looks like a known one: the person ticks that they have compared them before the agent may pay it. */
  isLookalike: boolean;
  /** A mandate for the host was signed on this page already. */
  isAllowed: boolean;
};

/** What an owner can do about one payment: approve or reject it, or let the agent pay the host from now on. */
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
      <p className="text-small text-ink-2">The money can go to this address only. What is paid cannot be taken back.</p>
      {!isAllowed && (
        <Disclosure summary="Always allow this host, up to a limit">
          <Always approvalId={approvalId} host={host} amount={amount} canPay={canPay} />
        </Disclosure>
      )}
    </>
  );
}
