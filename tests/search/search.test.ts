import { beforeAll, describe, expect, test } from "vitest";
import { newOwner } from "../support/actors";
import { call } from "../support/http";
import { type Json, linkedPair, type Parties, signedMandate, v3 } from "../support/mandates";
import { shareService } from "../support/service";

shareService();

let mine: Parties;
let others: Parties;
let mandateId: string;
let linkId: string;
let paymentId: string;

beforeAll(async () => {
  [mine, others] = [await linkedPair(), await linkedPair()];
  for (const parties of [mine, others]) {
    const mandate = await signedMandate({ naturalLanguage: "Pay for 100% zebra data_x" }, parties);
    const link = await call("POST", "/api/payment-links", {
      bearer: parties.agent.jwt,
      json: { amount: "10000", description: "Zebra report", reference: "order-zebra" },
    });
    const paidResponse = await call("POST", "/api/payment/x402V3Payment", {
      bearer: parties.agent.jwt,
      json: v3(mandate.mandateId, { resource: "https://zebra.example.com/" }),
    });
    expect([paidResponse.status, link.status]).toEqual([200, 200]);
    if (parties !== mine) continue;
    mandateId = mandate.mandateId;
    linkId = (link.body as Json).paymentLink.linkId;
    paymentId = (paidResponse.body as Json).paymentRecordId ?? (paidResponse.body as Json).paymentId;
  }
});

const find = async (query: string, session = mine.owner.session): Promise<Json[]> => {
  const { status, body } = await call("GET", `/api/search?${new URLSearchParams({ query })}`, { session });
  expect(status).toBe(200);
  return (body as Json).results;
};
const kindsOf = (results: Json[]) => results.map(({ kind }) => kind);

describe("an owner's search finds", () => {
  test("the owner's mandates, links and payments by a word, and nobody else's", async () => {
    const results = await find("ZEBRA");
    expect(kindsOf(results).sort()).toEqual(["link", "mandate", "payment"]);
    expect(results.find(({ kind }) => kind === "mandate")).toMatchObject({ id: mandateId });
    expect(results.find(({ kind }) => kind === "link")).toMatchObject({ id: linkId, title: "Zebra report" });
    expect(results.find(({ kind }) => kind === "payment")).toMatchObject({ id: paymentId, title: "zebra.example.com" });
  });

  test("agents by name and id, links by reference and id, payments and mandates by id", async () => {
    const { agentId } = mine.agent;
    expect(await find(agentId)).toMatchObject([{ kind: "agent", id: agentId }]);
    expect(await find("order-zebra")).toMatchObject([{ kind: "link", id: linkId }]);
    expect(await find(linkId)).toMatchObject([{ kind: "link", id: linkId }]);
    expect(kindsOf(await find(mandateId))).toContain("mandate");
    expect(kindsOf(await find(paymentId))).toEqual(["payment"]);
    expect(await find(mandateId, others.owner.session)).toEqual([]);
    expect(await find(linkId, others.owner.session)).toEqual([]);
    expect(await find(paymentId, others.owner.session)).toEqual([]);
  });

  test("links by a part of their title, which is shown", async () => {
    const json = { amount: "10000", title: "Lisbon in three days", description: "A guide with maps" };
    await call("POST", "/api/payment-links", { bearer: mine.agent.jwt, json });
    expect(await find("lisbon in")).toMatchObject([{ kind: "link", title: "Lisbon in three days" }]);
    expect(await find("maps")).toMatchObject([{ kind: "link", title: "Lisbon in three days" }]);
  });

  test("at most five results of each kind", async () => {
    for (let count = 0; count < 7; count++) {
      const json = { amount: "10000", description: `Giraffe ${count}` };
      await call("POST", "/api/payment-links", { bearer: mine.agent.jwt, json });
    }
    expect((await find("giraffe")).map(({ title }) => title)).toEqual(
      [6, 5, 4, 3, 2].map((count) => `Giraffe ${count}`),
    );
  });

  test("the wildcard characters of SQL patterns literally", async () => {
    expect(kindsOf(await find("100%"))).toEqual(["mandate"]);
    expect(kindsOf(await find("data_x"))).toEqual(["mandate"]);
    expect(await find("z%a")).toEqual([]);
    expect(await find("\\%")).toEqual([]);
    expect(await find("' or 1=1 --")).toEqual([]);
  });

  test("nothing before the owner has anything", async () => {
    const { session } = await newOwner();
    expect(await find("zebra", session)).toEqual([]);
  });
});

test.each(["", "a", "  a ", "x".repeat(101), "a\0b"])("the search text %j is refused", async (query) => {
  const { session } = mine.owner;
  const response = await call("GET", `/api/search?${new URLSearchParams({ query })}`, { session });
  expect([response.status, response.body]).toMatchObject([400, { code: "invalid_request" }]);
});

test("only a signed-in person can search", async () => {
  const response = await call("GET", "/api/search?query=zebra");
  expect([response.status, response.body]).toMatchObject([401, { code: "session_required" }]);
});
