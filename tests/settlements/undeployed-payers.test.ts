import type { Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import { admit } from "@/lib/settlements/admission";
import { type Claim, claimTogether, settle } from "@/lib/settlements/service";
import { cancellationCall, cancellationTypedData } from "@/lib/x402/cancellation";
import { MULTICALL3, NETWORKS } from "@/lib/x402/networks";
import { submission } from "@/lib/x402/submission";
import { violations } from "@/ops/invariants";
import { setReceivingAddress } from "../support/confirmations";
import {
  BURN_CALL,
  callFactory,
  closeFactory,
  createAndCall,
  deployFactory,
  undeployedWallet,
} from "../support/contract-accounts";
import { call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { claimFrom, cranks, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

// Payers whose wallet is not deployed yet (ERC-6492): one transaction deploys it and moves the money.

const AMOUNT = 1_000_000n;

let world: World;
let factory: Address;
let testSystem: ReturnType<typeof openSystem>;
let system: System;
let crank: Awaited<ReturnType<typeof cranks>>;
let seller: Parties;
let payTo: Address;

beforeAll(async () => {
  world = await createWorld();
  await world.setAutomine(true);
  factory = await deployFactory(world);
  process.env.SETTLE_WAIT_SECONDS = "0";
  process.env.WALLET_FACTORIES = `${freshAddress()}, ${factory}`;
  testSystem = openSystem({}, { LOG_LEVEL: "silent" });
  system = testSystem.system;
  crank = await cranks(system);
  await crank.observe();
  seller = await linkedPair();
});

afterAll(async () => {
  delete process.env.WALLET_FACTORIES;
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  if (testSystem) expect(await violations(system, ["base"])).toEqual([]);
  await testSystem?.close();
  await world?.stop();
});

beforeEach(async () => {
  await world.setAutomine(true);
  await testSystem.sql`delete from payer_gas`;
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
});

const account = (index: number): HDAccount => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};
const owner = () => account(5);

/** A wallet with money that is not deployed, and a claim of it. */
async function buyer(creation?: Parameters<typeof undeployedWallet>[3], balance = 3n * AMOUNT) {
  const undeployed = await undeployedWallet(world, factory, owner().address, creation);
  if (balance > 0n) await world.mint(undeployed.wallet, balance);
  const bare = () => claimFrom(owner(), payTo, AMOUNT, { from: undeployed.wallet });
  const claim = (change?: { address?: Hex; data?: Hex }): Claim => {
    const unwrapped = bare();
    return { ...unwrapped, signature: undeployed.wrap(unwrapped.signature, change) };
  };
  return { ...undeployed, bare, claim };
}

const pay = (claim: Claim) =>
  call("GET", `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${AMOUNT}&asset=usdc`, {
    headers: paying(claim),
  });

const admission = ({ network, authorization, signature, resource, description }: Claim) =>
  admit(system, {
    proof: { scheme: "exact", network, asset: undefined, authorization, signature },
    requirement: { network, amount: authorization.value, payTo: authorization.to, resource, description },
    sender: null,
  });

const hasCode = async (address: Address) => ((await world.client().getCode({ address })) ?? "0x") !== "0x";

const rowOf = async (payer: Address) => {
  const rows = await testSystem.sql`
    select s.id, s.state, s.failure_code as code, s.tx_hash as hash, s.factory, t."to"
    from settlements s left join relayer_transactions t
      on (t.network, t.signer, t.nonce) = (s.network, s.signer, s.relayer_nonce)
    where s.payer = ${payer} order by s.created_at`;
  return rows;
};

const charged = async (payer: Address): Promise<number> => {
  const [row] = await testSystem.sql`select coalesce(sum(gas), 0)::int as gas from payer_gas where payer = ${payer}`;
  return row?.gas;
};

const charge = (payer: Address, gas: number) =>
  testSystem.sql`insert into payer_gas (network, payer, signer, relayer_nonce, gas, created_at)
    values ('base', ${payer}, ${freshAddress()}, 1, ${gas}, now())`;

/** Claims and sends; `inBetween` is mined before the transaction. */
async function overtaken(claims: readonly Claim[], inBetween: () => Promise<void>): Promise<void> {
  await world.setAutomine(false);
  for (const claim of claims) await settle(system, claim, 0);
  await crank.relay();
  await inBetween();
  await world.setAutomine(true);
  await world.mine();
  await crank.drain();
}

describe("a wallet that is not deployed", () => {
  test("is deployed and pays in one transaction, charged to the wallet and its factory; afterwards it pays as any wallet", async () => {
    const { wallet, claim } = await buyer();
    expect((await pay(claim())).status).toBe(202);
    await crank.drain();
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
    expect(await hasCode(wallet)).toBe(true);
    const [first] = await rowOf(wallet);
    expect(first).toMatchObject({ state: "settled", to: MULTICALL3, factory });
    const { gasUsed } = await world.client().getTransactionReceipt({ hash: first?.hash });
    expect([await charged(wallet), await charged(factory)]).toEqual([Number(gasUsed), Number(gasUsed)]);
    expect((await pay(claim())).status).toBe(202);
    await crank.drain();
    expect((await rowOf(wallet))[1]).toMatchObject({ state: "settled", to: NETWORKS.base.usdc });
    expect(await charged(factory)).toBe(Number(gasUsed));
  });

  test("pays once for a proof that comes again, wrapped or not", async () => {
    const { wallet, bare, wrap } = await buyer();
    const unwrapped = bare();
    const wrapped = { ...unwrapped, signature: wrap(unwrapped.signature) };
    const responses = await Promise.all([pay(wrapped), pay(wrapped)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409]);
    await crank.drain();
    const [row, ...others] = await rowOf(wallet);
    expect([row?.state, others]).toEqual(["settled", []]);
    const repeated = { status: 409, body: { code: "PAYMENT_ALREADY_USED", settlementId: row?.id } };
    for (const claim of [wrapped, unwrapped]) expect(await pay(claim)).toMatchObject(repeated);
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("makes two payments at once", async () => {
    const { wallet, claim } = await buyer();
    const responses = await Promise.all([pay(claim()), pay(claim())]);
    expect(responses.map(({ status }) => status)).toEqual([202, 202]);
    for (let round = 0; round < 4; round++) {
      await testSystem.sql`update settlements set retry_at = null`;
      await crank.drain(10);
    }
    expect((await rowOf(wallet)).map(({ state }) => state)).toEqual(["settled", "settled"]);
    expect(await world.balanceOf(payTo)).toBe(2n * AMOUNT);
  });

  test.each([
    ["", false],
    [", and its own deployment then fails", true],
  ])("pays also if somebody deploys it first%s", async (_, fails) => {
    const { wallet, salt, claim, creationData } = await buyer();
    const keeper = toAddress(owner().address);
    const data = fails ? createAndCall(keeper, salt, keeper, "0x") : creationData;
    await overtaken([claim({ data })], () => callFactory(world, factory, creationData));
    expect(await rowOf(wallet)).toMatchObject([{ state: "settled", to: MULTICALL3 }]);
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("pays also if one node has the block of its deployment, and the next one does not", async () => {
    const { wallet, claim } = await buyer();
    const codes = vi.spyOn(system.chains.base, "codes").mockResolvedValue(["0x00"]);
    const proof = claim();
    expect(await admission(proof)).toMatchObject({ type: "new" });
    await settle(system, proof, 0);
    await crank.drain();
    codes.mockRestore();
    expect(await rowOf(wallet)).toMatchObject([{ state: "settled", to: MULTICALL3 }]);
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("without USDC is refused, and nothing is deployed", async () => {
    const { wallet, claim } = await buyer("create", 0n);
    const { status, body } = await pay(claim());
    expect([status, body]).toMatchObject([500, { code: "SETTLEMENT_FAILED", failureCode: "INSUFFICIENT_FUNDS" }]);
    expect([await rowOf(wallet), await hasCode(wallet)]).toEqual([[], false]);
  });

  test("cannot be a leg of a group, which only the service signs", async () => {
    const { claim } = await buyer();
    await expect(claimTogether(system, [claim(), claim()], async () => {})).rejects.toMatchObject({
      code: "SETTLEMENT_UNKNOWN",
    });
  });
});

test("a wallet that has code pays whatever factory its signature names, whose transfers under way it does not count among", async () => {
  const other = await deployFactory(world);
  const { wallet, wrap, creationData } = await undeployedWallet(world, other, owner().address);
  await callFactory(world, other, creationData);
  await world.mint(wallet, AMOUNT);
  const claim = claimFrom(owner(), payTo, AMOUNT, { from: wallet });
  const wrapped = { ...claim, signature: wrap(claim.signature, { address: account(6).address }) };
  expect((await pay(wrapped)).status).toBe(202);
  expect(await rowOf(wallet)).toMatchObject([{ factory: null }]);
  await crank.drain();
  expect(await world.balanceOf(payTo)).toBe(AMOUNT);
});

describe("a deployment is refused at the door, and nothing is claimed,", () => {
  const refused = async (claim: Claim, error: RegExp) => {
    const { status, body } = await pay(claim);
    expect([status, body]).toMatchObject([402, { code: "PAYMENT_SIGNATURE_INVALID" }]);
    expect((body as { error: string }).error).toMatch(error);
    expect(await rowOf(claim.authorization.from)).toEqual([]);
  };

  test("if its factory is not listed", async () => {
    const other = await deployFactory(world);
    const { wallet, wrap } = await undeployedWallet(world, other, owner().address);
    await world.mint(wallet, AMOUNT);
    const claim = claimFrom(owner(), payTo, AMOUNT, { from: wallet });
    await refused({ ...claim, signature: wrap(claim.signature) }, /does not call the factory/);
  });

  test.each<[string, () => Hex, RegExp]>([
    ["it has too many bytes", () => `0x${"00".repeat(2_049)}`, /more than 2048 bytes/],
    ["it burns all gas", () => BURN_CALL, /does not create an account/],
    ["it reverts", () => "0x12345678", /does not create an account/],
  ])("if %s", async (_, data, error) => {
    const { claim } = await buyer();
    await refused(claim({ data: data() }), error);
  });

  test("if it creates another wallet", async () => {
    const [one, other] = [await buyer(), await buyer()];
    await refused(one.claim({ data: other.creationData }), /does not create an account/);
    expect(await hasCode(other.wallet)).toBe(false);
  });

  test.each<["uses" | "cancels", bigint]>([
    ["uses", 3n * AMOUNT],
    ["cancels", 0n],
  ])("if it %s the authorization itself", async (kind, balance) => {
    const { wallet, salt, wrap } = await buyer("create", balance);
    const claim = claimFrom(owner(), payTo, AMOUNT, { from: wallet });
    const { authorization, signature } = claim;
    const { nonce } = authorization;
    const cancellation = await owner().signTypedData(cancellationTypedData("base", wallet, nonce));
    const call =
      kind === "uses"
        ? submission("base", authorization, signature)
        : cancellationCall("base", wallet, nonce, cancellation);
    const data = createAndCall(owner().address, salt, call.to, call.data);
    const hostile = { ...claim, signature: wrap(signature, { data }) };
    const { status, body } = await pay(hostile);
    expect([status, body]).toMatchObject([500, { code: "SETTLEMENT_FAILED", failureCode: "REVERTED" }]);
    expect(await rowOf(wallet)).toEqual([]);
    // The relayer does not send what the door would have refused, and does not look for the use that nobody made.
    await settle(system, hostile, 0);
    await crank.drain();
    expect(await rowOf(wallet)).toMatchObject([{ state: "declined", code: "REVERTED", hash: null }]);
    expect(await hasCode(wallet)).toBe(false);
  });

  test("if the wallet does not accept the signature", async () => {
    const { wallet, wrap } = await buyer();
    const claim = claimFrom(account(6), payTo, AMOUNT, { from: wallet });
    await refused({ ...claim, signature: wrap(claim.signature) }, /does not create an account/);
  });
});

describe("on the chain", () => {
  test("a deployment that reverts after its simulation moves nothing, and is charged once", async () => {
    const { wallet, claim } = await buyer("createWhileOpen");
    await overtaken([claim()], () => closeFactory(world, factory, true));
    await closeFactory(world, factory, false);
    expect(await rowOf(wallet)).toMatchObject([{ state: "declined", code: "INVALID_SIGNATURE" }]);
    expect([await world.balanceOf(payTo), await hasCode(wallet)]).toEqual([0n, false]);
    expect(await charged(wallet)).toBeGreaterThan(20_000);
    expect(await charged(factory)).toBe(await charged(wallet));
  });

  test("a wallet that does not accept its signature once it is deployed moves nothing, and is charged", async () => {
    const { wallet, claim } = await buyer("createFickle");
    await overtaken([claim()], () => closeFactory(world, factory, true));
    // Its other attempt would exceed its budget: what the chain said of the first one counts.
    expect(await rowOf(wallet)).toMatchObject([{ state: "declined", code: "INVALID_SIGNATURE" }]);
    expect([await world.balanceOf(payTo), await hasCode(wallet)]).toEqual([0n, true]);
    expect(await charged(wallet)).toBeGreaterThan(100_000);
    await closeFactory(world, factory, false);
  });

  test("a reorganisation that undoes somebody else's deployment does not keep it from paying", async () => {
    const { wallet, claim, creationData } = await buyer();
    await world.mine(2);
    await callFactory(world, factory, creationData);
    await vi.waitUntil(() => hasCode(wallet), { timeout: 20_000 });
    await overtaken([claim()], async () => {
      expect(await rowOf(wallet)).toMatchObject([{ state: "broadcast", to: NETWORKS.base.usdc }]);
      await world.reorg(1);
      expect(await hasCode(wallet)).toBe(false);
    });
    expect(await rowOf(wallet)).toMatchObject([{ state: "settled", to: MULTICALL3 }]);
    expect([await world.balanceOf(payTo), await hasCode(wallet)]).toEqual([AMOUNT, true]);
  });

  test("a transaction that was lost after it was stored is sent again, and deploys and pays once", async () => {
    const { wallet, claim } = await buyer();
    await world.setAutomine(false);
    await settle(system, claim(), 0);
    await crank.relay();
    await world.dropTransactions();
    const [lost] = await rowOf(wallet);
    await testSystem.sql`update relayer_attempts set sent_at = now() - interval '10 seconds'`;
    await world.setAutomine(true);
    await crank.drain();
    expect(await rowOf(wallet)).toMatchObject([{ state: "settled", hash: lost?.hash }]);
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("a reorganisation undoes both, and the same transaction makes both again", async () => {
    const { wallet, claim } = await buyer();
    await world.mine(2);
    await crank.observe();
    await settle(system, claim(), 0);
    await crank.drain();
    const [before] = await rowOf(wallet);
    expect(before?.state).toBe("settled");
    await world.reorg(1);
    expect([await world.balanceOf(payTo), await hasCode(wallet)]).toEqual([0n, false]);
    await crank.observe();
    await testSystem.sql`update relayer_attempts set sent_at = now() - interval '10 seconds'`;
    await crank.drain();
    expect(await rowOf(wallet)).toMatchObject([{ state: "settled", hash: before?.hash }]);
    expect([await world.balanceOf(payTo), await hasCode(wallet)]).toEqual([AMOUNT, true]);
  });
});

describe("the gas budget", () => {
  test("of a payer that is used up refuses that payer alone", async () => {
    const [one, other] = [await buyer(), await buyer()];
    await charge(one.wallet, 100_001);
    await expect(admission(one.claim())).rejects.toMatchObject({ code: "PAYER_OVER_GAS_BUDGET" });
    expect(await pay(one.claim())).toMatchObject({ status: 429, body: { code: "PAYER_OVER_GAS_BUDGET" } });
    expect(await admission(other.claim())).toMatchObject({ type: "new" });
  });

  test("of a factory that is used up refuses its wallets until they are deployed, at the door and in the relayer", async () => {
    const [one, other] = [await buyer(), await buyer()];
    const claimed = await settle(system, other.claim(), 0);
    await charge(factory, 29_100_001);
    const { status, body } = await pay(one.claim());
    expect([status, body]).toMatchObject([429, { code: "TOO_MANY_CONTRACT_PAYMENTS" }]);
    expect(JSON.stringify(body)).toContain("wallets of its factory");
    await crank.drain();
    expect(await rowOf(other.wallet)).toMatchObject([{ id: claimed.id, state: "declined", code: "GAS_BUDGET_SPENT" }]);
    expect(await hasCode(other.wallet)).toBe(false);
    await callFactory(world, factory, one.creationData);
    await world.mine();
    expect(await hasCode(one.wallet)).toBe(true);
    expect(await admission(one.claim())).toMatchObject({ type: "new" });
  });
});
