import { Challenge, Receipt } from "mppx";
import { Mppx } from "mppx/client";
import { assets, charge } from "mppx/evm/client";
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { authorizationTypedData, readAuthorization } from "@/lib/x402/authorization";
import { decodeBase64Url, encodeBase64Url } from "@/lib/x402/header";
import { IS_IN_PROCESS } from "../support/base-url";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";
import { freshAddress, paying } from "../support/system";

const AMOUNT = 250_000n;
const service = shareService();
const body = (answer: Answer) => answer.body as Json;

let seller: Parties;
let payTo: Address;
beforeAll(async () => {
  seller = await linkedPair();
  await service.world.mint(toAddress(service.payer().address), 10n * AMOUNT, "base-sepolia");
});
beforeEach(async () => {
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
});

const fetchHere: typeof fetch = (input, init) => {
  if (!IS_IN_PROCESS) return fetch(input, init);
  const req = new Request(input, init);
  return fetchPath(req.method, req.url.slice(BASE_URL.length), { headers: req.headers });
};

/** The stock client of npm, with the headers that it sends. */
function client(account: LocalAccount) {
  const sent: Headers[] = [];
  const watched: typeof fetch = (input, init) => {
    sent.push(new Request(input, init).headers);
    return fetchHere(input, init);
  };
  const method = charge({
    account: account as never,
    currencies: [assets.base.USDC, assets.baseSepolia.USDC],
    maxAmount: "2",
  });
  return { sent, fetch: Mppx.create({ methods: [method], fetch: watched, polyfill: false }).fetch };
}

async function newLink(fields: object = {}): Promise<string> {
  const json = { amount: AMOUNT.toString(), resourceContent: "the report", ...fields };
  const { linkId } = body(await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json })).paymentLink;
  return `/paymentlink/${linkId}`;
}
const upl = (amount = AMOUNT) => `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${amount}&asset=usdc`;

