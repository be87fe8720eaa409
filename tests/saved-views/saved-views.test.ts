import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { VIEWS_MAX } from "@/lib/saved-views/rules";
import { newOwner, type TestOwner } from "../support/actors";
import { call } from "../support/http";
import { createWorld, type World } from "../support/world";

const PATH = "/api/wallet/views";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await world?.stop();
});

type View = { viewId: string; list: string; name: string; filters: Record<string, string> };

const SETTLED = { list: "payments_made", name: "Settled", filters: { status: "settled", host: "api.example.com" } };

const save = ({ session }: TestOwner, change: object = {}) =>
  call("POST", PATH, { session, json: { ...SETTLED, ...change } });
const saved = async (owner: TestOwner, change: object = {}): Promise<View> => {
  const { status, body } = await save(owner, change);
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as { view: View }).view;
};
const viewsOf = async ({ session }: TestOwner, query = ""): Promise<View[]> =>
  ((await call("GET", `${PATH}${query}`, { session })).body as { views: View[] }).views;
const rename = ({ session }: TestOwner, { viewId }: Pick<View, "viewId">, name: string) =>
  call("PATCH", `${PATH}/${viewId}`, { session, json: { name } });
const remove = ({ session }: TestOwner, { viewId }: Pick<View, "viewId">) =>
  call("DELETE", `${PATH}/${viewId}`, { session });

test("views are listed by name, for each list, and only to their owner", async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  const settled = await saved(owner);
  const all = await saved(owner, { name: "all of one host", filters: { host: "api.example.com" } });
  const refunds = await saved(owner, { list: "payments_received", name: "Settled", filters: { status: "refunded" } });
  expect(settled).toMatchObject(SETTLED);
  expect((await viewsOf(owner)).map(({ viewId }) => viewId).sort()).toEqual(
    [settled, all, refunds].map(({ viewId }) => viewId).sort(),
  );
  expect(await viewsOf(owner, "?list=payments_made")).toEqual([all, settled]);
  expect(await viewsOf(owner, "?list=payments_received")).toEqual([refunds]);

  expect(await viewsOf(other)).toEqual([]);
  for (const refused of [await rename(other, settled, "Mine"), await remove(other, settled)]) {
    expect(refused).toMatchObject({ status: 404, body: { code: "view_not_found" } });
  }
  expect(await viewsOf(owner, "?list=payments_made")).toEqual([all, settled]);
});

test("a view is renamed and deleted; a name is used once in a list", async () => {
  const owner = await newOwner();
  const [first, second] = [await saved(owner), await saved(owner, { name: "Second" })];
  expect(await save(owner)).toMatchObject({ status: 409, body: { code: "view_exists" } });
  expect(await rename(owner, second, "Settled")).toMatchObject({ status: 409, body: { code: "view_exists" } });
  expect(await rename(owner, second, "Second")).toMatchObject({ status: 200, body: { view: second } });
  expect(await rename(owner, second, "Third")).toMatchObject({
    status: 200,
    body: { view: { ...second, name: "Third" } },
  });
  expect(await remove(owner, first)).toMatchObject({ status: 200 });
  expect(await remove(owner, first)).toMatchObject({ status: 404, body: { code: "view_not_found" } });
  expect(await rename(owner, { viewId: newId("savedView") }, "Fourth")).toMatchObject({ status: 404 });
  expect((await viewsOf(owner)).map(({ name }) => name)).toEqual(["Third"]);
});

test.each([
  ["a filter that the list does not have", { list: "payments_received" }],
  ["a value that the list refuses", { filters: { status: "refunded" } }],
  ["no filter", { filters: {} }],
  ["a filter that is not a text", { filters: { status: ["settled"] } }],
  ["no such list", { list: "payouts" }],
  ["an empty name", { name: " " }],
  ["a name with an invisible character", { name: "Settled\u202e" }],
])("%s is refused and saves nothing", async (_, change) => {
  const owner = await newOwner();
  expect(await save(owner, change)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  expect(await viewsOf(owner)).toEqual([]);
});

test("an owner has a limited number for each list, also when saved at once", async () => {
  const owner = await newOwner();
  const answers = await Promise.all(
    Array.from({ length: VIEWS_MAX + 2 }, (_, at) => save(owner, { name: `View ${at}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(VIEWS_MAX);
  expect(answers.filter(({ body }) => (body as { code?: string }).code === "too_many_views")).toHaveLength(2);
  await saved(owner, { list: "payments_received", filters: { status: "refunded" } });
  expect(await viewsOf(owner)).toHaveLength(VIEWS_MAX + 1);
});
