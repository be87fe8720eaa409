import { parseJson } from "@/lib/core/json";

/** 24 KB of base64: far more than any proof needs, far less than would hurt. */
const HEADER_CHARACTERS_MAX = 24_576;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** JSON as the standard, padded base64 of its UTF-8 bytes, as every x402 header carries it. */
export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64");

/** The JSON behind an x402 header, or undefined when it is not strict base64 of strict JSON in UTF-8. */
export function decodeHeader(text: string): unknown {
  if (text === "" || text.length > HEADER_CHARACTERS_MAX || !BASE64.test(text)) return undefined;
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, "base64")));
  } catch {
    return undefined;
  }
}
