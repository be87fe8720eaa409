import type { McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Schema, wireSchema } from "@/lib/openapi/schemas";
import { ENDPOINTS, type EndpointName } from "./api";
import { TOOLS } from "./server";
import type { Session } from "./tool";

/** Tools whose arguments are the members of an endpoint's body. */
const TOOLS_OF: readonly [tool: string, endpoint: EndpointName][] = [
  ["create_payment_link", "createLink"],
  ["update_payment_link", "updateLink"],
  ["create_invoice", "createInvoice"],
  ["initiate_refund", "initiateRefund"],
  ["request_payout", "createPayout"],
  ["create_intent_mandate", "createIntent"],
];

const BOUNDS = ["maxLength", "maximum", "maxItems", "maxProperties"] as const;

test.each(TOOLS_OF)("%s takes what %s takes", (tool, endpoint) => {
  const { body } = ENDPOINTS[endpoint] as { body?: z.ZodType };
  if (!body) throw new Error(`${endpoint} has no body`);
  const differences = compare(argumentsOf(tool), resolve(wireSchema(body, components)), tool);
  expect(differences).toEqual([]);
});

const components = new Map<string, Schema>();

function argumentsOf(name: string): Schema {
  let input: z.ZodType | undefined;
  const server = {
    registerTool: (_: string, config: { inputSchema: z.ZodType }) => {
      input = config.inputSchema;
    },
  };
  TOOLS.find((tool) => tool.name === name)?.register(
    server as unknown as McpServer,
    { system: {} } as unknown as Session,
  );
  if (!input) throw new Error(`there is no tool ${name}`);
  return z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;
}

/** What a member is when it is not null. */
function resolve(schema: Schema): Schema {
  const { $ref, anyOf, oneOf } = schema as { $ref?: string; anyOf?: Schema[]; oneOf?: Schema[] };
  if ($ref) return resolve(components.get($ref.split("/").at(-1) ?? "") ?? {});
  const given = (anyOf ?? oneOf)?.find(({ type, not }) => type !== "null" && !not);
  return given ? resolve({ ...schema, anyOf: undefined, oneOf: undefined, ...given }) : schema;
}

/** Zod gives every integer this maximum. */
const isSet = (bound: unknown) => bound !== undefined && bound !== Number.MAX_SAFE_INTEGER;

const plain = (name: string) => name.replaceAll("_", "").toLowerCase();

function compare(tool: Schema, api: Schema, path: string): string[] {
  const own = BOUNDS.flatMap((bound) =>
    isSet(tool[bound]) && tool[bound] !== api[bound] && !(api.pattern && !api[bound])
      ? [`${path}: ${bound} is ${tool[bound]}, and ${api[bound]} in the API`]
      : [],
  );
  const members = Object.entries(tool.properties ?? {}).flatMap(([name, member]) => {
    const [, same] = Object.entries(api.properties ?? {}).find(([other]) => plain(other) === plain(name)) ?? [];
    return same ? compare(resolve(member), resolve(same), `${path}.${name}`) : [];
  });
  const items =
    tool.items && api.items ? compare(resolve(tool.items as Schema), resolve(api.items as Schema), `${path}[]`) : [];
  return [...own, ...members, ...items];
}
