import { z } from "zod";
import { JsonError, parseForeignJson } from "@/lib/core/json";
import { decodeHeader } from "./header";
import { NETWORKS, type Network, networkNamed } from "./networks";
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
    if (JsonError.is(thrown)) return undefined;
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

/** The network, if the requirement can be paid there in USDC by an EIP-3009 authorization. */
export function payableNetwork({ scheme, network: name, asset, extra }: Entry["requirement"]): Network | null {
  const network = networkNamed(name);
  if (scheme !== "exact" || (extra?.assetTransferMethod ?? "eip3009") !== "eip3009" || !network) return null;
  return asset.toLowerCase() === NETWORKS[network.name].usdc.toLowerCase() ? network : null;
}
