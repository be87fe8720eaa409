import { canonicalJson, JsonError, parseJson } from "@/lib/core/json";
import { isRecord } from "@/lib/core/record";
import { edgeErrors } from "@/lib/http/errors";
import type { PaidRequest } from "../rules";

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
