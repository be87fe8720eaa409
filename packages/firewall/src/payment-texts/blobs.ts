import { isOffer } from "../secrets/tokens.ts";
import { LETTERS } from "./characters.ts";

const CLAIMS = ['"sub"', '"exp"', '"aud"', '"iat"', '"iss"'];

/** Classifies base64 that starts like JSON: a signed payment, a bearer token, or neither. */
export function readBlob(blob: string): "proof" | "token" | null {
  const [head = "", body = ""] = blob.split(".", 2).map(decodeBase64);
  if (isProofText(head)) return "proof";
  const isToken = head.includes('"alg"') && CLAIMS.some((claim) => body.includes(claim)) && !isOffer(head, body);
  return isToken ? "token" : null;
}

function isProofText(text: string): boolean {
  if (!text.includes('"signature"')) return false;
  return ['"x402Version"', '"authorization"', '"permit2Authorization"', '"payload"'].some((key) => text.includes(key));
}

function decodeBase64(text: string): string {
  let decoded = "";
  let bits = 0;
  let bitCount = 0;
  for (let index = 0; index < text.length; index++) {
    const value = BASE64.get(text.charCodeAt(index));
    if (value === undefined) continue;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      decoded += String.fromCharCode((bits >> bitCount) & 0xff);
    }
  }
  return decoded;
}

const BASE64 = new Map([
  ...[...`${LETTERS}+/`].map((char, value) => [char.charCodeAt(0), value] as const),
  [45, 62] as const,
  [95, 63] as const,
]);
