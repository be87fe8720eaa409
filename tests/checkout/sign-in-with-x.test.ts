import { registerExactEvmScheme } from "@x402/evm/exact/client";
import {
  createSIWxClientExtension,
  createSIWxPayload,
  encodeSIWxHeader,
  parseSIWxHeader,
  validateSIWxMessage,
  verifySIWxSignature,
  wrapFetchWithSIWx,
} from "@x402/extensions/sign-in-with-x";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Hex, serializeErc6492Signature } from "viem";
import type { HDAccount } from "viem/accounts";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { IS_IN_PROCESS } from "../support/base-url";
import { setReceivingAddress } from "../support/confirmations";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { buyerSite, type Challenge, decoded, NO_CODE, YES } from "../support/sign-in";
import { claimFrom, freshAddress, paying } from "../support/system";

const AMOUNT = 1_000_000n;
const CONTENT = "the report";
const service = runService();
let seller: Parties;
let site: ReturnType<typeof buyerSite>;

beforeAll(async () => {
  seller = await linkedPair();
  site = buyerSite(seller, AMOUNT, CONTENT);
  for (const index of [1, 2]) await service.world.mint(toAddress(service.payer(index).address), 100n * AMOUNT);
});

const realFetch = fetch;
/** The package from npm reaches the server of this file with fetch. */
const fetchHere: typeof fetch = async (input, init) => {
  const req = new Request(input, init);
  if (!IS_IN_PROCESS || !req.url.startsWith(`${BASE_URL}/`)) return realFetch(req);
  return fetchPath(req.method, req.url.slice(BASE_URL.length), { headers: req.headers });
};

/** A link that the first payer has bought. */
async function buyAtNewLink(fields: object = {}) {
  const link = await site.newLink(fields);
  const response = await site.pay(link, claimFrom(service.payer(), link.payTo, AMOUNT));
  expect(response).toMatchObject({ status: 200, body: { resource: CONTENT } });
  return { ...link, answer: response };
}

const settlements = async () => (await service.opened.sql`select count(*)::int as n from settlements`)[0]?.n;
const signIns = async () => (await service.opened.sql`select count(*)::int as n from buyer_sign_ins`)[0]?.n;

/** Expects the 402 with this code, a price and a fresh challenge, and that nothing was written. */
async function expectRefused(path: string, header: string, code: string): Promise<void> {
  const before = [await settlements(), await signIns()];
  const response = await site.read(path, header);
  expect(response).toMatchObject({ status: 402, body: { code, accepts: [{ scheme: "exact" }] } });
  expect(response.text).not.toContain(CONTENT);
  expect(site.challengeIn(response).nonce).toMatch(/^[0-9a-f]{32}$/);
  expect([await settlements(), await signIns()]).toEqual(before);
}

