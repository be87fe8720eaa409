import { z } from "zod";
import {
  type Auth,
  countsStorage,
  type Endpoint,
  isNotJson,
  isReply,
  type Responses,
  type Result,
  reply,
  responsesOf,
  type Surface,
  workOf,
} from "@/lib/core/endpoint";
import { AppError, type Kind, STATUS } from "@/lib/core/errors";
import { parseJson } from "@/lib/core/json";
import { isRecord } from "@/lib/core/record";
import { docsUrl, retryOf, UNDONE_CODES } from "@/lib/core/retry";
import { closedSchemaOf, faultOf, unknownMembers } from "@/lib/core/unknown-members";
import {
  type AnyResponse,
  isResponse,
  jsonResponse,
  setHeader,
  toResponse,
  type WholeResponse,
} from "@/lib/core/whole-response";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { Actor, Agent, Anonymous, Ctx, Owner, Seller, System } from "@/lib/platform/context";
import { LaneBusy } from "@/lib/platform/lanes";
import { takeWork } from "@/lib/platform/limiter";
import { takeStorage } from "@/lib/platform/storage";
import { asAppError } from "./app-error";
import { jsonOf, readText } from "./body";
import { callerOf } from "./caller";
import { browserHeaders, corsHeaders } from "./cors";
import { edgeErrors, UNDECLARED_ERROR } from "./errors";
import { idempotencyKeyOf, idempotently, type RequestOutcome } from "./idempotency";
import { limit } from "./limit";
import { admitToken, takeAgentWork } from "./mcp-work";

type Out<S extends z.ZodType> = z.ZodType extends S ? undefined : z.output<S>;
type ActorFor<A extends Auth> = A extends "agent"
  ? Agent
  : A extends "owner"
    ? Owner
    : A extends "visitor"
      ? Owner | Anonymous
      : A extends "guest" | "host"
        ? Agent | Anonymous
        : A extends "seller"
          ? Seller
          : Anonymous;
type Segments = { params: Promise<Record<string, string | string[]>> };

/** Who makes a call within the process, for a request that was admitted already. Requests from outside cannot have it. */
export type Inside = { actor: Agent | Anonymous };

export type Edge = {
  system: () => System;
  /** Returns the actor of a request. Throws when its credentials are missing or invalid. */
  authenticate: (system: System, req: Request, auth: Exclude<Auth, "host">) => Promise<Actor>;
  /** Returns the agent of any of its tokens. Throws when the token is missing or invalid. */
  logIn: (system: System, req: Request) => Promise<Agent>;
  /** Registers a response in progress, so that a stopping process can wait for it. */
  track: <T>(work: Promise<T>) => Promise<T>;
  /** Whether the actor's owner has moved money. */
  isPaying: (system: System, actor: Actor) => Promise<boolean>;
};

const BODY_BYTES_MAX = 65_536;

/**
 * Every API request passes through here: authenticate, decode, handle, encode, log. `serve` of the handler is what ops/server calls: it
 * builds no `Response` for a body that is complete.
 */
