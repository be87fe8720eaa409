"use client";

import { useState } from "react";
import { Decision } from "@/components/authorize/decision";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/mandates/words";
import { CheckboxField } from "@/components/ui/field";

export type DecideProps = {
  payeeId: string;
  /** True if the address resembles a known one. The owner must tick a checkbox that they compared the two. */
  isLookalike: boolean;
};

/** Confirms or refuses an address. The owner can change the decision later. */
export function Decide({ payeeId, isLookalike }: DecideProps) {
  const [hasCompared, setCompared] = useState(false);
  const { post, dialog } = useConfirmed();
  return (
    <Decision
      refusal={{ verb: "refuse", label: "Refuse" }}
      approval={{ label: "Confirm this address", isDisabled: isLookalike && !hasCompared }}
      send={(verb) => post(`/api/payees/${payeeId}/${verb === "approve" ? "confirm" : "refuse"}`, {})}
      problemOf={(verb, failure) => ({
        title: verb === "approve" ? "We could not confirm the address" : "We could not refuse the address",
        text: sentenceFor(failure),
      })}
    >
      {dialog}
      {isLookalike && (
        <CheckboxField
          label="I have compared both addresses letter by letter, and the one to pay is right"
          checked={hasCompared}
          onChange={(event) => setCompared(event.target.checked)}
        />
      )}
    </Decision>
  );
}
