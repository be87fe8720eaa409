import { readFileSync } from "node:fs";
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiptVerifier } from "@/docs/verifiers/verify-receipt";
import { type Address, toAddress } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { setReceivingAddress } from "../support/confirmations";
import { partsOf, signerOf, type TokenParts, withClaims, withHeader } from "../support/forged-tokens/parts";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { until } from "../support/replica";
import { sold } from "../support/sales";
import { type Served, serve } from "../support/serve";
import { claimFrom, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 250_000n;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let identity: typeof import("@/lib/identity/service");
let workers: { stop: () => Promise<void> };
let server: Served;
let seller: Parties;
let payTo: Address;

beforeAll(async () => {
  world = await createWorld();
  process.env.POLL_MILLISECONDS = "400";
  wiring = await import("../support/wiring");
  identity = await import("@/lib/identity/service");
  seller = await linkedPair();
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
  await wiring.closeSystem();
  server = await serve();
  testSystem = openSystem();
  workers = wiring.startWorkers();
  await world.mint(toAddress(payer().address), 1_000_000_000n);
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await server?.stop();
  await testSystem?.close();
  await world?.stop();
});

const payer = () => {
  const [account] = world.accounts;
  if (!account) throw new Error("no such account");
  return account;
};
const requestReceipt = (settlementId: string) => call("GET", `/api/settlements/${settlementId}/receipt`);
const body = (response: Answer) => response.body as Json;

const uplPath = () => `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${AMOUNT}&asset=usdc`;
async function pay(path: string): Promise<string> {
  const proof = claimFrom(payer(), payTo, AMOUNT);
  const response = await call("GET", path, { headers: paying(proof) });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return body(response).settlementId;
}

async function newLink(): Promise<string> {
  const json = { amount: AMOUNT.toString(), description: "“A report”\n<b>" };
  const response = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json });
  return body(response).paymentLink.linkId;
}

/** A receipt, verified by jose with the currently published keys. */
async function read(jws: string) {
  const keys = createLocalJWKSet((await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet);
  const { protectedHeader, payload } = await compactVerify(jws, keys, { algorithms: ["RS256"] });
  return { header: protectedHeader, claims: JSON.parse(new TextDecoder().decode(payload)) };
}

describe("GET /api/settlements/{settlementId}/receipt", () => {
  test("signs the settlement's facts as a token of type receipt+jwt", async () => {
    const settlementId = await pay(uplPath());
    const view = body(await call("GET", `/api/settlements/${settlementId}`));
    const response = await requestReceipt(settlementId);
    const claims = {
      iss: server.url,
      sub: settlementId,
      iat: Math.floor(Date.parse(view.endedAt) / 1000),
      txHash: view.txHash,
      blockNumber: view.blockNumber,
      network: "base",
      asset: NETWORKS.base.usdc,
      payer: toAddress(payer().address),
      payee: payTo,
      amount: "250000",
      currency: "USDC",
      description: "Payment to Test agent",
      resource: `${server.url}${uplPath()}`,
      settledAt: view.endedAt,
      linkId: null,
    };
    expect([response.status, response.body]).toEqual([
      200,
      { success: true, receipt: claims, jws: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{342}$/) },
    ]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const { jws } = body(response);
    expect(await read(jws)).toEqual({
      header: { alg: "RS256", typ: "receipt+jwt", kid: expect.any(String) },
      claims,
    });
    const mined = await world.client().getTransactionReceipt({ hash: view.txHash });
    expect([mined.status, mined.blockNumber.toString()]).toEqual(["success", claims.blockNumber]);
  });

  test("names the paid link, with its texts unchanged", async () => {
    const linkId = await newLink();
    const settlementId = await pay(`/paymentlink/${linkId}`);
    const { jws } = body(await requestReceipt(settlementId));
    const resource = `${server.url}/pay/${linkId}`;
    expect((await read(jws)).claims).toMatchObject({ linkId, resource, description: "“A report”\n<b>" });
  });

  test("returns the same signed bytes again, and the same payload after a key change", async () => {
    const settlementId = await pay(uplPath());
    const first = body(await requestReceipt(settlementId));
    expect(body(await requestReceipt(settlementId))).toEqual(first);
    const { kid } = await identity.rotateKeys(wiring.system(), { force: true });
    const repeatRequest = async () => body(await requestReceipt(settlementId));
    await until(
      async () => decodeProtectedHeader((await repeatRequest()).jws).kid === kid,
      "the server to sign with it",
      15,
    );
    const second = await repeatRequest();
    expect(second.receipt).toEqual(first.receipt);
    expect(kid).not.toBe(decodeProtectedHeader(first.jws).kid);
    expect((await read(second.jws)).claims).toEqual((await read(first.jws)).claims);
  });

  test("is refused while the payment is pending", async () => {
    const { settlementId } = await sold(testSystem.sql, {
      agentId: seller.agent.agentId,
      state: "claimed",
      network: "base-sepolia",
    });
    const response = await requestReceipt(settlementId);
    expect([response.status, response.body]).toEqual([
      202,
      { status: "pending", message: expect.stringContaining("Do not pay again"), settlementId, txHash: null },
    ]);
    expect(response.headers.get("retry-after")).toBe("2");
  });

  test("is refused for a failed payment, and 404 for an unknown one", async () => {
    const { settlementId } = await sold(testSystem.sql, { agentId: seller.agent.agentId, state: "void" });
    const failed = await requestReceipt(settlementId);
    expect([failed.status, failed.body]).toMatchObject([
      409,
      { status: "error", code: "NO_RECEIPT", settlementId, failureCode: "INSUFFICIENT_FUNDS" },
    ]);
    const unknown = await requestReceipt("stl_000000000000000000000000");
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: "SETTLEMENT_NOT_FOUND" }]);
    const nonsense = await requestReceipt("stl_..");
    expect([nonsense.status, nonsense.body]).toMatchObject([400, { code: "INVALID_REQUEST", field: "settlementId" }]);
  });
});

