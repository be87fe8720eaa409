import { z } from "zod";

/** The actors in this folder are programs outside the service. They know only its address and its documented HTTP API. */

export type Exchange = { who: string; method: string; url: string; sent: unknown; answer: Answer };
export type Answer = { status: number; headers: Headers; text: string; body: unknown };
export type CallOptions = { headers?: Record<string, string>; json?: unknown; form?: Record<string, string> };
export type Api = {
  baseUrl: string;
  /** `path` may be a complete URL. Throws only if the connection fails. */
  call: (who: string, method: string, path: string, options?: CallOptions) => Promise<Answer>;
  /** A `fetch` that reports its exchanges as `who` and follows no redirects. */
  fetchAs: (who: string) => typeof fetch;
};

const SECONDS = 70;

/** The API at `baseUrl`. `onExchange` receives every request with its response. */
export function openApi(baseUrl: string, onExchange: (exchange: Exchange) => void = () => {}): Api {
  const send = async (who: string, url: string, init: RequestInit): Promise<{ res: Response; answer: Answer }> => {
    const signal = AbortSignal.timeout(SECONDS * 1000);
    const res = await fetch(url, { ...init, redirect: "manual", signal });
    const response = await answerOf(res.clone());
    onExchange({ who, method: init.method ?? "GET", url, sent: sentOf(init.body), answer: response });
    return { res, answer: response };
  };
  return {
    baseUrl,
    call: async (who, method, path, { headers = {}, json, form } = {}) => {
      const type = json !== undefined ? "application/json" : form && "application/x-www-form-urlencoded";
      const body = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form);
      const init = { method, headers: { ...headers, ...(type && { "content-type": type }) }, ...(body && { body }) };
      return (await send(who, new URL(path, baseUrl).href, init)).answer;
    },
    fetchAs:
      (who) =>
      async (input, init = {}) =>
        (await send(who, String(input), init)).res,
  };
}

export async function answerOf(res: Response): Promise<Answer> {
  const text = await res.text();
  return { status: res.status, headers: res.headers, text, body: parsed(text) };
}

function sentOf(body: RequestInit["body"]): unknown {
  if (body instanceof URLSearchParams) return Object.fromEntries(body);
  return typeof body === "string" ? parsed(body) : undefined;
}

/** An unexpected response. */
export class Unexpected extends Error {
  override readonly name = "Unexpected";

  constructor(
    readonly answer: Answer,
    description: string,
  ) {
    super(`${description} answered ${answer.status}: ${answer.text.slice(0, 400)}`);
  }
}

export const codeOf = ({ body }: Answer): string | undefined =>
  z.object({ code: z.string() }).safeParse(body).data?.code;

/** The body of a response with this status and shape. Throws Unexpected for any other. */
export function expectBody<S extends z.ZodType>(
  response: Answer,
  status: number,
  shape: S,
  description: string,
): z.output<S> {
  const body = shape.safeParse(response.body);
  if (response.status !== status || !body.success) throw new Unexpected(response, description);
  return body.data;
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