describe("a wallet that has bought at a link", () => {
  test("signs in with the public npm package and gets the response of its payment again, for free", async () => {
    const { path, answer } = await buyAtNewLink();
    const settlementsBefore = await settlements();
    const repeatedResponse = await site.read(path, await site.signed(path, service.payer()));
    expect([repeatedResponse.status, repeatedResponse.body]).toEqual([200, answer.body]);
    expect(decoded(repeatedResponse.headers.get("payment-response"))).toEqual(
      decoded(answer.headers.get("payment-response")),
    );
    expect(await settlements()).toBe(settlementsBefore);
  });

  test("sends a sign-in header that the npm package's own parser and verifiers accept", async () => {
    const { path } = await buyAtNewLink();
    const payload = parseSIWxHeader(await site.signed(path, service.payer()));
    expect(await validateSIWxMessage(payload, new URL(BASE_URL))).toEqual({ isValid: true });
    expect(await verifySIWxSignature(payload)).toEqual({ isValid: true, payer: service.payer().address });
  });

  // Rewrites exist only in a server.
  test.skipIf(IS_IN_PROCESS)(
    "reads its content at the link's own address, also with a client that accepts HTML",
    async () => {
      const { path } = await buyAtNewLink();
      const headers = { accept: "text/html", "sign-in-with-x": await site.signed(path, service.payer()) };
      const repeatedResponse = await call("GET", path.replace("/paymentlink/", "/pay/"), { headers });
      expect(repeatedResponse).toMatchObject({ status: 200, body: { resource: CONTENT } });
    },
  );

  test("reads the content that it bought, not the link's present content", async () => {
    const { path } = await buyAtNewLink();
    const id = path.replace("/paymentlink/", "/api/payment-links/");
    await call("PATCH", id, { bearer: seller.agent.jwt, json: { resourceContent: "a later report" } });
    const repeatedResponse = await site.read(path, await site.signed(path, service.payer()));
    expect(repeatedResponse).toMatchObject({ status: 200, body: { resource: CONTENT } });
  });

  test("reads what it paid for after the price has changed, and gets the new price for any other order", async () => {
    const { path, payTo } = await site.newLink({ maxQuantity: 5 });
    const two = `${path}?quantity=2`;
    const boughtResponse = await call("GET", two, { headers: paying(claimFrom(service.payer(), payTo, 2n * AMOUNT)) });
    expect(boughtResponse).toMatchObject({ status: 200, body: { resource: CONTENT } });
    // Now one of them costs what two did.
    const linkId = path.slice("/paymentlink/".length);
    await service.opened.sql`update payment_links set amount = ${(2n * AMOUNT).toString()} where link_id = ${linkId}`;
    const settlementsBefore = await settlements();
    const repeatedResponse = await site.read(two, await site.signed(two, service.payer()));
    expect([repeatedResponse.status, repeatedResponse.body]).toEqual([200, boughtResponse.body]);
    for (const [quantity, price] of [
      [1, 2n],
      [3, 6n],
    ] as const) {
      const other = `${path}?quantity=${quantity}`;
      const refusal = await site.read(other, await site.signed(other, service.payer()));
      const accepts = [{ maxAmountRequired: (price * AMOUNT).toString() }];
      expect(refusal).toMatchObject({ status: 402, body: { code: "SIGN_IN_NOT_BOUGHT", accepts } });
      expect(refusal.text).not.toContain(CONTENT);
    }
    expect(await settlements()).toBe(settlementsBefore);
  });

  test.each<[string, object, string]>([
    ["is sold out", { maxUses: 1 }, "LINK_SOLD_OUT"],
    ["is disabled", { status: "disabled" }, "LINK_DISABLED"],
  ])("reads its content also after the link %s, and takes none of the link's uses", async (_, change, code) => {
    const { path } = await buyAtNewLink("maxUses" in change ? change : {});
    const own = path.replace("/paymentlink/", "/api/payment-links/");
    if ("status" in change) await call("PATCH", own, { bearer: seller.agent.jwt, json: change });
    const closed = await call("GET", path);
    expect(closed).toMatchObject({ status: 410, body: { code } });
    const challenge = site.challengeIn(closed);
    const repeatedResponse = await site.read(path, await site.sign(challenge, service.payer()));
    expect(repeatedResponse).toMatchObject({ status: 200, body: { resource: CONTENT } });
    const link = await call("GET", own, { bearer: seller.agent.jwt });
    expect(link.body).toMatchObject({ paymentLink: { useCount: 1 } });
    const stranger = await site.read(path, await site.sign(site.challengeIn(closed), service.payer(2)));
    expect(stranger).toMatchObject({ status: 410, body: { code } });
  });

  test("reads its content after a refund, because it was delivered; the contentUrl works too", async () => {
    const { path, answer } = await buyAtNewLink();
    const { jwt: bearer } = seller.agent;
    const payments = `${path.replace("/paymentlink/", "/api/payment-links/")}/payments`;
    const listed = async () => (await call("GET", payments, { bearer })).body as { payments: { id: number }[] };
    const [payment] = (await listed()).payments;
    const json = { paymentId: payment?.id };
    let refundId: string | undefined;
    await until(async () => {
      await service.world.mine(1);
      const initiated = await call("POST", "/api/payment-links/refunds/initiate", { bearer, json });
      refundId = (initiated.body as { refundId?: string }).refundId;
      return refundId !== undefined;
    }, "the payment to be final");
    await call("POST", `/api/refunds/${refundId}/approve`, { session: seller.owner.session });
    const isRefunded = async () => JSON.stringify(await listed()).includes('"refunded"');
    await until(isRefunded, "the refund", 20);
    const repeatedResponse = await site.read(path, await site.signed(path, service.payer()));
    expect([repeatedResponse.status, repeatedResponse.body]).toEqual([200, answer.body]);
  });

  test("gets 202 while its payment is pending, so that no client pays twice", async () => {
    const link = await site.newLink();
    await service.workers.stop();
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    const pending = await site.pay(link, claimFrom(service.payer(), link.payTo, AMOUNT));
    expect(pending.status).toBe(202);
    const repeatedResponse = await site.read(link.path, await site.signed(link.path, service.payer()));
    expect([repeatedResponse.status, repeatedResponse.body]).toEqual([202, pending.body]);
    expect(repeatedResponse.text).not.toContain(CONTENT);
    service.workers.start();
    const isRead = async () =>
      (await site.read(link.path, await site.signed(link.path, service.payer()))).status === 200;
    await until(isRead, "the settlement", 20);
    await service.restart({ SETTLE_WAIT_SECONDS: "25" });
  });

  test("pays again when it sends a proof as well: the proof goes before the sign-in", async () => {
    const { path, payTo } = await buyAtNewLink();
    const headers = { ...paying(claimFrom(service.payer(), payTo, AMOUNT)), "sign-in-with-x": "nonsense" };
    const settlementsBefore = await settlements();
    expect((await call("GET", path, { headers })).status).toBe(200);
    expect(await settlements()).toBe(settlementsBefore + 1);
  });
});

