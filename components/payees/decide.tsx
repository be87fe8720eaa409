"use client";

import { Decision } from "@/components/authorize/decision";
import { sentenceFor } from "@/components/mandates/words";
import { callApi } from "@/lib/http/client";

/** Confirms or refuses an address. Both can be done again later. */
export const Decide = ({ payeeId }: { payeeId: string }) => (
  <Decision
    refusal={{ verb: "refuse", label: "Refuse" }}
    approval={{ label: "Confirm this address", isDisabled: false }}
    send={(verb) => callApi("POST", `/api/payees/${payeeId}/${verb === "approve" ? "confirm" : "refuse"}`, {})}
    problemOf={(verb, failure) => ({
      title: verb === "approve" ? "We could not confirm the address" : "We could not refuse the address",
      text: sentenceFor(failure),
    })}
  />
);
