import { z } from "zod";
import { CREDITS } from "./credits";
import { decodeHeader, encodeHeader } from "./header";

const JWS_CHARACTERS_MAX = 8_192;

/** A proof in service credits, after base64 and JSON. A compact JWS (RFC 7515) of this service replaces signature and authorization. */
export const creditProof = z.object({
  x402Version: z.literal(1),
  scheme: z.literal("exact"),
  network: z.literal(CREDITS.network),
  payload: z.object({ jws: z.string().max(JWS_CHARACTERS_MAX) }),
});

export const toCreditProof = (jws: string): z.output<typeof creditProof> => ({
  x402Version: 1,
  scheme: "exact",
  network: CREDITS.network,
  payload: { jws },
});

/** The JWS of a payment header in service credits; null for any other payment. */
export function creditJws(header: string): string | null {
  const proof = creditProof.safeParse(decodeHeader(header));
  return proof.success ? proof.data.payload.jws : null;
}

/** `X-PAYMENT-RESPONSE` of a payment in service credits; `transaction` is the id of its ledger entry. */
export const creditResponse = (transaction: string, payer: string): string =>
  encodeHeader({ success: true, transaction, network: CREDITS.network, payer });
