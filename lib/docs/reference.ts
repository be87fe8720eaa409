import {
  type ApiDocument,
  type Content,
  type Listed,
  mediaOf,
  type Operation,
  type Parameter,
  parametersOf,
} from "./api-document";
import { callsOf } from "./calls";
import type { Generated } from "./generated";
import { fieldsTable, rowsOf, type Schema, schemaSection, typeText } from "./schema-text";

const slugOf = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

const headingOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

/** The anchor of an endpoint's heading: letters, digits and hyphens. */
const anchorOf = (method: string, path: string): string =>
  headingOf(method, path)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

const operationsOf = ({ paths }: ApiDocument): readonly Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

const tagOf = ({ operation }: Listed): string => operation.tags[0] ?? "";

/** The URL of an endpoint's section; /docs/reference if the document does not contain the endpoint. */
export function endpointAddress(document: ApiDocument, method: string, path: string): string {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) return "/docs/reference";
  return `/docs/reference/${slugOf(operation.tags[0] ?? "")}#${anchorOf(method, path)}`;
}

const CALLERS: Record<string, string> = {
  agentLogin: "an agent's login JWT, as `Authorization: Bearer …`",
  sellerKey: "an API key of the facilitator, as `Authorization: Bearer tsk_…`",
  ownerSession: "the session of a signed-in owner, on a page of this service",
};

function callerText({ security }: Operation): string {
  const names = security.flatMap((requirement) => Object.keys(requirement));
  if (names.length === 0) return "none";
  const isOptional = security.some((requirement) => Object.keys(requirement).length === 0);
  return `${names.map((name) => CALLERS[name] ?? name).join(" or ")}${isOptional ? " (optional)" : ""}`;
}

const PLACES: Record<string, string> = { path: "in the path", query: "in the query", header: "header" };

function parametersTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required = false, description, schema }) => ({
    name,
    isRequired: required,
    schema: {
      ...schema,
      description: [PLACES[place] ?? place, description ?? schema.description].filter(Boolean).join("; "),
    },
  }));
  return fieldsTable(rows, true);
}

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function callOf(baseUrl: string, { method, path, operation }: Listed, example: unknown): string {
  const has = (scheme: string) => operation.security.some((requirement) => scheme in requirement);
  const secret = has("agentLogin") ? "$JWT" : has("sellerKey") ? "$TESSERA_KEY" : "";
  const login = secret && ` -H "Authorization: Bearer ${secret}"`;
  const verb = method === "post" ? "" : ` -X ${method.toUpperCase()}`;
  const body = JSON.stringify(example, null, 2).replaceAll("'", "'\\''");
  return `\`\`\`bash\ncurl -s${verb} "${baseUrl}${path}"${login} --json '${body}'\n\`\`\``;
}

/** The schema of the success body, without the error body of the same status. */
const successOf = (schema: Schema): Schema => schema.anyOf?.find(({ allOf }) => !allOf?.some(isError)) ?? schema;

const isError = ({ $ref }: Schema): boolean => $ref === "#/components/schemas/Error";

/** The error codes in a response's schema. */
const codesIn = (schema: Schema): readonly string[] =>
  (schema.anyOf ?? [schema]).flatMap(({ allOf = [], properties = {} }) => {
    const codeSchemas = [...allOf.map((part) => part.properties?.code), properties.error];
    return codeSchemas.flatMap((code) => code?.enum ?? []).filter((code) => typeof code === "string");
  });

function responseText(status: string, description: string, content: Content | undefined): string {
  const media = mediaOf(content);
  const schema = media?.schema;
  if (!schema) return `**${status}** ${description}`;
  const codes = (Number(status) < 400 ? [] : codesIn(schema)).map(
    (code) => `[\`${code}\`](/docs/errors/${code.toLowerCase()})`,
  );
  const summary = codes.length > 0 ? `${description.split(":")[0]}: ${codes.join(", ")}` : description;
  const success = successOf(schema);
  const isFailure = Number(status) >= 400 && Number(status) !== 402;
  const type = success.$ref === undefined ? "" : `Body: ${typeText(success)}`;
  const parts = [`**${status}** ${summary}`];
  if (!isFailure) parts.push(type, fieldsTable(rowsOf(success), false));
  if (media.example !== undefined) parts.push(json(media.example));
  return parts.filter(Boolean).join("\n\n");
}

function endpointText(baseUrl: string, document: ApiDocument, listed: Listed): string {
  const { method, path, operation } = listed;
  const parameters = parametersTable(parametersOf(document, operation));
  const body = mediaOf(operation.requestBody?.content);
  const statuses = Object.entries(operation.responses).sort(([a], [b]) => Number(a) - Number(b));
  const parts = [
    `## ${headingOf(method, path)}`,
    `${operation.summary}.`,
    operation.description,
    `**Login**: ${callerText(operation)}.`,
    parameters && `**Parameters**\n\n${parameters}`,
    body?.schema &&
      `**Body**: ${operation.requestBody?.description ?? ""}\n\n${fieldsTable(rowsOf(body.schema), true)}`,
    body?.example !== undefined && callOf(baseUrl, listed, body.example),
    "**Responses**",
    ...statuses.map(([status, { description, content }]) => responseText(status, description, content)),
  ];
  return parts.filter(Boolean).join("\n\n");
}

const GROUP = "API reference";

const HEAD = (baseUrl: string) => `# API reference

Every endpoint, generated from the same contracts that the service checks its requests and responses with. The machine-readable form is
[openapi.json](${baseUrl}/openapi.json) (OpenAPI 3.1). Amounts are strings of atomic USDC: \`"1000000"\` is 1.00 USDC.
`;

/** The reference: an overview, one page per tag, and the named schemas. `baseUrl` is this service's origin. */
export function referencePages(baseUrl: string, document: ApiDocument): readonly Generated[] {
  const all = operationsOf(document);
  const tags = document.tags.filter(({ name }) => all.some((listed) => tagOf(listed) === name));
  const overview = tags.map(({ name, description }) => {
    const rows = all
      .filter((listed) => tagOf(listed) === name)
      .map(({ method, path, operation }) => {
        const address = endpointAddress(document, method, path);
        return `| [\`${headingOf(method, path)}\`](${address}) | ${operation.summary} |`;
      });
    return `## ${name}\n\n${description}.\n\n| endpoint | description |\n|---|---|\n${rows.join("\n")}\n`;
  });
  const pages = tags.map(({ name, description }): Generated => {
    const listed = all.filter((endpoint) => tagOf(endpoint) === name);
    return {
      slug: `reference/${slugOf(name)}`,
      label: name,
      summary: description,
      group: GROUP,
      markdown: `# ${name}\n\n${description}.\n\n${listed.map((endpoint) => endpointText(baseUrl, document, endpoint)).join("\n\n")}\n`,
      isListed: true,
      calls: callsOf(document, listed, ({ method, path }) => anchorOf(method, path)),
    };
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema));
  return [
    {
      slug: "reference",
      label: "All endpoints",
      summary: "Every endpoint with its fields, responses and errors, written from the contracts",
      group: GROUP,
      markdown: `${HEAD(baseUrl)}\n${overview.join("\n")}`,
      isListed: true,
    },
    ...pages,
    {
      slug: "reference/schemas",
      label: "Schemas",
      summary: "The named values of requests and responses",
      group: GROUP,
      markdown: `# Schemas\n\nThe named values of requests and responses.\n\n${schemas.join("\n\n")}\n`,
      isListed: true,
    },
  ];
}
