import { beforeAll, expect, test } from "vitest";
import { takesIdempotencyKey } from "@/lib/openapi/failures";
import { signedBy } from "../support/confirmations";
import { endpoints, named } from "../support/endpoints";
import { type Answer, type CallOptions, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { BODIES, pathOf } from "../support/requests";
import { shareService } from "../support/service";

const service = shareService();
const forCallers = endpoints.filter(takesIdempotencyKey);

let pair: Parties;
beforeAll(async () => {
  pair = await linkedPair();
});

/** Sends the request with the endpoint's kind of authentication. */
const as = (auth: string): CallOptions =>
  auth === "agent" ? { bearer: pair.agent.jwt } : { session: pair.owner.session };
const body = (response: Answer) => response.body as Json;
const replayed = (response: Answer) => response.headers.get("idempotency-replayed");

test.each(forCallers.map((e) => [named(e), e] as const))("%s runs once per Idempotency-Key", async (_, e) => {
  const bodyOf = BODIES[e.path];
  if (!bodyOf) throw new Error("Add a valid body for this endpoint to BODIES");
  const [path, json] = [pathOf(e.path, pair), bodyOf()];
  const send = (query = "") =>
    call("POST", path + query, { ...as(e.auth), json, headers: { "idempotency-key": named(e).replace(" ", ":") } });
  const first = await send();
  expect([first.text, replayed(first)]).toEqual([expect.not.stringContaining("invalid_request"), null]);
  const repeatedResponse = await send();
  expect([repeatedResponse.status, repeatedResponse.body, replayed(repeatedResponse)]).toEqual([
    first.status,
    first.body,
    "true",
  ]);
  const otherResponse = await send("?other=1");
  expect([otherResponse.status, replayed(otherResponse)]).toEqual([409, null]);
});

test("a webhook's secret, shown once, is returned again only to the same request, and stored encrypted", async () => {
  /** Sends it twice under one key, signed. */
  const twice = async (path: string, json: object, key: string) => {
    const signature = await signedBy(pair.owner, await call("POST", path, { ...as("owner"), json }));
    const send = () =>
      call("POST", path, { ...as("owner"), json: { ...json, signature }, headers: { "idempotency-key": key } });
    return [await send(), await send()] as const;
  };
  const [first, repeatedResponse] = await twice("/api/webhooks", { url: "https://a.example.com/" }, "s");
  const { secret, webhook } = body(first);
  expect([first.status, repeatedResponse.status, body(repeatedResponse).secret]).toEqual([201, 201, secret]);
  const { webhookId } = webhook;
  const [turned, turnedAgain] = await twice(`/api/webhooks/${webhookId}/rotate`, {}, "r");
  expect(body(turnedAgain).secret).toBe(body(turned).secret);
  expect(body(turned).secret).not.toBe(secret);
  const kept = JSON.stringify(await service.opened.sql`select * from idempotent_requests`);
  for (const shown of [secret, body(turned).secret]) {
    expect(shown).toMatch(/^whsec_.{40,}/);
    expect(kept).not.toContain(shown.slice("whsec_".length));
  }
});