describe("a stock x402 client", () => {
  beforeEach(() => {
    vi.stubGlobal("fetch", fetchHere);
  });
  afterEach(() => vi.unstubAllGlobals());

  test("that supports the extension pays on its first purchase and reads for free afterwards", async () => {
    const { path } = await site.newLink();
    const client = registerExactEvmScheme(new x402Client(), { signer: service.payer() });
    client.registerExtension(createSIWxClientExtension({ signers: [service.payer()] }));
    const fetchWithPayment = wrapFetchWithPayment(fetchHere, client);
    const settlementsBefore = await settlements();
    const responses = [];
    for (let round = 0; round < 3; round++) {
      const res = await fetchWithPayment(site.urlOf(path));
      responses.push([res.status, await res.json()]);
    }
    expect(responses[0]).toMatchObject([200, { resource: CONTENT }]);
    expect(responses).toEqual([responses[0], responses[0], responses[0]]);
    expect(await settlements()).toBe(settlementsBefore + 1);
  });

  /** Signs in before it pays, as agentcash does. */
  const fetchAll = () => {
    const client = registerExactEvmScheme(new x402Client(), { signer: service.payer() });
    return wrapFetchWithPayment(wrapFetchWithSIWx(fetchHere, service.payer()), client);
  };
  const buy = async (path: string) => {
    const res = await fetchAll()(site.urlOf(path));
    return { status: res.status, body: (await res.json()) as Json };
  };

  test("that signs in before it pays gets exactly each order that it requests, never another one", async () => {
    const fields = [{ name: "size", label: "Size", isRequired: false }];
    const { path } = await site.newLink({ amount: "10000", maxQuantity: 5, fields });
    const orders = ["", "?quantity=2", "?quantity=2&size=M", "?quantity=2&size=L", "?size=M"];
    const settlementsBefore = await settlements();
    const bought: Json[] = [];
    for (const order of orders) {
      const { status, body } = await buy(path + order);
      expect([order, status, body.receipt.amount]).toEqual([
        order,
        200,
        order.includes("quantity") ? "20000" : "10000",
      ]);
      bought.push(body);
    }
    expect(await settlements()).toBe(settlementsBefore + orders.length);
    // Each is read again for nothing.
    for (const [index, order] of orders.entries()) expect((await buy(path + order)).body).toEqual(bought[index]);
    expect(await settlements()).toBe(settlementsBefore + orders.length);
  });

  test("pays for an amount that it has not paid yet, and reads the others for free", async () => {
    const { path } = await site.newLink({ customAmount: { min: "1", max: "2000000", presets: [] } });
    const settlementsBefore = await settlements();
    for (const amount of ["700", "800", "700"]) expect((await buy(`${path}?amount=${amount}`)).status).toBe(200);
    expect(await settlements()).toBe(settlementsBefore + 2);
  });

  test("pays each time at a link for repeated purchases, whose 402 has no sign-in challenge", async () => {
    const { path } = await site.newLink({ isRepeatable: true });
    const settlementsBefore = await settlements();
    for (let round = 0; round < 2; round++) expect((await buy(path)).status).toBe(200);
    expect(await settlements()).toBe(settlementsBefore + 2);
    const { extensions } = decoded((await call("GET", path)).headers.get("payment-required"));
    expect(extensions).not.toHaveProperty("sign-in-with-x");
    // The seller changes its mind.
    const own = path.replace("/paymentlink/", "/api/payment-links/");
    await call("PATCH", own, { bearer: seller.agent.jwt, json: { isRepeatable: false } });
    expect((await buy(path)).status).toBe(200);
    expect(await settlements()).toBe(settlementsBefore + 2);
  });

  test("that only signs in reads what its wallet bought, and gets the price of everything else", async () => {
    const [link, otherLink] = [await buyAtNewLink(), await site.newLink()];
    const fetchSignedIn = wrapFetchWithSIWx(fetchHere, service.payer());
    const res = await fetchSignedIn(site.urlOf(link.path));
    expect([res.status, await res.json()]).toEqual([200, link.answer.body]);
    expect((await fetchSignedIn(site.urlOf(otherLink.path))).status).toBe(402);
  });
});

