import { isDeepStrictEqual } from "node:util";
import { type Hex, hashMessage } from "viem";
import { createSiweMessage } from "viem/siwe";
import { z } from "zod";
import type { Address } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { addSeconds } from "@/lib/core/time";
import { decodeHeader } from "./header";
import { NETWORKS } from "./networks";
import type { Requirement } from "./requirement";
import { signatureHex } from "./schema";
import { parseSignature } from "./signature";

/**
 * The x402 extension `sign-in-with-x`: a wallet that paid signs a challenge (EIP-4361) to read again what it bought. Source:
 * specs/extensions/sign-in-with-x.md of the protocol's repository.
 */
export const SIGN_IN_WITH_X = "sign-in-with-x";

/** How long a challenge is valid, in seconds: the extension's default. */
export const SIGN_IN_SECONDS = 300;

const STATEMENT = "Read again what this wallet has paid for. This does not pay anything.";

type Place = Pick<Requirement, "resource" | "network">;

/** The challenge of a resource. `nonce` is 32 hex digits. */
export function challengeOf({ resource }: Place, { nonce, issuedAt }: { nonce: string; issuedAt: Date }) {
  return {
    domain: new URL(resource).host,
    uri: resource,
    version: "1" as const,
    nonce,
    issuedAt: issuedAt.toISOString(),
    expirationTime: addSeconds(issuedAt, SIGN_IN_SECONDS).toISOString(),
    statement: STATEMENT,
    resources: [resource],
  };
}

export type SignInChallenge = ReturnType<typeof challengeOf>;

const chainOf = ({ network }: Place) => ({ chainId: NETWORKS[network].caip2, type: "eip191" as const });

const text = { type: "string" };
const uri = { type: "string", format: "uri" };
const dateTime = { type: "string", format: "date-time" };

/** The schema of the header, from the extension's specification. */
const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri,
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: dateTime,
    expirationTime: dateTime,
    notBefore: dateTime,
    requestId: text,
    resources: { type: "array", items: uri },
    signature: text,
  },
  required: ["domain", "address", "uri", "version", "chainId", "type", "nonce", "issuedAt", "signature"],
};

/** The extension of a 402. */
export const signInDeclaration = (place: Place, challenge: SignInChallenge) => ({
  [SIGN_IN_WITH_X]: { info: challenge, supportedChains: [chainOf(place)], schema: SCHEMA },
});

const header = z.object({
  domain: z.string(),
  address: addressText,
  uri: z.string(),
  version: z.string(),
  chainId: z.string(),
  type: z.string(),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  issuedAt: z.iso.datetime(),
  expirationTime: z.string(),
  statement: z.string(),
  resources: z.array(z.string()),
  signature: signatureHex,
});

/** A challenge of this resource that a wallet claims to have signed. Neither the nonce nor the signature is verified. */
export type SignIn = { address: Address; challenge: SignInChallenge; nonce: string; issuedAt: Date; signature: Hex };

/** Reads a `SIGN-IN-WITH-X` header. Null when it is malformed or differs from a challenge of `place`. */
export function readSignIn(value: string, place: Place): SignIn | null {
  const parsed = header.safeParse(decodeHeader(value));
  if (!parsed.success) return null;
  const { address, signature, chainId, type, ...signed } = parsed.data;
  const issuedAt = new Date(signed.issuedAt);
  const challenge = challengeOf(place, { nonce: signed.nonce, issuedAt });
  if (!isDeepStrictEqual({ chainId, type }, chainOf(place)) || !isDeepStrictEqual(signed, challenge)) return null;
  return { address, challenge, nonce: signed.nonce, issuedAt, signature };
}

/** The EIP-191 hash of the message (EIP-4361) that `address` signs for a challenge. */
export const signInDigest = ({ network }: Place, { challenge, address }: Pick<SignIn, "challenge" | "address">): Hex =>
  hashMessage(
    createSiweMessage({
      ...challenge,
      address,
      chainId: NETWORKS[network].chainId,
      issuedAt: new Date(challenge.issuedAt),
      expirationTime: new Date(challenge.expirationTime),
    }),
  );

/** Removes the ERC-6492 wrapper, which contains the account's deployment, from a signature. Null when the wrapper is malformed. */
export function withoutDeployment(signature: Hex): Hex | null {
  const parsed = parseSignature(signature);
  return parsed.kind === "erc6492" ? parsed.signature : signature;
}
