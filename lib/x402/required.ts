import { z } from "zod";
import { JsonError, parseForeignJson } from "@/lib/core/json";
import { decodeHeader } from "./header";
import { type Network, networkNamed } from "./networks";
import { requirementV2 } from "./schema";

const ENTRIES_MAX = 64;

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

/** One entry of `accepts`. `raw`: as the seller wrote it. */
export type Entry = { raw: unknown; requirement: z.output<typeof requirementV2>; description: string | null };

/** What the 402 of another server requires. `source`: the bytes that state it. */
export type Required = { entries: Entry[]; source: Buffer } & (
  | { version: 1 }
  | { version: 2; resource: object | null; extensions: Record<string, unknown> | null }
);

/** The JSON of a response body; undefined if it is not JSON. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return parseForeignJson(bytes.toString("utf8"));
  } catch (thrown) {
    if (thrown instanceof JsonError) return undefined;
    throw thrown;
  }
}

/** Reads x402 v2 (header, or else body) or v1 (body); null if there is neither. Entries that make no sense are left out. */
export function requiredIn(answer: { headers: Readonly<Record<string, string>>; bytes: Buffer }): Required | null {
  const text = answer.headers["payment-required"] ?? "";
  const header = requiredV2.safeParse(decodeHeader(text));
  const body = jsonIn(answer.bytes);
  const v2 = header.success ? header : requiredV2.safeParse(body);
  if (v2.success) {
    const { accepts, resource = null, extensions = null } = v2.data;
    const source = header.success ? Buffer.from(text) : answer.bytes;
    return { version: 2, resource, extensions, source, entries: accepts.slice(0, ENTRIES_MAX).flatMap(entryV2) };
    function entryV2(raw: unknown): Entry[] {
      const read = requirementV2.safeParse(raw);
      return read.success ? [{ raw, requirement: read.data, description: resource?.description ?? null }] : [];
    }
  }
  const v1 = requiredV1.safeParse(body);
  if (!v1.success) return null;
  return { version: 1, source: answer.bytes, entries: v1.data.accepts.slice(0, ENTRIES_MAX).flatMap(entryV1) };
}

function entryV1(raw: unknown): Entry[] {
  const read = requirementV1.safeParse(raw);
  if (!read.success) return [];
  const { maxAmountRequired: amount, description = null, ...rest } = read.data;
  return [{ raw, requirement: { ...rest, amount }, description }];
}

/** Why a requirement cannot be paid, in the order of the checks: the later, the closer it came. */
export const OFFER_REFUSALS = [
  "unsupported_scheme",
  "unsupported_network",
  "unsupported_asset",
  "token_mismatch",
] as const;
export type OfferRefusal = (typeof OFFER_REFUSALS)[number];

/**
 * Why the requirement cannot be paid on `network` in USDC by an EIP-3009 authorization; null if it can. The EIP-712 domain that it
 * names, if any, is the token's own: batched schemes such as Circle Gateway's are `exact` in real USDC too, and have another.
 * Why: docs/decisions.md, 127.
 */
export function offerRefusal(
  { scheme, network: name, asset, extra }: Entry["requirement"],
  network: Network,
): OfferRefusal | null {
  const { assetTransferMethod = "eip3009", name: tokenName, version: tokenVersion, verifyingContract } = extra ?? {};
  if (scheme !== "exact" || assetTransferMethod !== "eip3009") return "unsupported_scheme";
  if (networkNamed(name)?.name !== network.name) return "unsupported_network";
  if (!isSameText(asset, network.usdc)) return "unsupported_asset";
  const isOfToken =
    (tokenName ?? network.tokenName) === network.tokenName &&
    (tokenVersion ?? network.tokenVersion) === network.tokenVersion &&
    isSameText(String(verifyingContract ?? asset), asset);
  return isOfToken ? null : "token_mismatch";
}

const isSameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The network on which the requirement can be paid; null if there is none. */
export function payableNetwork(requirement: Entry["requirement"]): Network | null {
  const network = networkNamed(requirement.network);
  return network && offerRefusal(requirement, network) === null ? network : null;
}