describe("the sign-in challenge in a 402", () => {
  test("is bound to the service's domain, the URL and the link's network, and differs in each 402", async () => {
    const { path } = await site.newLink();
    const [first, second] = [await site.challenge(path), await site.challenge(path)];
    expect(first.nonce).not.toBe(second.nonce);
    const url = expect.stringMatching(/\/pay\/lnk_/);
    expect(first).toMatchObject({ uri: url, resources: [url], chainId: NETWORKS.base.caip2, type: "eip191" });
    expect(Date.parse(first.expirationTime ?? "") - Date.parse(first.issuedAt)).toBe(300_000);
    const { path: onSepolia } = await site.newLink({ network: "base-sepolia" });
    expect((await site.challenge(onSepolia)).chainId).toBe(NETWORKS["base-sepolia"].caip2);
  });

  test("is absent for a link without content, for a UPL and for a scan", async () => {
    const { path } = await site.newLink({ resourceContent: null });
    const upl = `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=1000&asset=usdc`;
    const scan = "/api/transaction-firewall/sentinel/api/prompt-scan";
    for (const response of [
      await call("GET", path),
      await call("GET", upl),
      await call("POST", scan, { json: { text: "Hello" } }),
    ]) {
      const { extensions } = decoded(response.headers.get("payment-required"));
      expect([response.status, Object.keys(extensions)]).toEqual([402, expect.not.arrayContaining(["sign-in-with-x"])]);
    }
  });

  test("lets a buyer sign in once, even with simultaneous requests", async () => {
    const { path } = await buyAtNewLink();
    const header = await site.signed(path, service.payer());
    const responses = await Promise.all(Array.from({ length: 8 }, () => site.read(path, header)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(402)]);
    await expectRefused(path, header, "SIGN_IN_USED");
  });

  test("is valid for five minutes, and not before its time of issue", async () => {
    const link = await buyAtNewLink();
    const now = Date.now();
    const challengeAt = (ms: number) => site.issuedAt(service.opened.system, link, new Date(now + ms));
    for (const ms of [-301_000, -86_400_000, 60_000]) {
      await expectRefused(link.path, await site.sign(await challengeAt(ms), service.payer()), "SIGN_IN_EXPIRED");
    }
    const recent = await site.sign(await challengeAt(-240_000), service.payer());
    expect((await site.read(link.path, recent)).status).toBe(200);
  });
});