export const createRoute =
  (edge: Edge) =>
  <A extends Auth, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Responses>(
    e: Endpoint<A, P, Q, B, R>,
    handle: (
      ctx: Ctx<ActorFor<A>>,
      input: { params: Out<P>; query: Out<Q>; body: Out<B> },
      req: Request,
    ) => Promise<Result<R>>,
  ) => {
    const sharedTexts = new WeakMap<object, string>();
    const serve = async (req: Request, segments?: Segments, inside?: Inside): Promise<AnyResponse> => {
      const started = performance.now();
      const requestId = crypto.randomUUID();
      const system = edge.system();
      const line: Record<string, unknown> = { requestId, method: e.method, path: e.path };
      let isDeliberate = false;
      const response = await edge.track(respond()).catch(refuse);
      setHeader(response, "X-Request-Id", requestId);
      if (!response.headers.has("cache-control")) setHeader(response, "Cache-Control", "no-store");
      if (e.forBrowsers) for (const [name, value] of browserHeaders) setHeader(response, name, value);
      if (e.surface === "resource") for (const [name, value] of corsHeaders) setHeader(response, name, value);
      // A handler that responds with 503 says that somebody else failed, such as a seller's API.
      const isReplied = response.status === 503 && line.code === undefined;
      const level = response.status >= 500 && !isDeliberate && !isReplied ? "error" : "info";
      system.log[level]({ ...line, status: response.status, ms: Math.round(performance.now() - started) }, "request");
      return response;

      function refuse(cause: unknown): WholeResponse {
        const error = asAppError(cause);
        line.code = error.code;
        // A 503 without a cause is no failure: the caller waits for work in progress.
        isDeliberate = error.status === 503 && error.cause === undefined;
        if (error.status >= 500 && !isDeliberate) line.err = error.cause ?? error;
        const body = errorBody[e.surface](error, { requestId, baseUrl: system.config.baseUrl });
        const response = jsonResponse(JSON.stringify(body), { status: error.status });
        if (error.status === 429 || error.status === 503)
          setHeader(response, "Retry-After", String(error.details?.retryAfterSeconds ?? 2));
        if (error.status === STATUS.unauthenticated && e.challenge)
          setHeader(response, "WWW-Authenticate", e.challenge(system.config.baseUrl, error));
        return response;
      }

      function reportUndeclared(error: unknown): never {
        if (!(error instanceof AppError)) throw error;
        const { code, kind } = error;
        // The contract or the edge declares it with the same status. The surface decides the case of a code.
        const isDeclared = [e.errors, edgeErrors.table].some((table) =>
          Object.entries(table).some(
            ([name, [declaredKind]]) => name.toLowerCase() === code.toLowerCase() && declaredKind === kind,
          ),
        );
        if (!isDeclared) system.log.error({ requestId, method: e.method, path: e.path, code }, UNDECLARED_ERROR);
        throw error;
      }

      /** Takes the work of the call, and returns its actor. */
      async function admitCaller(caller: string): Promise<Actor> {
        const { auth } = e;
        const agent = inside?.actor.type === "agent" ? inside.actor : null;
        const isPaying = (payer: Agent) => edge.isPaying(system, payer);
        const authorization = auth === "host" && !inside ? req.headers.get("authorization") : null;
        if (authorization !== null) {
          const verify = () => edge.logIn(system, req);
          return admitToken(system, authorization, { caller, work: workOf(e), isPaying, verify });
        }
        if (agent) await takeAgentWork(system, agent, caller, workOf(e), isPaying);
        else await takeAddressWork(caller);
        // Behind one address of a host are many owners, whose work has a bound.
        if (e.limitPerAddress) await limit(system, e.limitPerAddress, agent?.ownerId ?? caller);
        if (agent && (auth === "agent" || auth === "guest" || auth === "host")) return agent;
        return auth === "host" ? { type: "anonymous" } : edge.authenticate(system, req, auth);
      }

      async function takeAddressWork(caller: string): Promise<void> {
        const name = e.allowance === "login" ? "login_work_per_address" : "work_per_address";
        const retryAfterSeconds = await takeWork(system, name, caller, workOf(e));
        if (retryAfterSeconds === null) return;
        // Owners who have moved money are exempt: many of their agents can share one address.
        const payer = e.auth === "host" ? null : await edge.authenticate(system, req, e.auth).catch(() => null);
        if (payer === null || !(await edge.isPaying(system, payer)))
          throw edgeErrors.rate_limited({ retryAfterSeconds });
      }

      async function respond(): Promise<AnyResponse> {
        const caller = callerOf(req);
        const actor = await admitCaller(caller);
        if (actor.type === "agent") line.agentId = actor.agentId;
        if (actor.type === "owner") line.ownerId = actor.ownerId;
        if (actor.type === "seller") line.keyId = actor.keyId;
        const ctx = { ...system, requestId, actor, caller };
        const text = e.body && (await readText(req, e.bodyBytesMax ?? BODY_BYTES_MAX));
        const json = text === undefined ? undefined : jsonOf(text, parseJson);
        if (e.rawBody && idempotencyKeyOf(req) !== null)
          throw edgeErrors.invalid_request({ message: "Send the bytes of a file without an Idempotency-Key" });
        if (countsStorage(e)) {
          const declaredBytes = Number(req.headers.get("content-length") ?? Number.NaN);
          const rawBytesMax = e.rawBody?.bytesMax;
          let bytes = Buffer.byteLength(text ?? "");
          if (rawBytesMax !== undefined)
            bytes = declaredBytes >= 0 && declaredBytes <= rawBytesMax ? declaredBytes : rawBytesMax;
          // With a key the response is stored too: about as long as the request, and sealed.
          const copies = idempotencyKeyOf(req) === null ? 1 : 3;
          const retryAfterSeconds = await takeStorage(system, {
            caller,
            actor,
            bytes: bytes * copies,
            isPaying: () => edge.isPaying(system, actor),
          });
          if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
        }
        const misdirected = e.misdirected?.(json);
        if (misdirected) throw misdirected;
        const input = {
          params: e.params && decode(e.params, await segments?.params),
          query: e.query && decode(e.query, queryOf(req)),
          body: e.body && (e.ignoresUnknown === undefined ? decodeBody(e.body, json) : decode(e.body, json)),
        };
        const work = async (): Promise<RequestOutcome> => {
          const result = handle(
            // `authenticate` returns the kind of actor that `auth` requires.
            ctx as Ctx<ActorFor<A>>,
            input as { params: Out<P>; query: Out<Q>; body: Out<B> },
            req,
          );
          return encode(e, await result.catch(reportUndeclared), { baseUrl: system.config.baseUrl, sharedTexts });
        };
        // A seller's requests are idempotent by the authorization that they carry, those of tools by an argument.
        if (actor.type === "anonymous" || actor.type === "seller" || e.auth === "host") return (await work()).response;
        const key = e.method === "POST" ? idempotencyKeyOf(req) : null;
        if (key === null) return (await work()).response;
        const { pathname, search } = new URL(req.url);
        const request = { path: pathname + search, body: json };
        return idempotently(system, { actor, key, request }, () =>
          work().catch((error: unknown) => ({ response: refuse(error), isUndone: isNothingDone(error) })),
        );
      }
    };
    const handler = async (...call: Parameters<typeof serve>): Promise<Response> => toResponse(await serve(...call));
    return Object.assign(handler, { endpoint: e, serve });
  };

