import { failures } from "@/lib/core/errors";

export const confirmationErrors = failures({
  signature_required: [
    "forbidden",
    "This call needs a signature of the owner's wallet. Sign typedData (EIP-712) and repeat the call with signature in its body",
  ],
});
