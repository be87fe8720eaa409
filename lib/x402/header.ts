import { decodeHeader as decode } from "@tessera/x402/header";
import { parseJson } from "@/lib/core/json";

/** `encodeHeader` of packages/x402 in a tenth of its time: every 402 has such headers. */
export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64");

/** 24 KB of base64: far more than any proof needs, and harmless to parse. */
const HEADER_CHARACTERS_MAX = 24_576;
const BASE64_URL = /^[A-Za-z0-9_-]+$/;

/** JSON in UTF-8 as base64url without padding. */
export const encodeBase64Url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value), "utf8").toString("base64url");

/** The JSON value of base64url without padding; undefined unless both are strict. */
export function decodeBase64Url(text: string): unknown {
  if (!BASE64_URL.test(text)) return undefined;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return decodeHeader(standard.padEnd(Math.ceil(standard.length / 4) * 4, "="));
}

/** The JSON value of an x402 header; undefined unless it is strict base64 of strict JSON in UTF-8. */
export const decodeHeader = (text: string): unknown =>
  text.length > HEADER_CHARACTERS_MAX
    ? undefined
    : decode(text, parseJson, (base64: string) => Buffer.from(base64, "base64"));