describe("a stock MPP client", () => {
  test.each<[string, "base" | "base-sepolia", () => Promise<string>]>([
    ["a link", "base", newLink],
    ["a link on Base Sepolia", "base-sepolia", () => newLink({ network: "base-sepolia" })],
    ["a UPL", "base", async () => upl()],
  ])("pays %s", async (_, network, pathOf) => {
    const path = await pathOf();
    const { sent, fetch: pay } = client(service.payer());
    const res = await pay(`${BASE_URL}${path}`);
    const paid = (await res.json()) as Json;
    expect([res.status, paid]).toMatchObject([200, { success: true, settlementId: expect.stringMatching(/^stl_/) }]);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.get("authorization")).toMatch(/^Payment /);
    expect(sent[1]?.has("payment-signature")).toBe(false);
    const [row] = await service.opened.sql`
      select state, amount, payee, network, tx_hash as hash from settlements where id = ${paid.settlementId}`;
    expect(row).toMatchObject({ state: "settled", amount: AMOUNT.toString(), payee: payTo, network });
    const receipt = Receipt.fromResponse(res);
    expect(receipt).toEqual({
      method: "evm",
      status: "success",
      reference: row?.hash,
      chainId: network === "base" ? 8453 : 84532,
      challengeId: expect.any(String),
      timestamp: expect.any(String),
    });
    if (network === "base") expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("makes a separate payment for each purchase", async () => {
    const path = await newLink();
    const { fetch: pay } = client(service.payer());
    const ids = await Promise.all(
      [1, 2].map(async () => ((await (await pay(`${BASE_URL}${path}`)).json()) as Json).settlementId),
    );
    expect(new Set(ids).size).toBe(2);
    expect(await settlementsOf(path)).toHaveLength(2);
    expect(await service.world.balanceOf(payTo)).toBe(2n * AMOUNT);
  });

  test("pays nothing above its own limit", async () => {
    await expect(client(service.payer()).fetch(`${BASE_URL}${upl(2_000_001n)}`)).rejects.toThrow(/exceeds maxAmount/);
  });

  test("pays nothing without money, and gets the error", async () => {
    const res = await client(privateKeyToAccount(generatePrivateKey())).fetch(`${BASE_URL}${upl()}`);
    expect([res.status, await res.json()]).toMatchObject([500, { failureCode: "INSUFFICIENT_FUNDS" }]);
    expect(res.headers.get("payment-receipt")).toBeNull();
  });
});

type Sent = { challenge: Json; payload: Json; source?: string };

/** A credential of the stock client for `path`, before it is sent. */
async function credentialFor(path: string, account = service.payer()): Promise<Sent> {
  const unpaid = await call("GET", path);
  expect(unpaid.status).toBe(402);
  const challenge = Challenge.fromHeaders(unpaid.headers);
  const method = charge({ account: account as never, currencies: [assets.base.USDC] });
  const header = await method.createCredential({ challenge: challenge as never, context: {} });
  return decodeBase64Url(header.slice("Payment ".length)) as Sent;
}

const present = (path: string, credential: unknown, headers: Record<string, string> = {}) =>
  call("GET", path, { headers: { Authorization: `Payment ${encodeBase64Url(credential)}`, ...headers } });

/** The credential with a changed authorization, signed again by the payer. */
async function signedAgain({ challenge, payload, ...rest }: Sent, fields: Json): Promise<Sent> {
  const { type, signature: _, ...authorization } = { ...payload, ...fields };
  const data = authorizationTypedData("base", readAuthorization(authorization));
  const signature = await service.payer().signTypedData(data as never);
  return { ...rest, challenge, payload: { type, signature, ...authorization } };
}

const settlementsOf = (path: string) =>
  service.opened.sql`select id from settlements where purpose = 'link' and subject = ${path.split("/").at(-1) ?? ""}`;

describe("an MPP credential pays nothing, and its buyer gets a new challenge, when it is sent", () => {
  const changed = (change: (challenge: Json) => Json) => (sent: Sent) => ({
    ...sent,
    challenge: { ...sent.challenge, ...change(sent.challenge) },
  });
  const charged = (fields: Json) =>
    changed(({ request }) => ({ request: encodeBase64Url({ ...(decodeBase64Url(request) as Json), ...fields }) }));
  const INVALID = "PAYMENT_CREDENTIAL_INVALID";

  test.each<[string, (sent: Sent) => unknown, string]>([
    ["with another id", changed(({ id }) => ({ id: `${id}x` })), INVALID],
    ["with an id of other characters", changed(({ id }) => ({ id: `é${id.slice(1)}` })), INVALID],
    ["with another realm", changed(() => ({ realm: "evil.example" })), INVALID],
    ["with another expiry", changed(() => ({ expires: "2099-01-01T00:00:00.000Z" })), INVALID],
    ["with an expiry that is no date", changed(() => ({ expires: "never" })), INVALID],
    ["with another opaque", changed(() => ({ opaque: encodeBase64Url({ random: "0" }) })), INVALID],
    ["without opaque", changed(() => ({ opaque: undefined })), INVALID],
    ["with a digest", changed(() => ({ digest: "sha-256=:x:" })), INVALID],
    ["with another method", changed(() => ({ method: "tempo" })), INVALID],
    ["with another intent", changed(() => ({ intent: "session" })), INVALID],
    ["with a lower amount in its challenge", charged({ amount: "1" }), INVALID],
    ["for another chain", charged({ methodDetails: { chainId: 1 } }), "PAYMENT_NETWORK_MISMATCH"],
    ["for another token", charged({ currency: freshAddress() }), "PAYMENT_ASSET_MISMATCH"],
    ["of another type", (sent) => ({ ...sent, payload: { type: "hash", hash: `0x${"00".repeat(32)}` } }), INVALID],
    ["without a challenge", ({ payload }) => ({ payload }), INVALID],
    ["that is a text", () => "credential", INVALID],
    ["for less", (sent) => signedAgain(sent, { value: "1" }), "PAYMENT_INSUFFICIENT"],
    ["to another address", (sent) => signedAgain(sent, { to: freshAddress() }), "PAYMENT_RECIPIENT_MISMATCH"],
    ["with a nonce of its own", (sent) => signedAgain(sent, { nonce: `0x${"07".repeat(32)}` }), INVALID],
    [
      "that has expired",
      (sent) => signedAgain(sent, { validBefore: String(Math.floor(Date.now() / 1000) - 120) }),
      "PAYMENT_EXPIRED",
    ],
    [
      "that is valid for longer than its challenge",
      (sent) => signedAgain(sent, { validBefore: String(Number(sent.payload.validBefore) + 1) }),
      INVALID,
    ],
    [
      "that somebody else signed",
      (sent) => ({ ...sent, payload: { ...sent.payload, from: service.payer(1).address } }),
      "PAYMENT_SIGNATURE_INVALID",
    ],
  ])("%s", async (_, change, code) => {
    const path = await newLink();
    const answer = await present(path, await change(await credentialFor(path)));
    expect([answer.status, body(answer).code]).toEqual([402, code]);
    expect(Challenge.fromHeaders(answer.headers)).toMatchObject({ method: "evm", intent: "charge" });
    expect(answer.headers.get("payment-receipt")).toBeNull();
    expect(await settlementsOf(path)).toEqual([]);
  });

  test("for another link with the same price and seller", async () => {
    const [mine, other] = await Promise.all([newLink(), newLink()]);
    const answer = await present(other, await credentialFor(mine));
    expect([answer.status, body(answer).code]).toEqual([402, INVALID]);
  });

  test("as text that is not base64url, or in a header of x402", async () => {
    const path = await newLink();
    const garbage = await call("GET", path, { headers: { Authorization: "Payment {}" } });
    expect([garbage.status, body(garbage).code]).toEqual([402, INVALID]);
    const text = encodeBase64Url(await credentialFor(path));
    for (const name of ["X-Payment", "Payment-Signature"]) {
      const misplaced = await call("GET", path, { headers: { [name]: `Payment ${text}` } });
      expect([misplaced.status, body(misplaced).code]).toEqual([400, "INVALID_PAYMENT_HEADER"]);
    }
    const bearer = await call("GET", path, { bearer: text });
    expect([bearer.status, body(bearer).code]).toEqual([402, undefined]);
  });
});

describe("a used MPP credential", () => {
  test("is not accepted again, in whatever header it is sent", async () => {
    const path = await newLink();
    const credential = await credentialFor(path);
    const answers = await Promise.all([1, 2, 3].map(() => present(path, credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { settlementId } = body(answers.find(({ status }) => status === 200) as Answer);
    const used = [409, { code: "PAYMENT_ALREADY_USED", settlementId }];
    const { signature, type: _, ...authorization } = credential.payload;
    const proof = { network: "base" as const, signature, authorization: readAuthorization(authorization as never) };
    for (const again of [
      await present(path, credential),
      await present(await newLink(), credential),
      await present(path, { ...credential, challenge: { ...credential.challenge, id: "x" } }),
      await call("GET", path, { headers: paying(proof as never) }),
    ]) {
      expect([again.status, again.body]).toMatchObject(used);
    }
    expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("is reported as used at a link that was deleted or disabled", async () => {
    const path = await newLink();
    const credential = await credentialFor(path);
    expect((await present(path, credential)).status).toBe(200);
    const linkId = path.split("/").at(-1);
    await call("DELETE", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt });
    expect((await present(path, credential)).status).toBe(409);
  });
});

test("when a request has an x402 proof and an MPP credential, the proof pays", async () => {
  const path = await newLink();
  const answer = await present(path, await credentialFor(path), { "X-Payment": "x" });
  expect([answer.status, body(answer).code]).toEqual([400, "INVALID_PAYMENT_HEADER"]);
});

test("a scan can be paid with an MPP credential too", async () => {
  const path = "/api/transaction-firewall/sentinel/api/prompt-scan";
  const unpaid = await call("POST", path, { json: { text: "Hello" } });
  const method = charge({ account: service.payer() as never, currencies: [assets.base.USDC] });
  const Authorization = await method.createCredential({
    challenge: Challenge.fromHeaders(unpaid.headers) as never,
    context: {},
  });
  const answer = await call("POST", path, { json: { text: "Hello" }, headers: { Authorization } });
  expect([answer.status, body(answer).verdict]).toEqual([200, "pass"]);
  expect(Receipt.deserialize(answer.headers.get("payment-receipt") ?? "").status).toBe("success");
});
