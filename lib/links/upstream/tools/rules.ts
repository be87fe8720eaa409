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

/** Whether a JSON value has so few values in it that a schema can check it: on each that is wrong, a schema spends microseconds and a kilobyte. */
export function isCheckable(value: unknown, valuesMax: number): boolean {
  let valuesLeft = valuesMax;
  const isWithin = (inner: unknown): boolean => {
    valuesLeft -= 1;
    return valuesLeft >= 0 && (typeof inner !== "object" || inner === null || Object.values(inner).every(isWithin));
  };
  return isWithin(value);
}
