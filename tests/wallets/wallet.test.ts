import { type Hex, parseUnits, type TypedDataDefinition } from "viem";
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import { PAGE_OWNER_HEADER } from "@/lib/http/page-owner";
import { walletHistory } from "@/lib/payments/service";
import type { Owner } from "@/lib/platform/context";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { newAgent, newOwner, postSignIn, sessionIn, siweMessage, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { deployWallet } from "../support/contract-accounts";
import { call } from "../support/http";
import { startReplica, until } from "../support/replica";
import { freshAddress, openSystem, randomNonce } from "../support/system";
import { changeToken } from "../support/token";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wallets: typeof import("@/lib/wallets/service");
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  process.env.SETTLE_WAIT_SECONDS = "5";
  testSystem = openSystem();
  wallets = await import("@/lib/wallets/service");
  wiring = await import("../support/wiring");
  workers = wiring.startWorkers();
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const usdc = (text: string) => parseUnits(text, 6);
const MINUTE = 60;
const now = () => Math.floor(Date.now() / 1000);

const count = async (table: string): Promise<number> => {
  const [row] = await testSystem.sql`select count(*)::int as n from ${testSystem.sql(table)}`;
  return row?.n;
};

type WalletItem = { network: NetworkName; address: Address; balance: string; balanceFormatted: string };
const walletsOf = async ({ session }: { session: string }): Promise<WalletItem[]> =>
  ((await call("GET", "/api/wallet", { session })).body as { wallets: WalletItem[] }).wallets;
const walletOf = async (owner: { session: string }, network: NetworkName = "base"): Promise<WalletItem> => {
  const match = (await walletsOf(owner)).find((wallet) => wallet.network === network);
  if (!match) throw new Error(`no wallet on ${network}`);
  return match;
};
const actorOf = async ({ address }: { address: Address }): Promise<Owner> => {
  const [row] = await testSystem.sql`select id from owners where address = ${address}`;
  return { type: "owner", ownerId: row?.id as OwnerId, address };
};

async function fundedOwner(own: bigint, inWallet = 0n): Promise<TestOwner> {
  const owner = await newOwner();
  if (own > 0n) await world.mint(owner.address, own);
  if (inWallet > 0n) await world.mint((await walletOf(owner)).address, inWallet);
  return owner;
}

const asOwner = (actor: Owner) => ({ ...testSystem.system, requestId: "test", actor });

type TypedData = { domain: object; types: object; primaryType: string; message: Record<string, string> };
async function typedData(session: string, query: string): Promise<TypedData> {
  const { status, body } = await call("GET", `/api/wallet/deposits/typed-data?${query}`, { session });
  if (status !== 200) throw new Error(`typed-data answered ${status}`);
  return body as TypedData;
}

/** Signs the server's typed data unchanged, as any wallet does. */
const signTyped = (account: LocalAccount, data: TypedData) =>
  account.signTypedData(data as unknown as TypedDataDefinition);

const postDeposit = (session: string, json: unknown) => call("POST", "/api/wallet/deposits", { session, json });
const postWithdrawal = (session: string, json: unknown) => call("POST", "/api/wallet/withdrawals", { session, json });

async function signedDeposit(owner: TestOwner, amount: bigint, network: NetworkName = "base") {
  const data = await typedData(owner.session, `network=${network}&amount=${amount}`);
  return { network, authorization: data.message, signature: await signTyped(owner.account, data) };
}

describe("GET /api/wallet", () => {
  test("returns one spending wallet per network with its balance, the same ones each time", async () => {
    const owner = await newOwner();
    const { body } = await call("GET", "/api/wallet", { session: owner.session });
    const item = (network: NetworkName, label: string, chainId: number, explorer: string, address: Address) => ({
      network,
      label,
      chainId,
      address,
      balance: "0",
      balanceFormatted: "0.00",
      explorerUrl: `${explorer}/address/${address}`,
    });
    const [base, sepolia] = (body as { wallets: WalletItem[] }).wallets.map((wallet) => wallet.address);
    if (!base || !sepolia) throw new Error("two wallets expected");
    expect(body).toEqual({
      status: "ok",
      owner: owner.address,
      wallets: [
        item("base", "Base", 8453, "https://basescan.org", base),
        item("base-sepolia", "Base Sepolia", 84532, "https://sepolia.basescan.org", sepolia),
      ],
    });
    expect(base).not.toBe(sepolia);

    await world.mint(base, 12_345_678n);
    expect(await walletsOf(owner)).toMatchObject([
      { address: base, balance: "12345678", balanceFormatted: "12.345678" },
      { address: sepolia, balance: "0" },
    ]);
  });

  test("creates an owner's wallets once, even for ten simultaneous requests", async () => {
    const owner = await newOwner();
    const seen = await Promise.all(Array.from({ length: 10 }, () => walletsOf(owner)));
    expect(new Set(seen.map((list) => JSON.stringify(list))).size).toBe(1);
    const { ownerId } = await actorOf(owner);
    expect(await testSystem.sql`select 1 from wallets where owner_id = ${ownerId}`).toHaveLength(2);
  });

  test("stores the private keys encrypted, each readable only in its own row", async () => {
    const { system } = testSystem;
    const owner = await newOwner();
    const { ownerId } = await actorOf(owner);
    const { base, "base-sepolia": sepolia } = await wallets.ensureSpendingWallets(system, ownerId);
    const key = system.vault.open(base.sealedKey, base.id) as Hex;
    expect(privateKeyToAccount(key).address).toBe(base.address);
    expect(base.sealedKey).not.toContain(key.slice(2));
    expect(() => system.vault.open(base.sealedKey, sepolia.id)).toThrow();
  });

  test("returns null for a network whose chain does not respond, and the other network as usual", async () => {
    const owner = await newOwner();
    const half = openSystem({}, { BASE_SEPOLIA_RPC_URL: "http://127.0.0.1:9" });
    const shown = await wallets.overview({ ...half.system, actor: await actorOf(owner) });
    expect(shown.map(({ wallet, balance }) => [wallet.network, balance])).toEqual([
      ["base", 0n],
      ["base-sepolia", null],
    ]);
    await half.close();
  });

  test("is available only to the signed-in owner", async () => {
    const agent = await newAgent();
    for (const options of [{}, { bearer: agent.jwt }]) {
      const { status, body } = await call("GET", "/api/wallet", options);
      expect([status, body]).toMatchObject([401, { code: "session_required" }]);
    }
  });
});

describe("GET /api/wallet/deposits/typed-data", () => {
  test("returns a transfer from the owner's address to their own wallet, valid for five minutes, with a new nonce", async () => {
    const owner = await newOwner();
    const data = await typedData(owner.session, "network=eip155:84532&amount=7");
    const wallet = await walletOf(owner, "base-sepolia");
    expect(data).toMatchObject({
      domain: {
        name: "USDC",
        version: "2",
        chainId: 84532,
        verifyingContract: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
      },
      primaryType: "TransferWithAuthorization",
      message: {
        from: owner.address,
        to: wallet.address,
        value: "7",
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    });
    expect(Math.abs(Number(data.message.validAfter) - (now() - 600))).toBeLessThan(5);
    expect(Math.abs(Number(data.message.validBefore) - (now() + 300))).toBeLessThan(5);
    const secondTypedData = await typedData(owner.session, "network=eip155:84532&amount=7");
    expect(secondTypedData.message.nonce).not.toBe(data.message.nonce);
  });

  const HUGE = (2n ** 256n).toString();
  test.each([
    "",
    "amount=",
    "amount=0",
    "amount=-1",
    "amount=%2B1",
    "amount=01",
    "amount=1e6",
    "amount=1.0",
    "amount=%EF%BC%91",
    "amount=0x1",
    "amount=1%20",
    `amount=${HUGE}`,
    "amount=1&amount=2",
    "amount=1&network=ethereum",
    "amount=1&network=",
    "amount=1&network=Base",
  ])("rejects ?%s with 400", async (query) => {
    const { session } = await newOwner();
    const { status, body } = await call("GET", `/api/wallet/deposits/typed-data?${query}`, { session });
    expect([status, body]).toMatchObject([400, { status: "error", code: "invalid_request" }]);
  });
});

describe("POST /api/wallet/deposits", () => {
  test("moves the owner's money into their wallet without gas", async () => {
    const owner = await fundedOwner(usdc("25"));
    const wallet = await walletOf(owner);
    const { status, body } = await postDeposit(owner.session, await signedDeposit(owner, usdc("10")));
    expect([status, body]).toEqual([
      200,
      {
        status: "ok",
        settlementId: expect.stringMatching(/^stl_/),
        settlementStatus: "settled",
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        amount: "10000000",
      },
    ]);
    expect(await world.balanceOf(wallet.address)).toBe(usdc("10"));
    expect(await world.balanceOf(owner.address)).toBe(usdc("15"));
    const actor = await actorOf(owner);
    const { rows } = await walletHistory(asOwner(actor), { limit: 10 });
    expect(rows[0]).toMatchObject({
      kind: "deposit",
      settlement: { subject: actor.ownerId, purpose: "deposit", amount: usdc("10") },
    });
  });

  test("works on the test network too", async () => {
    const owner = await newOwner();
    await world.mint(owner.address, 5n, "base-sepolia");
    const { status, body } = await postDeposit(owner.session, await signedDeposit(owner, 5n, "base-sepolia"));
    expect([status, body]).toMatchObject([200, { settlementStatus: "settled" }]);
    expect(await world.balanceOf((await walletOf(owner, "base-sepolia")).address, "base-sepolia")).toBe(5n);
  });

  test("accepts a signature once, for simultaneous requests", async () => {
    const owner = await fundedOwner(usdc("100"));
    const signed = await signedDeposit(owner, usdc("10"));
    const responses = await Promise.all(Array.from({ length: 5 }, () => postDeposit(owner.session, signed)));
    expect(responses.map((response) => response.status).sort()).toEqual([200, 409, 409, 409, 409]);
    const repeatedResponse = await postDeposit(owner.session, signed);
    expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([
      409,
      { code: expect.stringMatching(/^payment_already_used$/i), settlementStatus: "settled" },
    ]);
    expect(await world.balanceOf((await walletOf(owner)).address)).toBe(usdc("10"));
  });

  test("returns the reason, and until when the deposit can still move, when the owner's balance is too low", async () => {
    const owner = await fundedOwner(usdc("1"));
    const { status, body } = await postDeposit(owner.session, await signedDeposit(owner, usdc("2")));
    expect([status, body]).toMatchObject([
      500,
      {
        status: "error",
        code: "settlement_failed",
        failureCode: "INSUFFICIENT_FUNDS",
        stillValidUntil: expect.any(String),
      },
    ]);
    expect(await world.balanceOf(owner.address)).toBe(usdc("1"));
  });

  test("responds with 202 while the outcome is open, and the settlement ends without a further request", async () => {
    const owner = await fundedOwner(usdc("3"));
    const signed = await signedDeposit(owner, usdc("3"));
    await world.setAutomine(false);
    const response = await postDeposit(owner.session, signed);
    await world.setAutomine(true);
    await world.mine();
    expect([response.status, response.body]).toMatchObject([
      202,
      { status: "ok", settlementStatus: "pending", amount: "3000000" },
    ]);
    expect(response.headers.get("retry-after")).toBe("2");
    const { settlementId } = response.body as { settlementId: string };
    await until(async () => {
      const [row] = await testSystem.sql`select state from settlements where id = ${settlementId}`;
      return row?.state === "settled";
    }, "the deposit to settle");
    expect(await world.balanceOf((await walletOf(owner)).address)).toBe(usdc("3"));
  });

  test("accepts the signature of a contract account that signed in", async () => {
    const holder = privateKeyToAccount(generatePrivateKey());
    const address = await deployWallet(world, holder.address);
    await world.mint(address, 10_000n);
    const message = await siweMessage(address);
    const session = sessionIn(await postSignIn(message, await holder.signMessage({ message }))) ?? "";

    const data = await typedData(session, "amount=10000");
    const deposit = { network: "base", authorization: data.message };
    const forged = await signTyped(privateKeyToAccount(generatePrivateKey()), data);
    expect((await postDeposit(session, { ...deposit, signature: forged })).body).toMatchObject({
      code: "invalid_signature",
    });
    const { status } = await postDeposit(session, { ...deposit, signature: await signTyped(holder, data) });
    expect(status).toBe(200);
    expect(await world.balanceOf((await walletOf({ session })).address)).toBe(10_000n);
  });

  /** Signed by the owner, so that only the rule under test can refuse it. */
  const change = (fields: Record<string, string>) => async (owner: TestOwner) => {
    const data = await typedData(owner.session, "amount=1000000");
    const changed = { ...data, message: { ...data.message, ...fields } };
    return { network: "base", authorization: changed.message, signature: await signTyped(owner.account, changed) };
  };
  const field = (fields: Record<string, unknown>) => async (owner: TestOwner) => {
    const signed = await signedDeposit(owner, 1_000_000n);
    return { ...signed, authorization: { ...signed.authorization, ...fields } };
  };
  const member = (members: Record<string, unknown>) => async (owner: TestOwner) => ({
    ...(await signedDeposit(owner, 1_000_000n)),
    ...members,
  });
  const INVALID = "invalid_request";

  test.each<[string, (owner: TestOwner) => Promise<unknown>, string]>([
    ["from another address", change({ from: freshAddress() }), "wrong_payer"],
    ["to another address", change({ to: freshAddress() }), "wrong_payee"],
    ["to the owner themselves", async (owner) => change({ to: owner.address })(owner), "wrong_payee"],
    [
      "to the wallet of the other network",
      async (o) => change({ to: (await walletOf(o, "base-sepolia")).address })(o),
      "wrong_payee",
    ],
    ["that has expired", change({ validBefore: String(now() - MINUTE) }), "authorization_expired"],
    ["that is not valid yet", change({ validAfter: String(now() + 5 * MINUTE) }), "authorization_not_yet_valid"],
    ["of another value than was signed", field({ value: "2000000" }), "invalid_signature"],
    ["with another nonce than was signed", field({ nonce: randomNonce() }), "invalid_signature"],
    ["with an end that was not signed", field({ validBefore: String(now() + 900) }), "invalid_signature"],
    [
      "signed for the other network",
      async (owner) => {
        const data = await typedData(owner.session, "amount=1&network=base-sepolia");
        const message = { ...data.message, to: (await walletOf(owner)).address };
        return {
          network: "base",
          authorization: message,
          signature: await signTyped(owner.account, { ...data, message }),
        };
      },
      "invalid_signature",
    ],
    [
      "signed by somebody else",
      async (owner) => {
        const data = await typedData(owner.session, "amount=1");
        const stranger = privateKeyToAccount(generatePrivateKey());
        return { network: "base", authorization: data.message, signature: await signTyped(stranger, data) };
      },
      "invalid_signature",
    ],
    ["with a signature of zeros", member({ signature: `0x${"00".repeat(65)}` }), "invalid_signature"],
    ["with a short signature", member({ signature: "0x1234" }), "invalid_signature"],
    ["with an empty signature", member({ signature: "0x" }), INVALID],
    ["with an endless signature", member({ signature: `0x${"00".repeat(4097)}` }), INVALID],
    ["with a signature that is not hex", member({ signature: "0xzz" }), INVALID],
    ["without a signature", member({ signature: undefined }), INVALID],
    ["without an authorization", member({ authorization: undefined }), INVALID],
    ["with an authorization that is a list", member({ authorization: [] }), INVALID],
    ["without a network", member({ network: undefined }), INVALID],
    ["on another network", member({ network: "ethereum" }), INVALID],
    ["on a network by number", member({ network: 8453 }), INVALID],
    ["of zero", change({ value: "0" }), INVALID],
    ["of a negative value", field({ value: "-1" }), INVALID],
    ["of a value with a sign", field({ value: "+1" }), INVALID],
    ["of a value with a leading zero", field({ value: "01" }), INVALID],
    ["of a value in scientific form", field({ value: "1e6" }), INVALID],
    ["of a decimal value", field({ value: "1.0" }), INVALID],
    ["of a value in full-width digits", field({ value: "１" }), INVALID],
    ["of 2^256", field({ value: (2n ** 256n).toString() }), INVALID],
    ["of a value that is a number", field({ value: 1_000_000 }), INVALID],
    ["of a value with a blank", field({ value: "1 " }), INVALID],
    ["of a value with a NUL", field({ value: "1\u0000" }), INVALID],
    ["without a value", field({ value: undefined }), INVALID],
    ["without a payer", field({ from: undefined }), INVALID],
    ["from an invalid address", field({ from: "0x12" }), INVALID],
    ["with a nonce of 31 bytes", field({ nonce: `0x${"11".repeat(31)}` }), INVALID],
    ["with times that are numbers", field({ validBefore: 1, validAfter: 0 }), INVALID],
    ["in a list", async (owner) => [await signedDeposit(owner, 1n)], INVALID],
  ])("rejects a deposit %s with 400, and claims nothing", async (_, make, code) => {
    const owner = await newOwner();
    const body = await make(owner);
    const countBefore = await count("settlements");
    const response = await postDeposit(owner.session, body);
    expect([response.status, response.body]).toMatchObject([
      400,
      { status: "error", code, message: expect.any(String) },
    ]);
    expect(await count("settlements")).toBe(countBefore);
  });

  test("rejects another account's signed deposit, which can only go where its signer said", async () => {
    const [owner, thief] = [await fundedOwner(usdc("5")), await newOwner()];
    const response = await postDeposit(thief.session, await signedDeposit(owner, usdc("5")));
    expect([response.status, response.body]).toMatchObject([400, { code: "wrong_payer" }]);
    expect(await world.balanceOf(owner.address)).toBe(usdc("5"));
  });

  test("rejects more than 64 KB, and requires a session first", async () => {
    const { session } = await newOwner();
    const raw = JSON.stringify({ pad: "x".repeat(70_000) });
    expect((await call("POST", "/api/wallet/deposits", { session, raw })).status).toBe(413);
    expect((await call("POST", "/api/wallet/deposits", { raw: "{" })).status).toBe(401);
  });
});

describe("POST /api/wallet/withdrawals", () => {
  test("sends everything to the address the owner signs in with, and to no other", async () => {
    const owner = await fundedOwner(0n, usdc("12.5"));
    const elsewhere = freshAddress();
    const refusal = await postWithdrawal(owner.session, { network: "base", toAddress: elsewhere });
    expect([refusal.status, refusal.body]).toMatchObject([400, { code: "not_own_address" }]);
    const unknown = await postWithdrawal(owner.session, { network: "base", to: elsewhere });
    expect([unknown.status, unknown.body]).toMatchObject([400, { code: "invalid_request", field: "to" }]);
    const { status, body } = await postWithdrawal(owner.session, { network: "base" });
    expect([status, body]).toEqual([
      200,
      {
        status: "ok",
        settlementId: expect.stringMatching(/^stl_/),
        settlementStatus: "settled",
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        amount: "12500000",
      },
    ]);
    expect(await world.balanceOf(owner.address)).toBe(usdc("12.5"));
    expect(await world.balanceOf(elsewhere)).toBe(0n);
    expect((await walletOf(owner)).balance).toBe("0");
  });

  test("sends exactly the named amount", async () => {
    const owner = await fundedOwner(0n, 10n);
    expect((await postWithdrawal(owner.session, { network: "base", amount: "3" })).status).toBe(200);
    expect([await world.balanceOf(owner.address), (await walletOf(owner)).balance]).toEqual([3n, "7"]);
  });

  test("pays the balance out once when it is called twice at the same time", async () => {
    const owner = await fundedOwner(0n, usdc("4"));
    const responses = await Promise.all([1, 2, 3].map(() => postWithdrawal(owner.session, { network: "base" })));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    for (const response of responses.filter((a) => a.status !== 200)) {
      expect(["insufficient_balance", "nothing_to_withdraw"]).toContain((response.body as { code: string }).code);
    }
    expect(await world.balanceOf(owner.address)).toBe(usdc("4"));
  });

  test("says so when the token refuses the transfer, and the money stays", async () => {
    const owner = await fundedOwner(0n, 10n);
    await changeToken(world, "blacklist", [owner.address]);
    const { status, body } = await postWithdrawal(owner.session, { network: "base", amount: "4" });
    expect([status, body]).toMatchObject([500, { status: "error", code: "settlement_failed" }]);
    expect([await world.balanceOf(owner.address), (await walletOf(owner)).balance]).toEqual([0n, "10"]);
  });

  test("several times at once claims no more than the wallet holds", async () => {
    const owner = await fundedOwner(0n, 10n);
    const countBefore = await count("settlements");
    const withdrawals = [1, 2, 3, 4].map(() => postWithdrawal(owner.session, { network: "base", amount: "4" }));
    const responses = await Promise.all(withdrawals);
    const refusals = responses.filter(({ status }) => status !== 200);
    expect(responses.length - refusals.length).toBe(2);
    for (const { status, body } of refusals)
      expect([status, body]).toMatchObject([400, { code: "insufficient_balance" }]);
    expect(await count("settlements")).toBe(countBefore + 2);
    expect([await world.balanceOf(owner.address), (await walletOf(owner)).balance]).toEqual([8n, "2"]);
  });

  test("is refused on a page that shows another account than the one signed in, as is any call of it", async () => {
    const [owner, other] = [await fundedOwner(0n, 10n), await newOwner()];
    const from = (address: string) => ({ session: owner.session, headers: { [PAGE_OWNER_HEADER]: address } });
    const json = { network: "base" };
    const refused = await call("POST", "/api/wallet/withdrawals", { ...from(other.address), json });
    expect([refused.status, refused.body]).toMatchObject([401, { code: "session_required" }]);
    expect((await call("GET", "/api/wallet", from(other.address))).status).toBe(401);
    expect((await walletOf(owner)).balance).toBe("10");
    const own = from(owner.address.toUpperCase().replace("0X", "0x"));
    expect((await call("POST", "/api/wallet/withdrawals", { ...own, json })).status).toBe(200);
  });

  test.each<[string, unknown, bigint, string]>([
    ["from an empty wallet", { network: "base" }, 0n, "nothing_to_withdraw"],
    ["of an amount from an empty wallet", { network: "base", amount: "1" }, 0n, "nothing_to_withdraw"],
    ["from the other network's empty wallet", { network: "base-sepolia" }, 5n, "nothing_to_withdraw"],
    ["of more than there is", { network: "base", amount: "6" }, 5n, "insufficient_balance"],
    ["of 2^256-1", { network: "base", amount: (2n ** 256n - 1n).toString() }, 5n, "insufficient_balance"],
    ["of 2^256", { network: "base", amount: (2n ** 256n).toString() }, 5n, "invalid_request"],
    ["of zero", { network: "base", amount: "0" }, 5n, "invalid_request"],
    ["of a negative amount", { network: "base", amount: "-1" }, 5n, "invalid_request"],
    ["of an amount with a sign", { network: "base", amount: "+1" }, 5n, "invalid_request"],
    ["of an amount with a leading zero", { network: "base", amount: "01" }, 5n, "invalid_request"],
    ["of an amount in scientific form", { network: "base", amount: "1e0" }, 5n, "invalid_request"],
    ["of a decimal amount", { network: "base", amount: "1.0" }, 5n, "invalid_request"],
    ["of an amount that is a number", { network: "base", amount: 1 }, 5n, "invalid_request"],
    ["of an amount that is null", { network: "base", amount: null }, 5n, "invalid_request"],
    ["of an empty amount", { network: "base", amount: "" }, 5n, "invalid_request"],
    ["without a network", { amount: "1" }, 5n, "invalid_request"],
    ["from another network", { network: "solana" }, 5n, "invalid_request"],
  ])("rejects a withdrawal %s with 400, and claims nothing", async (_, json, inWallet, code) => {
    const owner = await fundedOwner(0n, inWallet);
    const countBefore = await count("settlements");
    const response = await postWithdrawal(owner.session, json);
    expect([response.status, response.body]).toMatchObject([
      400,
      { status: "error", code, message: expect.any(String) },
    ]);
    expect(await count("settlements")).toBe(countBefore);
    expect(await world.balanceOf((await walletOf(owner)).address)).toBe(inWallet);
  });

  test("is unavailable and changes nothing while the chain does not respond", async () => {
    const owner = await fundedOwner(0n, 5n);
    const cut = openSystem({}, { BASE_RPC_URL: "http://127.0.0.1:9" });
    const countBefore = await count("settlements");
    const asking = { ...cut.system, actor: await actorOf(owner) };
    await expect(wallets.withdraw(asking, { network: "base" })).rejects.toMatchObject({ name: "ChainUnavailable" });
    expect(await count("settlements")).toBe(countBefore);
    await cut.close();
  });

  test("is available only to the owner, not to an agent or to another site's page", async () => {
    const owner = await fundedOwner(0n, 5n);
    const agent = await newAgent();
    const json = { network: "base" };
    expect((await call("POST", "/api/wallet/withdrawals", { bearer: agent.jwt, json })).status).toBe(401);
    const headers = { origin: "https://evil.example" };
    expect((await call("POST", "/api/wallet/withdrawals", { session: owner.session, headers, json })).status).toBe(403);
    const { session } = owner;
    const noOrigin = { cookie: `next-auth.session-token=${session}` };
    expect((await call("POST", "/api/wallet/withdrawals", { headers: noOrigin, json })).status).toBe(403);
    expect((await walletOf(owner)).balance).toBe("5");
  });
});

describe("the history of a wallet", () => {
  test("lists the owner's own deposits, withdrawals and credits, newest first, page by page", async () => {
    const owner = await fundedOwner(usdc("10"));
    await world.mint(owner.address, 5n, "base-sepolia");
    await postDeposit(owner.session, await signedDeposit(owner, 2n));
    await postDeposit(owner.session, await signedDeposit(owner, 5n, "base-sepolia"));
    await world.mint((await walletOf(owner)).address, 10_000n);
    await confirmedCall(owner, "/api/credits/purchases", { amount: "10000" });
    await postWithdrawal(owner.session, { network: "base" });
    const mine = asOwner(await actorOf(owner));
    const brief = async (page: Parameters<typeof walletHistory>[1]) =>
      (await walletHistory(mine, page)).rows.map((row) => [
        row.kind,
        "settlement" in row ? [row.settlement.network, row.settlement.amount] : null,
      ]);

    const all = [
      ["withdrawal", ["base", 2n]],
      ["credits", ["base", 10_000n]],
      ["deposit", ["base-sepolia", 5n]],
      ["deposit", ["base", 2n]],
    ];
    expect(await brief({ limit: 10 })).toEqual(all);
    const { next } = await walletHistory(mine, { limit: 1 });
    expect(await brief({ limit: 10, before: next ?? undefined })).toEqual(all.slice(1));
    const otherOwner = await actorOf(await newOwner());
    expect((await walletHistory(asOwner(otherOwner), { limit: 10 })).rows).toEqual([]);
  });
});

describe("POST /api/devnet/faucet", () => {
  const faucet = (json: unknown) => call("POST", "/api/devnet/faucet", { json });

  test("mints 100 USDC on Base, and returns the new balance", async () => {
    const address = freshAddress();
    const { status, body } = await faucet({ address: address.toLowerCase() });
    expect([status, body]).toEqual([
      200,
      { status: "ok", txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), balance: "100000000" },
    ]);
    expect(await world.balanceOf(address)).toBe(usdc("100"));
  });

  test("mints the requested amount on the requested network, for many requests at a time", async () => {
    const address = freshAddress();
    const wanted = { address, amount: "5", network: "eip155:84532" };
    const responses = await Promise.all(Array.from({ length: 5 }, () => faucet(wanted)));
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200, 200]);
    expect(await world.balanceOf(address, "base-sepolia")).toBe(25n);
  });

  const address = freshAddress();
  test.each<[string, unknown]>([
    ["no address", {}],
    ["an invalid address", { address: "0x1" }],
    ["the zero address", { address: `0x${"0".repeat(40)}` }],
    ["nothing", { address, amount: "0" }],
    ["a million and a bit", { address, amount: "1000000000001" }],
    ["2^256", { address, amount: (2n ** 256n).toString() }],
    ["an amount that is a number", { address, amount: 1 }],
    ["a negative amount", { address, amount: "-1" }],
    ["an amount of null", { address, amount: null }],
    ["another network", { address, network: "ethereum" }],
  ])("rejects %s with 400", async (_, json) => {
    const { status, body } = await faucet(json);
    expect([status, body]).toMatchObject([400, { code: "invalid_request" }]);
    expect(await world.balanceOf(address)).toBe(0n);
  });

  test("is 404 in production, for any request", async () => {
    const production = { MODE: "production", CONTROL_SOCKET: "", TREASURY_ADDRESS: freshAddress(), WORKERS: "off" };
    const { port, kill } = await startReplica(production);
    for (const options of [{ json: { address } }, { raw: "{" }, {}]) {
      const { status, body } = await call("POST", "/api/devnet/faucet", { ...options, port });
      expect([status, body]).toMatchObject([404, { code: "not_found" }]);
    }
    await kill();
    expect(await world.balanceOf(address)).toBe(0n);
  });
});

