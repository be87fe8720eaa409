import { failures } from "@/lib/core/errors";

export const confirmationErrors = failures({
  signature_required: [
    "forbidden",
    "This needs a signature of the owner's wallet. Sign typedData (EIP-712) and send the same call with signature in its body",
  ],
});
