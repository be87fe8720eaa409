import { z } from "zod";

/** The actors of this folder are programs outside the service: they know only its address and its documented HTTP API. */

export type Exchange = { who: string; method: string; url: string; sent: unknown; answer: Answer };
export type Answer = { status: number; headers: Headers; text: string; body: unknown };
export type CallOptions = { headers?: Record<string, string>; json?: unknown; form?: Record<string, string> };
export type Api = {
  baseUrl: string;
  /** `path` may be a whole URL. Only a connection that fails throws. */
  call: (who: string, method: string, path: string, options?: CallOptions) => Promise<Answer>;
};

/** The API at `baseUrl`; `onExchange` receives every request with its response. */
export function openApi(baseUrl: string, onExchange: (exchange: Exchange) => void = () => {}): Api {
  return {
    baseUrl,
    call: async (who, method, path, { headers = {}, json, form } = {}) => {
      const url = new URL(path, baseUrl).href;
      const type = json !== undefined ? "application/json" : form && "application/x-www-form-urlencoded";
      const body = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form).toString();
      const res = await fetch(url, {
        method,
        headers: { ...headers, ...(type && { "content-type": type }) },
        redirect: "manual",
        signal: AbortSignal.timeout(70_000),
        ...(body !== undefined && { body }),
      });
      const text = await res.text();
      const answer = { status: res.status, headers: res.headers, text, body: parsed(text) };
      onExchange({ who, method, url, sent: json ?? form, answer });
      return answer;
    },
  };
}

/** A response that its caller did not expect. */
export class Unexpected extends Error {
  override readonly name = "Unexpected";

  constructor(
    readonly answer: Answer,
    what: string,
  ) {
    super(`${what} answered ${answer.status}: ${answer.text.slice(0, 400)}`);
  }
}

/** The error code in a response. */
export const codeOf = ({ body }: Answer): string | undefined =>
  z.object({ code: z.string() }).safeParse(body).data?.code;

/** The body of a response that must have this status and shape. Throws Unexpected. */
export function expectBody<S extends z.ZodType>(answer: Answer, status: number, shape: S, what: string): z.output<S> {
  const body = shape.safeParse(answer.body);
  if (answer.status !== status || !body.success) throw new Unexpected(answer, what);
  return body.data;
}

/** Undefined for a text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
