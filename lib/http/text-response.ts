/**
 * A response whose body is a text, such as JSON. Building, reading and discarding a `Response` takes several times as long, so
 * ops/server writes this one without. Names of headers are in lower case.
 */
export type TextResponse = { readonly status: number; readonly headers: Map<string, string>; readonly text: string };

export type AnyResponse = TextResponse | Response;

/** The same as `Response.json`, of a value that is JSON already. */
export function jsonResponse(
  text: string,
  { status, headers = {} }: { status: number; headers?: Readonly<Record<string, string>> },
): TextResponse {
  const response = { status, headers: new Map([["content-type", "application/json"]]), text };
  for (const [name, content] of Object.entries(headers)) setHeader(response, name, content);
  return response;
}

/** Replaces a header. */
export const setHeader = ({ headers }: AnyResponse, name: string, value: string): void =>
  void headers.set(name.toLowerCase(), value);

export const toResponse = (response: AnyResponse): Response =>
  response instanceof Response
    ? response
    : new Response(response.text, { status: response.status, headers: [...response.headers] });
