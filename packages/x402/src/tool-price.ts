import { type Fields, fieldsIn, fieldsOf, textOf } from "./json.ts";
import { readRequired } from "./offers.ts";

/** `isText`: the seller is Cloudflare's `paidTool`, which takes a proof only as base64. */
export type ToolPrice = { required: Fields; isText: boolean };

/**
 * Returns the price that the result of an MCP tool states, in the order of x402 transports-v2/mcp.md; null if it requires no payment.
 *
 * @example
 * const price = findToolPrice(await client.callTool({ name: "forecast" }));
 * if (price) console.log(price.required.accepts);
 */
export function findToolPrice(result: unknown): ToolPrice | null {
  const { isError, structuredContent, content, _meta } = fieldsOf(result);
  if (isError !== true) return null;
  const inMeta = fieldsOf(fieldsOf(_meta)["x402/error"]);
  if (isPrice(inMeta)) return { required: inMeta, isText: true };
  const [first] = Array.isArray(content) ? content : [];
  for (const stated of [fieldsOf(structuredContent), fieldsIn(textOf(fieldsOf(first).text) ?? "")]) {
    if (isPrice(stated)) return { required: stated, isText: false };
    const wrapped = fieldsOf(fieldsOf(stated["x402/error"]).data);
    if (isPrice(wrapped)) return { required: wrapped, isText: false };
  }
  return null;
}

const isPrice = (stated: Fields): boolean => readRequired({ header: undefined, body: stated }) !== null;
