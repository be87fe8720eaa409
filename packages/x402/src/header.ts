const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The value of an x402 header: padded standard base64 of JSON in UTF-8 (x402 v2, HTTP transport).
 *
 * @example
 * encodeHeader({ x402Version: 1 }); // "eyJ4NDAyVmVyc2lvbiI6MX0="
 */
export const encodeHeader = (value: unknown): string =>
  btoa(Array.from(new TextEncoder().encode(JSON.stringify(value)), (byte) => String.fromCharCode(byte)).join(""));

/**
 * The JSON value of an x402 header; undefined unless it is strict base64 of JSON in UTF-8. Never throws. A caller that reads large
 * headers of strangers limits their length first. `parse`: a stricter JSON.parse, which throws.
 *
 * @example
 * decodeHeader("eyJ4NDAyVmVyc2lvbiI6MX0="); // { x402Version: 1 }
 */
export function decodeHeader(text: string, parse: (json: string) => unknown = JSON.parse): unknown {
  if (!BASE64.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