describe("GET /api/networks/{network}/balances/{address}", () => {
  test("returns an address's balance on that network only, to anybody", async () => {
    const address = freshAddress();
    await world.mint(address, usdc("12.5"));
    const held = { status: "ok", address, balance: "12500000", balanceFormatted: "12.50" };
    for (const network of ["base", "eip155:8453"]) {
      const response = await call("GET", `/api/networks/${network}/balances/${address.toLowerCase()}`);
      expect(response).toMatchObject({ status: 200, body: { ...held, network: "base" } });
      expect(Object.keys(response.body as object).sort()).toEqual([...Object.keys(held), "network"].sort());
    }
    const elsewhere = await call("GET", `/api/networks/base-sepolia/balances/${address}`);
    expect(elsewhere.body).toEqual({ ...held, network: "base-sepolia", balance: "0", balanceFormatted: "0.00" });
  });

  test("returns with code=true whether the address is an account with code", async () => {
    for (const [address, hasCode] of [
      [freshAddress(), false],
      [NETWORKS.base.usdc, true],
    ] as const) {
      const response = await call("GET", `/api/networks/base/balances/${address}?code=true`);
      expect(response).toMatchObject({ status: 200, body: { address, hasCode, takesUndeployed: true } });
    }
  });

  test.each([
    "/api/networks/base/balances/0x0000000000000000000000000000000000000001?code=yes",
    "/api/networks/mainnet/balances/0x0000000000000000000000000000000000000001",
    "/api/networks/base/balances/0x1",
  ])("rejects %s", async (path) => {
    expect(await call("GET", path)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});