describe("a sign-in is refused with the price and a new challenge, and changes nothing, for", () => {
  test("a wallet that did not buy, and a signature of another wallet", async () => {
    const { path } = await buyAtNewLink();
    await expectRefused(path, await site.signed(path, service.payer(1)), "SIGN_IN_NOT_BOUGHT");
    const stolen = await createSIWxPayload(await site.challenge(path), service.payer(1), site.urlOf(path));
    const header = encodeSIWxHeader({ ...stolen, address: service.payer().address });
    await expectRefused(path, header, "SIGN_IN_NOT_BOUGHT");
  });

  test("a wallet that bought at another link, and a sign-in for another link", async () => {
    const [link, otherLink] = [await buyAtNewLink(), await site.newLink()];
    await expectRefused(otherLink.path, await site.signed(otherLink.path, service.payer()), "SIGN_IN_NOT_BOUGHT");
    await expectRefused(link.path, await site.signed(otherLink.path, service.payer()), "SIGN_IN_INVALID");
  });

  test("a wallet whose payment can no longer be made; while it still can, the response says to wait", async () => {
    const link = await site.newLink();
    await service.workers.stop();
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    onTestFinished(() => service.restart({ SETTLE_WAIT_SECONDS: "25" }));
    const proof = claimFrom(service.payer(), link.payTo, AMOUNT, { windowSeconds: 60 });
    const ofProof = service.opened.sql`nonce = ${proof.authorization.nonce}`;
    expect((await site.pay(link, proof)).status).toBe(202);
    await service.opened
      .sql`update settlements set state = 'declined', failure_code = 'REVERTED', declined_at = now() where ${ofProof}`;
    const declined = await site.read(link.path, await site.signed(link.path, service.payer()));
    const body = { code: "SETTLEMENT_FAILED", retry: "wait", stillValidUntil: expect.any(String) };
    expect(declined).toMatchObject({ status: 500, body });
    expect(declined.text).not.toContain(CONTENT);
    await service.world.setNextBlockTimestamp(new Date(Number(proof.authorization.validBefore) * 1000));
    service.workers.start();
    await until(async () => {
      await service.world.mine(1);
      return (await service.opened.sql`select 1 from settlements where state = 'void' and ${ofProof}`).length === 1;
    }, "the proof to expire on the chain");
    await expectRefused(link.path, await site.signed(link.path, service.payer()), "SIGN_IN_NOT_BOUGHT");
  });

  const changes: { [K in keyof Challenge]?: Challenge[K] | undefined }[] = [
    { domain: "evil.example" },
    { uri: "https://evil.example/pay" },
    { chainId: NETWORKS["base-sepolia"].caip2 },
    { chainId: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" },
    { type: "ed25519" },
    { version: "2" },
    { nonce: "0123456789abcdef0123456789abcdef" },
    { issuedAt: new Date(Date.now() + 1_000).toISOString() },
    { expirationTime: "2099-01-01T00:00:00.000Z" },
    { expirationTime: undefined },
    { statement: "Log in" },
    { resources: ["https://evil.example/"] },
  ];
  test("a challenge with a changed member, whether the wallet signed the changed or the original one", async () => {
    const { path } = await buyAtNewLink();
    for (const change of changes) {
      const sent = await createSIWxPayload(await site.challenge(path), service.payer(), site.urlOf(path));
      await expectRefused(path, encodeSIWxHeader({ ...sent, ...change } as never), "SIGN_IN_INVALID");
      const challenge = { ...(await site.challenge(path)), ...change } as Challenge;
      // The package refuses to sign some of them.
      const signed = await site.sign(challenge, service.payer()).catch(() => null);
      if (signed !== null) await expectRefused(path, signed, "SIGN_IN_INVALID");
    }
  });

  test("a header that is not a sign-in", async () => {
    const { path } = await buyAtNewLink();
    const good = parseSIWxHeader(await site.signed(path, service.payer()));
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    for (const header of [
      "nonsense",
      "%%%",
      encoded(null),
      encoded([]),
      encoded({}),
      encoded({ ...good, signature: undefined }),
      encoded({ ...good, signature: "0x" }),
      encoded({ ...good, signature: `0x${"00".repeat(5_000)}` }),
      encoded({ ...good, address: "0x1" }),
      encoded({ ...good, nonce: [good.nonce] }),
      encoded({ ...good, nonce: `${good.nonce}00` }),
      encoded({ ...good, issuedAt: "yesterday" }),
      encoded({ ...good, issuedAt: "+275760-09-13T00:00:00.000Z" }),
      encoded({ ...good, padding: "x".repeat(9_000) }).replace(/.$/, "!"),
    ]) {
      await expectRefused(path, header, "SIGN_IN_INVALID");
    }
    for (const signature of [`0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`, `0x${"6492".repeat(16)}`]) {
      await expectRefused(path, encoded({ ...good, signature }), "SIGN_IN_NOT_BOUGHT");
    }
    const oversized = await site.read(path, encoded({ ...good, padding: "x".repeat(60_000) }));
    expect([402, 431]).toContain(oversized.status);
    expect((await site.read(path, encoded(good))).status).toBe(200);
  });

  test("an owner's login message; and a sign-in with X is no login", async () => {
    const { path } = await buyAtNewLink();
    const { nonce } = (await call("GET", "/api/siwe/nonce")).body as { nonce?: string };
    const challenge = { ...(await site.challenge(path)), nonce: nonce ?? "" };
    await expectRefused(path, await site.sign(challenge, service.payer()), "SIGN_IN_INVALID");
  });
});

describe("a contract wallet", () => {
  const setCode = (address: Address, bytecode: Hex) => service.world.client().setCode({ address, bytecode });

  /** A link bought by a contract that accepts every signature. */
  async function boughtByContract() {
    const wallet = freshAddress();
    await setCode(wallet, YES);
    await service.world.mint(wallet, AMOUNT);
    const link = await site.newLink();
    const claim = claimFrom(service.payer(), link.payTo, AMOUNT, { from: wallet });
    expect((await site.pay(link, claim)).status).toBe(200);
    return { ...link, wallet };
  }

  const signerFor = (wallet: Address, signature?: Hex): HDAccount => ({
    ...service.payer(),
    address: wallet,
    signMessage: async (message) => signature ?? service.payer().signMessage(message),
  });

  test("signs in when its code accepts the signature (EIP-1271), also with the deployment data of ERC-6492", async () => {
    const { path, wallet } = await boughtByContract();
    const wrapped = serializeErc6492Signature({ address: freshAddress(), data: "0x1234", signature: "0xabcd" });
    for (const signature of [undefined, "0x01", wrapped] as const) {
      const repeatedResponse = await site.read(path, await site.signed(path, signerFor(wallet, signature)));
      expect(repeatedResponse).toMatchObject({ status: 200, body: { resource: CONTENT } });
    }
  });

  test("reads nothing when its code refuses, reverts, burns gas, returns too few bytes or no longer exists", async () => {
    const { path, wallet } = await boughtByContract();
    for (const code of NO_CODE) {
      await setCode(wallet, code);
      await expectRefused(path, await site.signed(path, signerFor(wallet)), "SIGN_IN_NOT_BOUGHT");
    }
  });

  test("that accepts every signature reads nothing that others have bought", async () => {
    const { path } = await buyAtNewLink();
    const wallet = freshAddress();
    await setCode(wallet, YES);
    await expectRefused(path, await site.signed(path, signerFor(wallet)), "SIGN_IN_NOT_BOUGHT");
    // The address of the buyer with a signature that only a contract could accept.
    await expectRefused(
      path,
      await site.signed(path, signerFor(toAddress(service.payer().address), "0xabcd")),
      "SIGN_IN_NOT_BOUGHT",
    );
  });
});

test("buyers still read their content after the link's receiving address has changed", async () => {
  const { path } = await buyAtNewLink();
  await setReceivingAddress(seller, freshAddress());
  expect((await site.read(path, await site.signed(path, service.payer()))).status).toBe(200);
});
