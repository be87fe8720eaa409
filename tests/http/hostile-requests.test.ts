import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApi } from "@/lib/openapi/document";
import { newAgent, newOwner } from "../support/actors";
import { isPagesTwin } from "../support/declared";
import { type HostileRequest, type Ids, type Operation, requestsTo, withIds } from "../support/hostile/requests";
import { BASE_URL, type CallOptions, call } from "../support/http";
import { type Json, type Parties, signedMandate } from "../support/mandates";
import { runService } from "../support/service";

/** `HOSTILE_REQUESTS=1000` for a thorough run; `HOSTILE_SEED` repeats one. */
const COUNT = Number(process.env.HOSTILE_REQUESTS ?? 10);
const SEED = Number(process.env.HOSTILE_SEED ?? 20_260_101);
const BATCH = 10;
/** Generous: a thorough run has the lowest priority on a busy machine. */
const TIMEOUT_MS = Math.max(120_000, COUNT * 5_000);
const SLOWEST = 10;
const AGENT = "agentLogin";

/** Tables that a refused request may change: counters, logins, challenges to sign, and the work of background jobs. */
const UNCOMPARED = new Set([
  ...["rate_limits", "idempotent_requests", "siwe_nonces", "sessions", "leases", "chain_cursors", "chain_blocks"],
  ...["link_visits", "link_refusals", "event_outbox", "service_secrets", "confirmations", "signing_keys", "relayers"],
  ...["link_listings", "vault_searches"],
]);

const KNOWN = new Set(["agentId", "mandateId", "linkId", "address", "firewallId"]);

const service = runService();
const document = openApi(BASE_URL);
type Methods = Record<string, Operation & { security: readonly object[] }>;
/** Its answer has no end; tests/live has its parameter. */
const isStream = ({ path }: { path: string }) => path === "/api/events";
const operations = Object.entries<Methods>(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  .filter((one) => !isStream(one) && !isPagesTwin(one.path));

function resolved<T extends { $ref?: string }>(node: T): T {
  if (node.$ref === undefined) return node;
  let found: unknown = document;
  for (const part of node.$ref.slice(2).split("/")) found = (found as Record<string, unknown>)[part];
  return resolved(found as T);
}

type Cast = Parties & { ids: Ids; stranger: Parties };
/** Milliseconds of the slowest answer of each endpoint. */
const slowest = new Map<string, number>();
let stranger: Parties;

beforeAll(async () => {
  stranger = { owner: await newOwner(), agent: await newAgent("Stranger") };
});

afterAll(() => {
  const worst = [...slowest].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  const lines = worst.map(([name, ms]) => `  ${ms.toFixed(0).padStart(6)} ms  ${name}`);
  process.stdout.write(`\n The slowest answers to ${COUNT} hostile requests for each endpoint:\n${lines.join("\n")}\n`);
});

let current: Cast | undefined;
/** Creates actors. Endpoints share them until a request is accepted, which may have ended a session or unlinked an agent. */
async function castOf(): Promise<Cast> {
  const { owner, agent, mandateId } = await signedMandate();
  const createdResponse = await call("POST", "/api/payment-links", { bearer: agent.jwt, json: { amount: "10000" } });
  const { linkId } = (createdResponse.body as Json).paymentLink;
  const ids = { agentId: agent.agentId, mandateId, linkId, address: owner.address, firewallId: "sentinel" };
  return { owner, agent, ids, stranger };
}

function optionsOf({ login, headers, body }: HostileRequest, isAgents: boolean, cast: Cast): CallOptions {
  const own: CallOptions = { headers, ...(body !== undefined && { raw: body }) };
  if (login === "none") return own;
  if (login === "garbage") return { ...own, bearer: "a.b.c", session: "a.b.c" };
  const actor = login === "right" ? cast : cast.stranger;
  // Identity's endpoints prefer a bearer, so only the login that the endpoint takes is sent.
  return isAgents ? { ...own, bearer: actor.agent.jwt } : { ...own, session: actor.owner.session };
}

async function stateOf(): Promise<Record<string, string>> {
  const { sql } = service.opened;
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const compared = tables.map(({ name }) => name).filter((name) => !UNCOMPARED.has(name));
  const states = await sql.unsafe<{ name: string; state: string }[]>(
    compared
      .map(
        (name) =>
          `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as state from "${name}" t`,
      )
      .join(" union all "),
  );
  return Object.fromEntries(states.map(({ name, state }) => [name, state]));
}

test.each(operations)(
  "$name: hostile requests get declared errors and change nothing",
  async (one) => {
    const { name, method, path, operation } = one;
    current ??= await castOf();
    let cast = current;
    const isAgents = operation.security.some((scheme) => AGENT in scheme);
    let before: Record<string, string> | undefined;
    const requests = fc.sample(requestsTo(method, path, operation, resolved, KNOWN), { numRuns: COUNT, seed: SEED });
    for (let from = 0; from < requests.length; from += BATCH) {
      before ??= await stateOf();
      const responses = [];
      for (const request of requests.slice(from, from + BATCH)) {
        const sentAt = performance.now();
        const response = await call(method, withIds(request.path, cast.ids), optionsOf(request, isAgents, cast)).catch(
          (error) => {
            throw new Error(`${JSON.stringify(request).slice(0, 3000)}\n${error}`, { cause: error });
          },
        );
        slowest.set(name, Math.max(slowest.get(name) ?? 0, performance.now() - sentAt));
        expect(response.status, JSON.stringify({ request, answer: response.text.slice(0, 500) })).toBeLessThan(500);
        responses.push({ request, status: response.status });
      }
      const isRefused = responses.every(({ status }) => status >= 400);
      if (isRefused) {
        const stateAfter = await stateOf();
        expect(stateAfter, JSON.stringify(responses).slice(0, 3000)).toEqual(before);
        before = stateAfter;
      } else {
        before = undefined;
        if (method !== "GET") current = cast = await castOf();
      }
    }
  },
  TIMEOUT_MS,
);
