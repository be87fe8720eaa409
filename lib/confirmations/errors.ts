import { failures, type Remedies } from "@/lib/core/errors";

export const confirmationErrors = failures({
  signature_required: [
    "forbidden",
    "This call needs a signature of the owner's wallet. Sign typedData (EIP-712) and repeat the call with signature in its body",
  ],
});

export const confirmationRemedies: Remedies = {
  signature_required: {
    cause:
      "A session alone cannot do this. The action needs a signature of the owner's wallet, for this call only; `reason` says what is wrong with one that was sent.",
    remedy: "Nothing was changed. Sign `typedData` and repeat the same call with `signature` in its body.",
  },
};