/** `sharedTexts`: the texts of bodies that this endpoint sends again. */
type Encoding = { baseUrl: string; sharedTexts: WeakMap<object, string> };

/** The response for a handler's result. Throws when the contract does not declare its status, or its body does not fit. */
function encode(e: Endpoint, result: unknown, { baseUrl, sharedTexts }: Encoding): RequestOutcome {
  // By its type, the handler returns a Response exactly when the contract has no JSON.
  if (isNotJson(e.response)) return { response: result as Response, isUndone: false };
  const declared = responsesOf(e);
  const statuses = Object.keys(declared);
  const onlyStatus = statuses.length === 1 ? Number(statuses[0]) : Number.NaN;
  const replied = isReply(result) ? result : reply(onlyStatus, result);
  const { status, body, headers = {}, isUndone = false, isShared = false } = replied;
  const schema = declared[status];
  if (!schema) throw new Error(`${e.method} ${e.path} does not declare this response (${status})`);
  const sharedBody = isShared && isRecord(body) ? body : null;
  const sharedText = sharedBody && sharedTexts.get(sharedBody);
  if (sharedText) return { response: jsonResponse(sharedText, { status, headers }), isUndone };
  const encoded = z.encode(schema, body);
  // A response of somebody else, which is passed on.
  if (isResponse(encoded)) {
    for (const [name, value] of Object.entries(headers)) setHeader(encoded, name, value);
    return { response: encoded, isUndone };
  }
  const text = JSON.stringify(e.surface === "identity" ? encoded : withRemedy(status, encoded, baseUrl));
  if (sharedBody) sharedTexts.set(sharedBody, text);
  return { response: jsonResponse(text, { status, headers }), isUndone };
}

/** A repeated parameter becomes an array, which no schema of the service accepts. Linear in the length of the query. */
function queryOf(req: Request): Record<string, string | string[]> {
  if (!req.url.includes("?")) return {};
  const values = new Map<string, string[]>();
  for (const [name, value] of new URL(req.url).searchParams) {
    const existingValues = values.get(name);
    if (existingValues) existingValues.push(value);
    else values.set(name, [value]);
  }
  // Object.fromEntries, because an assignment to `__proto__` would change the object's prototype.
  return Object.fromEntries(
    [...values].map(([name, [first = "", ...otherValues]]) => [
      name,
      otherValues.length > 0 ? [first, ...otherValues] : first,
    ]),
  );
}

