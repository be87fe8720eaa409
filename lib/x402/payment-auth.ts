import { concat, type Hex, keccak256, stringToHex } from "viem";
import { z } from "zod";
import { type Authorization, readAuthorization } from "./authorization";
import { decodeBase64Url, encodeBase64Url } from "./header";
import { NETWORKS, type NetworkName } from "./networks";
import type { Proof } from "./proof";
import type { Requirement } from "./requirement";
import { authorizationWire, signatureHex } from "./schema";

/**
 * The Machine Payments Protocol: the HTTP authentication scheme `Payment`, method `evm`, intent `charge`, credential type
 * `authorization` (EIP-3009). Sources: draft-httpauth-payment and draft-evm-charge in the protocol's repository.
 */
const SCHEME = /^Payment +(\S.*)$/i;
const METHOD = "evm";
const INTENT = "charge";
const USDC_DECIMALS = 6;

/** How long a challenge can be answered, in seconds. Clients copy its end into `validBefore`. */
export const CHALLENGE_SECONDS = 300;

/** The parameters of a challenge, as a credential repeats them. */
const challenge = z.object({
  id: z.string(),
  realm: z.string(),
  method: z.string(),
  intent: z.string(),
  request: z.string(),
  expires: z.string(),
  opaque: z.string().optional(),
  digest: z.string().optional(),
});

export type PaymentChallenge = z.output<typeof challenge>;

/** A credential: a proof, and the challenge that it answers. */
export type PaymentCredential = { proof: Proof; challenge: PaymentChallenge };

const request = z.object({ currency: z.string(), methodDetails: z.object({ chainId: z.int() }) });

const credential = z.object({
  challenge,
  payload: authorizationWire.extend({ type: z.literal("authorization"), signature: signatureHex }),
});

/** A challenge without its id. `random` makes it unique: the nonce that the payer signs is derived from the id. */
export function challengeOf(
  { network, amount, payTo }: Requirement,
  { realm, expires, random }: { realm: string; expires: Date; random: string },
): Omit<PaymentChallenge, "id"> {
  const opaque = encodeBase64Url({ random });
  return {
    realm,
    method: METHOD,
    intent: INTENT,
    // Members in alphabetical order: JSON.stringify then writes the canonical form of RFC 8785.
    request: encodeBase64Url({
      amount: amount.toString(),
      currency: NETWORKS[network].usdc,
      methodDetails: {
        chainId: NETWORKS[network].chainId,
        credentialTypes: ["authorization"],
        decimals: USDC_DECIMALS,
      },
      recipient: payTo,
    }),
    expires: expires.toISOString(),
    opaque,
  };
}

/** The text that a challenge's id authenticates. Includes `resource`, which is not sent: a credential pays for one URL only. */
export const boundText = (c: Omit<PaymentChallenge, "id">, resource: string): string =>
  JSON.stringify([c.realm, c.method, c.intent, c.request, c.expires, c.digest ?? null, c.opaque ?? null, resource]);

/** The value of `WWW-Authenticate`. No parameter contains a character that has to be escaped. */
export const challengeHeader = (c: PaymentChallenge): string =>
  `Payment ${Object.entries(c)
    .map(([name, value]) => `${name}="${value}"`)
    .join(", ")}`;

/** The credential in `Authorization`, without its scheme; null for another scheme. */
export const credentialIn = (authorization: string | null): string | null =>
  SCHEME.exec(authorization?.trim() ?? "")?.[1] ?? null;

/** Null when malformed, or of another type than `authorization`. Verifies nothing. */
export function decodeCredential(text: string): PaymentCredential | null {
  const parsed = credential.safeParse(decodeBase64Url(text));
  if (!parsed.success) return null;
  const { challenge: echoed, payload } = parsed.data;
  const charge = request.safeParse(decodeBase64Url(echoed.request));
  if (!charge.success) return null;
  const { signature, type: _, ...authorization } = payload;
  const { currency, methodDetails } = charge.data;
  return {
    challenge: echoed,
    proof: {
      scheme: "exact",
      network: `eip155:${methodDetails.chainId}`,
      asset: currency,
      authorization: readAuthorization(authorization),
      signature,
    },
  };
}

/** The nonce of the authorization that answers a challenge. */
export const nonceFor = ({ id, realm }: Pick<PaymentChallenge, "id" | "realm">): Hex =>
  keccak256(concat([stringToHex(id), stringToHex(realm)]));

/** Whether the authorization answers this challenge and expires no later than it. Does not verify the challenge. */
export const isAnswer = (challenge: PaymentChallenge, { nonce, validBefore }: Authorization): boolean =>
  nonce === nonceFor(challenge) && validBefore * 1000n <= BigInt(Date.parse(challenge.expires));

/** The value of `Payment-Receipt`. */
export const paymentReceipt = (payment: {
  challengeId: string;
  network: NetworkName;
  txHash: string;
  settledAt: Date;
}): string =>
  encodeBase64Url({
    chainId: NETWORKS[payment.network].chainId,
    challengeId: payment.challengeId,
    method: METHOD,
    reference: payment.txHash,
    status: "success",
    timestamp: payment.settledAt.toISOString(),
  });
