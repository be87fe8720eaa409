import { openApi } from "@/lib/openapi/document";

type Schema = {
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, { enum?: string[]; const?: string }>;
  required?: string[];
};
type Media = { schema: Schema };

/** An operation of the API's document. */
export type Operation = { responses: Record<string, { content?: Record<string, Media> }> };

/** Faults that any endpoint can meet: not counted for each of them. */
const FAULTS = new Set([
  "INTERNAL_ERROR",
  "UNAVAILABLE",
  "HEADERS_TOO_LARGE",
  "IDEMPOTENCY_IN_PROGRESS",
  "IDEMPOTENCY_UNKNOWN",
]);

/** The page of a link, for programs the same operation as `/paymentlink/{linkId}`. */
export const isPagesTwin = (template: string): boolean => template === "/pay/{linkId}";

/** Every response that the document declares, as `METHOD path status code`. */
export const declaredResponses = (): string[] =>
  Object.entries(openApi("http://localhost").paths)
    .filter(([template]) => !isPagesTwin(template))
    .flatMap(([template, operations]) =>
      Object.entries(operations as Record<string, Operation>).flatMap(([method, { responses }]) =>
        Object.entries(responses).flatMap(([status, { content = {} }]) =>
          codesIn(Number(status), Object.values(content)[0]?.schema)
            .filter((code) => !FAULTS.has(code.toUpperCase()))
            .map((code) => `${method.toUpperCase()} ${template} ${status} ${code}`),
        ),
      ),
    );

/** The codes that a schema allows; `-` for a body without one. */
function codesIn(status: number, schema: Schema = {}): string[] {
  if (status < 400) return ["-"];
  const parts = (schema: Schema): Schema[] => [schema, ...(schema.allOf ?? []).flatMap(parts)];
  const choices = schema.anyOf ?? [schema];
  return choices.flatMap((choice) => {
    const named = parts(choice).flatMap(({ properties, required = [] }) => {
      const { enum: codes, const: only } = properties?.code ?? properties?.error ?? {};
      const isOptional = properties?.x402Version !== undefined && !required.includes("code");
      return [...(codes ?? (only === undefined ? [] : [only])), ...(isOptional ? ["-"] : [])];
    });
    return named.length > 0 ? named : ["-"];
  });
}
