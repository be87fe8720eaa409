import { afterAll, beforeAll, expect, test } from "vitest";
import { newOwner, type TestOwner } from "../support/actors";
import { call } from "../support/http";
import { pngOf } from "../support/images";
import type { Json } from "../support/mandates";
import { closeSystem } from "../support/wiring";
import { createWorld, type World } from "../support/world";

/** Limits of an owner that are low enough to be reached. */
let world: World;
let person: TestOwner;
let other: TestOwner;

beforeAll(async () => {
  world = await createWorld();
  process.env.RATE_LIMITS = [
    process.env.RATE_LIMITS,
    "agent_per_owner=2/1h,search_per_owner=30/1m,logo_per_owner=1/1h,domain_check_per_owner=1/1h",
  ].join();
  [person, other] = [await newOwner(), await newOwner()];
});

afterAll(async () => {
  await closeSystem();
  await world?.stop();
});

const REFUSAL = { status: 429, body: { code: "rate_limited" } };

test("new agents are rate limited for each owner", async () => {
  const create = ({ session }: TestOwner, name: string) => call("POST", "/api/agents", { session, json: { name } });
  for (const name of ["First", "Second"]) expect((await create(person, name)).status).toBe(201);
  expect(await create(person, "Third")).toMatchObject(REFUSAL);
  expect((await create(other, "First")).status).toBe(201);
});

test("searches are rate limited for each owner", async () => {
  const search = ({ session }: TestOwner) => call("GET", "/api/search?query=zebra", { session });
  for (let count = 0; count < 30; count++) expect((await search(person)).status).toBe(200);
  const refused = await search(person);
  expect(refused).toMatchObject(REFUSAL);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await search(other)).status).toBe(200);
});

test("logo uploads and domain checks are rate limited for each owner", async () => {
  const upload = (side: number) =>
    call("POST", "/api/seller/logo", {
      session: person.session,
      json: { data: pngOf(side).toString("base64") },
    });
  expect((await upload(3)).status).toBe(200);
  expect(await upload(4)).toMatchObject(REFUSAL);
  const { session } = person;
  const added = await call("POST", "/api/seller/domains", { session, json: { domain: "localhost:9" } });
  const path = `/api/seller/domains/${(added.body as Json).domain.domainId}/verify`;
  expect(await call("POST", path, { session })).toMatchObject({ status: 409, body: { code: "domain_not_proved" } });
  expect(await call("POST", path, { session })).toMatchObject(REFUSAL);
});