describe("docs/verifiers/verify-receipt.ts", () => {
  let verify: ReturnType<typeof receiptVerifier>;
  let receipt: TokenParts;

  beforeAll(async () => {
    verify = receiptVerifier(server.url);
    const { jws } = body(await requestReceipt(await pay(uplPath())));
    const { jws: other } = body(await requestReceipt(await pay(uplPath())));
    receipt = await partsOf(testSystem, jws, other, await signerOf(testSystem, jws));
  });

  test("is quoted in the documentation unchanged", () => {
    const blocks = [...readFileSync("docs/verify-a-receipt.md", "utf8").matchAll(/^```\w+\n([\s\S]*?)^```$/gm)];
    expect(blocks.map(([, code]) => code)).toContain(readFileSync("docs/verifiers/verify-receipt.ts", "utf8"));
  });

  test("accepts a receipt of the service", async () => {
    expect(await verify(receipt.token)).toEqual(receipt.claims);
    expect(await verify(withHeader({})(receipt))).toEqual(receipt.claims);
  });

  const [header, claims] = [0, 1] as const;
  const tampered = (part: 0 | 1, change: object) => () => {
    const parts = receipt.token.split(".");
    const read = JSON.parse(Buffer.from(parts[part] ?? "", "base64url").toString());
    parts[part] = Buffer.from(JSON.stringify({ ...read, ...change })).toString("base64url");
    return parts.join(".");
  };

  test.each<[string, () => string]>([
    ["a changed amount", tampered(claims, { amount: "250000000" })],
    ["another algorithm", tampered(header, { alg: "none" })],
    ["a key that is not published", () => withHeader({ kid: "another" })(receipt)],
    ["the type of a login", () => withHeader({ typ: "JWT" })(receipt)],
    ["the type of a credential", () => withHeader({ typ: "agent-vc" })(receipt)],
    ["no type", () => withHeader({ typ: undefined })(receipt)],
    ["its type in capitals", () => withHeader({ typ: "RECEIPT+JWT" })(receipt)],
    ["a login JWT", () => seller.agent.jwt],
    ["another issuer", () => withClaims({ iss: "https://evil.example" })(receipt)],
    [
      "the signature of another receipt",
      () => [...receipt.token.split(".").slice(0, 2), receipt.other.split(".")[2]].join("."),
    ],
  ])("rejects %s", async (_, forged) => {
    await expect(verify(forged())).rejects.toThrow();
  });
});
