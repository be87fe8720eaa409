import { appendFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { openApi } from "@/lib/openapi/document";
import { BASE_URL } from "./base-url";
import type { Operation } from "./declared";

/** The file that collects the responses that tests saw, one `METHOD path status code` a line (untested.ts). */
const { SEEN_RESPONSES } = process.env;

type Seen = { method: string; path: string; status: number; headers: Headers; text: string; body: unknown };

const document = openApi(BASE_URL);
// The document contains keywords of OpenAPI next to those of JSON Schema.
const ajv = new Ajv2020({ strict: false, allErrors: false, schemas: { "openapi.json": document } });
addFormats.default(ajv);

const escaped = (text: string) => text.replaceAll("~", "~0").replaceAll("/", "~1");
const pointer = (...parts: string[]) => `openapi.json#/${parts.map(escaped).map(encodeURIComponent).join("/")}`;

/** Paths without parameters first: they take precedence. */
const paths = Object.keys(document.paths)
  .map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/[.+*]/g, "\\$&").replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }))
  .sort((a, b) => a.template.split("{").length - b.template.split("{").length);

const validators = new Map<string, ValidateFunction>();
const seen = new Set<string>();

/** Throws unless the document declares this response: its status, its code, and a body of this shape. */
export function assertDocumented({ method, path, status, headers, text, body }: Seen): void {
  const template = paths.find(({ pattern }) => pattern.test(path))?.template;
  const operations = template === undefined ? undefined : (document.paths[template] as Record<string, Operation>);
  const operation = operations?.[method.toLowerCase()];
  if (template === undefined || !operation) return;
  const name = `${method} ${template} ${status}`;
  const declared = operation.responses[status];
  if (!declared) throw new Error(`${name} is not in the API's document: ${text.slice(0, 500)}`);
  note(`${name} ${codeOf(body, template, status)}`);
  if (!declared.content || declared.content["*/*"]) return;
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  const range = `${type.split("/")[0]}/*`;
  if (!declared.content[type] && !declared.content[range])
    throw new Error(`${name} has the undocumented content type ${type}`);
  if (type !== "application/json") return;
  const key = pointer("paths", template, method.toLowerCase(), "responses", String(status), "content", type, "schema");
  const validate = validators.get(key) ?? ajv.compile({ $ref: key });
  validators.set(key, validate);
  if (!validate(body)) {
    throw new Error(
      `${name} differs from the API's document: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 1000)}`,
    );
  }
}

const messages = new Map<string, ValidateFunction>();

/** Throws unless the document declares this webhook message: its type, and each member of its data with its type. */
export function assertDocumentedMessage(message: { type: string }): void {
  const { type } = message;
  const key = pointer("webhooks", type, "post", "requestBody", "content", "application/json", "schema");
  const validate = messages.get(key) ?? ajv.compile({ $ref: key });
  messages.set(key, validate);
  if (!validate(message))
    throw new Error(`${type} differs from the API's document: ${ajv.errorsText(validate.errors)}`);
}

/** The code of an error. Identity endpoints have it in `error`, except for a 400, which has words there. */
function codeOf(body: unknown, template: string, status: number): string {
  if (status < 400 || typeof body !== "object" || body === null) return "-";
  if ("code" in body && typeof body.code === "string") return body.code;
  const isIdentity = !template.startsWith("/api/") && "error" in body && Object.keys(body).length === 1;
  return isIdentity && status !== 400 && typeof body.error === "string" ? body.error : "-";
}

function note(line: string): void {
  if (SEEN_RESPONSES === undefined || seen.has(line)) return;
  seen.add(line);
  appendFileSync(SEEN_RESPONSES, `${line}\n`);
}
