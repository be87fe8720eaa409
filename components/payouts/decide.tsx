"use client";

import { useState } from "react";
import { Decision } from "@/components/authorize/decision";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { CheckboxField } from "@/components/ui/field";
import { isUnknown } from "@/lib/http/client";
import { sentenceFor } from "./words";

export type DecideProps = {
  recordId: string;
  /** Formatted: "12.50 USDC". */
  sum: string;
  /** The wallet holds enough, or its balance is unknown. */
  canPay: boolean;
  /** The number of addresses that resemble known ones. If above zero, the owner must tick a checkbox that they compared them. */
  lookalikes: number;
  /** True if the owner created the payout. Owners cancel their own payouts and reject those of agents. */
  isOwn: boolean;
};

export function Decide({ recordId, sum, canPay, lookalikes, isOwn }: DecideProps) {
  const [hasCompared, setCompared] = useState(false);
  const { post, dialog } = useConfirmed();
  return (
    <>
      <Decision
        refusal={isOwn ? { verb: "cancel", label: "Cancel payout" } : { verb: "deny", label: "Reject" }}
        approval={{ label: `Pay ${sum}`, isDisabled: !canPay || (lookalikes > 0 && !hasCompared) }}
        send={(verb) => post(`/api/wallet/payouts/${recordId}/${verb}`, {})}
        problemOf={(verb, failure) => ({
          title: isUnknown(failure) ? UNKNOWN : TITLES[verb],
          text: sentenceFor(failure),
        })}
      >
        {lookalikes > 0 && (
          <CheckboxField
            label={
              lookalikes === 1
                ? "I have compared both addresses letter by letter, and this payout's is the right one"
                : `I have compared all ${lookalikes} pairs of addresses letter by letter, and this payout's are the right ones`
            }
            checked={hasCompared}
            onChange={(event) => setCompared(event.target.checked)}
          />
        )}
      </Decision>
      {dialog}
    </>
  );
}

const UNKNOWN = "The result is unknown. This page shows what we know; a payout is paid only once";

const TITLES = { approve: "Nothing was paid", deny: "Not rejected", cancel: "Not cancelled" } as const;
