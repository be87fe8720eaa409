/**
 * What a paid resource takes and returns, for crawlers and agents. In x402 v2 this is the extension `bazaar`
 * (specs/extensions/bazaar.md of the protocol's repository), in v1 the member `outputSchema` of a requirement.
 */
export type Discovery = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The query of a GET or DELETE, or the JSON body: an example, and the JSON Schema of all valid ones. */
  input: { example: Record<string, unknown>; schema: Record<string, unknown> };
  /** An example of the response to a payment; absent where it is not known. */
  output?: Record<string, unknown>;
  /** Whether crawlers may list the resource. */
  isListed: boolean;
  /** The path with :parameters, if a catalogue should list all resources of this kind as one entry. */
  routeTemplate?: string;
};

export const BAZAAR = "bazaar";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

const hasQuery = ({ method }: Pick<Discovery, "method">): boolean => method === "GET" || method === "DELETE";

/** `outputSchema` of x402 v1. */
export const outputSchemaOf = ({ method, input, output, isListed, routeTemplate }: Discovery) => ({
  input: {
    type: "http" as const,
    method,
    // x402 v1 has no templates: a catalogue would have one entry for each resource.
    discoverable: isListed && routeTemplate === undefined,
    ...(hasQuery({ method }) ? { queryParams: input.example } : { bodyType: "json" as const, body: input.example }),
  },
  ...(output && { output }),
});

/** The extensions of a 402 in x402 v2: none if the resource must not be listed. */
export function bazaarOf(discovery: Discovery): { [BAZAAR]?: object } {
  const { method, input, output, isListed, routeTemplate } = discovery;
  if (!isListed) return {};
  const isQuery = hasQuery(discovery);
  const properties = {
    type: { type: "string", const: "http" },
    method: { type: "string", enum: [method] },
    ...(isQuery ? { queryParams: input.schema } : { bodyType: { type: "string", enum: ["json"] }, body: input.schema }),
  };
  const required = ["type", "method", ...(isQuery ? [] : ["bodyType", "body"])];
  return {
    [BAZAAR]: {
      info: {
        input: {
          type: "http",
          method,
          ...(isQuery ? { queryParams: input.example } : { bodyType: "json", body: input.example }),
        },
        ...(output && { output: { type: "json", example: output } }),
      },
      schema: {
        $schema: DRAFT,
        type: "object",
        properties: {
          input: { type: "object", properties, required, additionalProperties: false },
          output: {
            type: "object",
            properties: { type: { type: "string" }, example: { type: "object" } },
            required: ["type"],
          },
        },
        required: ["input"],
      },
      ...(routeTemplate !== undefined && { routeTemplate }),
    },
  };
}
