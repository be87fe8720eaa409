import { createHash } from "node:crypto";
import { IDEMPOTENCY_KEY } from "@/lib/core/endpoint";
import { canonicalJson } from "@/lib/core/json";
import { addSeconds } from "@/lib/core/time";
import { type AnyResponse, setHeader, toResponse, WholeResponse } from "@/lib/core/whole-response";
import type { Agent, Owner, System } from "@/lib/platform/context";
import * as store from "@/lib/platform/idempotency-store";
import { edgeErrors } from "./errors";

/** How long a response is kept, in seconds. */
const KEPT_SECONDS = 86_400;
/** Longer than any request takes: a request without a response after this time never gets one. */
const PATIENCE_SECONDS = 90;
const HEADERS_KEPT = ["content-type", "location", "retry-after"];

/** The request's idempotency key, or null. Throws invalid_request for a malformed key and for two different keys. */
export function idempotencyKeyOf(req: Request): string | null {
  const [key, alternateKey] = [req.headers.get("idempotency-key"), req.headers.get("x-idempotency-key")];
  const idempotencyKey = key ?? alternateKey;
  if (idempotencyKey === null) return null;
  if (key !== null && alternateKey !== null && key !== alternateKey)
    throw edgeErrors.invalid_request({ message: "Idempotency-Key and X-Idempotency-Key differ: send one of them" });
  if (!IDEMPOTENCY_KEY.test(idempotencyKey))
    throw edgeErrors.invalid_request({ message: "Idempotency-Key must be 1 to 255 visible ASCII characters" });
  return idempotencyKey;
}

/** A response. `isUndone`: the request changed nothing and may succeed later. */
export type RequestOutcome = { response: AnyResponse; isUndone: boolean };

export type IdempotentCall = {
  actor: Agent | Owner;
  key: string;
  /** The content of the request: the same key with different content is refused. */
  request: { path: string; body: unknown };
};

/**
 * Carries out a request once for each key of an actor. `work` produces the first response; for 24 hours a repetition gets
 * the same response, whatever it was. Throws idempotency_key_reused for a different request with the same key,
 * idempotency_in_progress while the first one runs, and idempotency_unknown when its response was lost: it is not carried out
 * again. After an undone response the same key can be used again.
 * Why: docs/decisions.md, 76.
 */
export async function idempotently(
  system: System,
  { actor, key, request }: IdempotentCall,
  work: () => Promise<RequestOutcome>,
): Promise<AnyResponse> {
  const { db, vault } = system;
  const time = system.now();
  const row = {
    scope: actor.type === "agent" ? `agent:${actor.agentId}` : `owner:${actor.ownerId}`,
    keyHash: hashOf(key),
    requestHash: hashOf(canonicalJson([request.path, request.body])),
  };
  const sealedTo = `idempotency:${row.scope}:${row.keyHash}`;
  if (!(await store.begin(db, { ...row, createdAt: time }, addSeconds(time, -KEPT_SECONDS)))) return replay();

  const { response, isUndone } = await work();
  if (isUndone) {
    await store.forget(db, row);
    return response;
  }
  const text = typeof response.body === "string" ? response.body : await toResponse(response).text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => HEADERS_KEPT.includes(name)));
  await store
    .finish(db, row, { status: response.status, headers, sealedBody: vault.seal(text, sealedTo) })
    // The work is done: return its response even if it could not be stored.
    .catch((err: unknown) => system.log.error({ err }, "idempotency.store_failed"));
  return new WholeResponse(response.status, new Map(response.headers), text);

  async function replay(): Promise<WholeResponse> {
    const first = await store.find(db, row);
    if (!first) throw edgeErrors.idempotency_in_progress();
    if (first.requestHash !== row.requestHash) throw edgeErrors.idempotency_key_reused();
    if (first.status === null || first.sealedBody === null) {
      throw time < addSeconds(first.createdAt, PATIENCE_SECONDS)
        ? edgeErrors.idempotency_in_progress()
        : edgeErrors.idempotency_unknown();
    }
    const headers = new Map(Object.entries(first.headers ?? {}));
    const response = new WholeResponse(first.status, headers, openBody(first.sealedBody));
    setHeader(response, "Idempotency-Replayed", "true");
    return response;
  }

  function openBody(sealedBody: string): string {
    try {
      return vault.open(sealedBody, sealedTo);
    } catch (err) {
      // The master key that sealed it is gone.
      throw edgeErrors.idempotency_unknown(undefined, err);
    }
  }
}

/** Deletes up to `limit` responses older than the retention time; returns how many. */
export const forgetOldAnswers = ({ db, now }: System, limit: number): Promise<number> =>
  store.forgetBefore(db, addSeconds(now(), -KEPT_SECONDS), limit);

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
