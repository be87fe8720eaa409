/**
 * A response whose body is complete, such as JSON. Building, reading and discarding a `Response` takes several times as long, so
 * ops/server writes this one without. Names of headers are in lower case.
 */
export class WholeResponse {
  constructor(
    readonly status: number,
    readonly headers: Map<string, string>,
    readonly body: string | Uint8Array,
  ) {}
}

export type AnyResponse = WholeResponse | Response;

export const isResponse = (value: unknown): value is AnyResponse =>
  value instanceof WholeResponse || value instanceof Response;

/** A response with this body. `headers`: names in any case. */
export function wholeResponse(
  body: string | Uint8Array,
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
): WholeResponse {
  const response = new WholeResponse(status, new Map(), body);
  for (const [name, content] of Object.entries(headers)) setHeader(response, name, content);
  return response;
}

/** The same as `Response.json`, of a value that is JSON already. */
export const jsonResponse = (
  text: string,
  { status, headers = {} }: { status: number; headers?: Readonly<Record<string, string>> },
): WholeResponse => wholeResponse(text, { status, headers: { "content-type": "application/json", ...headers } });

/** Replaces a header. */
export const setHeader = ({ headers }: AnyResponse, name: string, value: string): void =>
  void headers.set(name.toLowerCase(), value);

export const toResponse = (response: AnyResponse): Response =>
  response instanceof Response
    ? response
    : new Response(response.body as BodyInit, { status: response.status, headers: [...response.headers] });