/**
 * Parses the caller's input with `schema`; throws invalid_request. Only this input can be the caller's fault: any other
 * ZodError is a bug in the service and stays a 500.
 */
export function decode<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  return result.success ? result.data : refuseInput(faultsIn(result));
}

/**
 * `decode` for a body. It refuses members that the schema does not list by name, because their sender expects an effect of them. Faults
 * of listed members come first: the interface fixes the texts of some.
 */
export function decodeBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  const unknown = unknownMembers(closedSchemaOf(schema), value).slice(0, UNKNOWN_NAMED_MAX);
  if (result.success && unknown.length === 0) return result.data;
  return refuseInput([
    ...faultsIn(result),
    ...unknown.map((member) => {
      const message = `${member.path}: ${faultOf(member, "a field of this request")}`;
      return { field: member.path, message, reason: message };
    }),
  ]);
}

/** In one response. */
const UNKNOWN_NAMED_MAX = 5;

/** `reason`: the error of an identity endpoint. */
type InputFault = { field: string; message: string; reason: string };

/** The first issue only: one wrong value can violate several rules. */
const faultsIn = ({ error }: z.ZodSafeParseResult<unknown>): InputFault[] =>
  (error?.issues ?? []).slice(0, 1).map(({ path, message: reason }) => {
    const field = path.join(".");
    return { field, message: field ? `${field}: ${reason}` : reason, reason };
  });

function refuseInput(faults: readonly InputFault[]): never {
  const [first] = faults;
  throw edgeErrors.invalid_request({
    message: faults.map(({ message }) => message).join(". ") || "Invalid request",
    reason: first?.reason,
    ...(first?.field && { field: first.field }),
  });
}

/**
 * Errors after which certainly nothing was done and the same request may succeed later: after a wait, or with the missing
 * signature.
 */
const isNothingDone = (error: unknown): boolean =>
  error instanceof AppError
    ? error.kind === "limited" || UNDONE_CODES.has(error.code)
    : error instanceof ChainUnavailable || error instanceof LaneBusy;

/** The next step for a language model that reads the refusal. */
const LOG_IN_FIRST = {
  primer: "This wallet acts for a registered agent, which every call names by its login JWT.",
  instructions:
    "Send Authorization: Bearer <jwt>. Get one from POST /register (once) or POST /refresh with agent_id and token; it lives for minutes.",
};

type Context = { requestId: string; baseUrl: string };

/** The body of an error, in the form of the surface. */
const errorBody: Record<Surface, (e: AppError, context: Context) => object> = {
  wallet: (e, context) => walletError(e, e.code.toLowerCase(), context),
  resource: (e, context) => walletError(e, e.code.toUpperCase(), context),
  identity: (e) => ({
    error: e.details?.reason ?? (e.code in edgeErrors.table ? e.code : e.message),
    error_description: e.details?.description,
  }),
};

function walletError(e: AppError, code: string, { requestId, baseUrl }: Context): object {
  const message = typeof e.details?.message === "string" ? e.details.message : e.message;
  // A seller's API key is not a login that an agent can renew.
  const isAgents = e.status === STATUS.unauthenticated && code !== "invalid_api_key";
  const login = isAgents && { payment_model_context: LOG_IN_FIRST };
  const body = { ...login, ...e.details, status: "error", error: message, message, code, requestId };
  return { ...body, ...remedyOf(code, e.kind, { ...body }, baseUrl) };
}

/** What to do next, and where it is explained. */
const remedyOf = (code: string, kind: Kind, body: object, baseUrl: string) => ({
  retry: retryOf(code, kind, body),
  docsUrl: docsUrl(baseUrl, code),
});

const KINDS = new Map(Object.entries(STATUS).map(([kind, status]) => [status as number, kind as Kind]));

/** Adds `retry` and `docsUrl` to a declared response with an error code: a refused proof, or a failed transfer. */
function withRemedy(status: number, body: unknown, baseUrl: string): unknown {
  const kind = KINDS.get(status);
  if (kind === undefined || typeof body !== "object" || body === null) return body;
  if (!("code" in body) || typeof body.code !== "string") return body;
  return { ...body, ...remedyOf(body.code, kind, body, baseUrl) };
}
