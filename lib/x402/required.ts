import { findCharges } from "@tessera/x402/challenges";
import { findOffers, type Offer, type PaymentRequired, readRequired } from "@tessera/x402/offers";
import { z } from "zod";
import { JsonError, parseForeignJson } from "@/lib/core/json";
import { decodeHeader } from "./header";
import { requirementV2 } from "./schema";

/** The parts of a response that contain a payment requirement or the result of a proof. */
export type ForeignReply = { headers: Readonly<Record<string, string>>; bytes: Buffer };

/** One entry of `accepts` of x402 v1, as sellers send it. */
const requirementV1 = requirementV2.omit({ amount: true }).extend({
  maxAmountRequired: z.string(),
  description: z.string().nullish(),
});

const requiredV2 = z.object({
  x402Version: z.literal(2),
  resource: z.looseObject({ description: z.string().nullish() }).nullish(),
  accepts: z.array(z.unknown()),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});
export const requiredV1 = z.object({ x402Version: z.literal(1), accepts: z.array(z.unknown()) });
const requiredInBody = z.union([requiredV2, requiredV1]);

/** The JSON of a response body; undefined if it is not JSON. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return parseForeignJson(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** The JSON of an x402 header of a response; undefined if there is none. */
export const headerIn = ({ headers }: Pick<ForeignReply, "headers">, name: string): unknown =>
  decodeHeader(headers[name] ?? "");

/** The requirement in another server's 402, and the bytes that contain it; null if there is none. Omits malformed entries. */
export function requiredIn(reply: ForeignReply): (PaymentRequired & { bytes: Buffer }) | null {
  const header = requiredV2.safeParse(headerIn(reply, "payment-required")).data;
  const body = requiredInBody.safeParse(jsonIn(reply.bytes)).data;
  const required = readRequired({ header, body });
  if (!required) return null;
  const entry = required.version === 1 ? requirementV1 : requirementV2;
  const accepts = required.accepts.filter((accepted) => entry.safeParse(accepted).success);
  const bytes = header ? Buffer.from(reply.headers["payment-required"] ?? "") : reply.bytes;
  return { ...required, accepts, bytes };
}

/** What another server's 402 offers, in its order: by x402, then by challenges of the Machine Payments Protocol. */
export function offersIn(reply: ForeignReply): Offer[] {
  const required = requiredIn(reply);
  return [...(required ? findOffers(required) : []), ...findCharges(reply.headers["www-authenticate"] ?? "")];
}
