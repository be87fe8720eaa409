import { canonicalJson, JsonError, parseJson } from "@/lib/core/json";
import { isRecord } from "@/lib/core/record";
import { edgeErrors } from "@/lib/http/errors";
import type { PaidRequest } from "../rules";

/** Names that the protocol recommends (2025-11-25, tools), and no path of dots, which a URL would drop. */
const TOOL_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/;

/** Whether a tool can be sold. */
export const isToolName = (name: string): boolean => TOOL_NAME.test(name);

/** The path at which a tool is sold. */
export const toolPath = (name: string): string => `/${name}`;

/** The tool that is sold at a path. */
export const toolAt = (path: string): string => path.slice(1);

/** The arguments of a tool in the body of a request; an empty body has none. Throws invalid_json. */
export function argumentsIn({ body }: Pick<PaidRequest, "body">): Readonly<Record<string, unknown>> {
  const value = body.length === 0 ? {} : parse(body.toString("utf8"));
  if (!isRecord(value)) throw edgeErrors.invalid_json();
  return value;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw edgeErrors.invalid_json({ message: error.message });
    throw error;
  }
}

/** A call of a tool. The same arguments in another order are the same call, and nothing else of the request counts. Throws invalid_json. */
export const toToolRequest = (request: PaidRequest): PaidRequest => ({
  ...request,
  search: "",
  headers: { "content-type": "application/json" },
  body: Buffer.from(canonicalJson(argumentsIn(request))),
});

/** Whether a JSON value has so few values in it that a schema can check it: on each that is wrong, a schema spends microseconds and a kilobyte. */
export function isCheckable(value: unknown, valuesMax: number): boolean {
  let valuesLeft = valuesMax;
  const isWithin = (inner: unknown): boolean => {
    valuesLeft -= 1;
    return valuesLeft >= 0 && (typeof inner !== "object" || inner === null || Object.values(inner).every(isWithin));
  };
  return isWithin(value);
}
