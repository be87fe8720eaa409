const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Encodes the value of an x402 header: padded standard base64 (RFC 4648, section 4) of JSON in UTF-8 (x402 v2, HTTP transport).
 *
 * @example
 * const value = encodeHeader({ x402Version: 1 }); // "eyJ4NDAyVmVyc2lvbiI6MX0="
 * await fetch(url, { headers: { "X-PAYMENT": value } });
 */
export const encodeHeader = (value: unknown): string =>
  btoa(Array.from(new TextEncoder().encode(JSON.stringify(value)), (byte) => String.fromCharCode(byte)).join(""));

/**
 * Decodes an x402 header to its JSON value; undefined unless the text is padded standard base64 of JSON in UTF-8. Never throws. Does not
 * limit the length: check it first for headers from strangers. `parse` replaces JSON.parse; undefined is returned if it throws. `toBytes`
 * replaces the decoding of base64, which is slow for a server.
 *
 * @example
 * const required = decodeHeader(response.headers.get("payment-required") ?? "");
 * decodeHeader("eyJ4NDAyVmVyc2lvbiI6MX0="); // { x402Version: 1 }
 */
export function decodeHeader(
  text: string,
  parse: (json: string) => unknown = JSON.parse,
  toBytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
): unknown {
  if (!BASE64.test(text)) return undefined;
  try {
    return parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(toBytes(text)));
  } catch {
    return undefined;
  }
}
