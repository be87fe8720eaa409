import { type Hex, parseTransaction } from "viem";
import type { HDAccount } from "viem/accounts";
import { expect, test } from "vitest";
import artifacts from "@/dev/token/artifacts.json";
import { type Address, toAddress } from "@/lib/core/address";
import { ERC1271_VALID } from "@/lib/x402/token";
import {
  brief,
  buyer,
  buyers,
  newLink,
  openShop,
  PRICE,
  pay,
  readyz,
  stranger,
  waitForPool,
  waitUntilRead,
} from "../support/attack";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, call } from "../support/http";
import { until } from "../support/replica";
import { claimFrom, freshAddress, paying } from "../support/system";
import { submitDirectly } from "../support/token";

// One payer, one payment or one response of a node must never harm other payments.

const shop = openShop({ STUCK_SECONDS: "2" });

/** Returns ERC-1271's magic value for every call. */
const YES: Hex = "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260206000f3";
/** An infinite loop. */
const BURN: Hex = "0x5b600056";
/** 65 bytes with r = 0. */
const NO_R: Hex = `0x${"00".repeat(32)}${"11".repeat(32)}1b`;

const setCode = (address: string, bytecode: Hex) =>
  shop.world.client().setCode({ address: toAddress(address), bytecode });

async function codeAt(bytecode: Hex): Promise<Address> {
  const address = freshAddress();
  await setCode(address, bytecode);
  return address;
}

/** An authorization of an account's code (EIP-7702). */
const delegate = ({ address }: HDAccount, to: Address) => setCode(address, `0xef0100${to.slice(2).toLowerCase()}`);
const undelegate = ({ address }: HDAccount) => setCode(address, "0x");

const claims = async (payer: string): Promise<number> => {
  const [row] = await shop.sql`select count(*)::int as n from settlements where payer = ${toAddress(payer)}`;
  return row?.n;
};

/** An honest payment of a link, which must succeed. */
async function honestPayment(): Promise<string> {
  const [link, payer] = [await newLink(shop), await buyer(shop)];
  return brief(await pay(link, claimFrom(payer, link.payTo, PRICE)));
}

/**
 * Runs `work` while the relayer waits for the block of one payment, so that it takes all claims of `work` in one round.
 * Returns the response to that payment.
 */
async function behindAnother(work: () => Promise<void>): Promise<string> {
  const [link, payer] = [await newLink(shop), await buyer(shop)];
  const claim = claimFrom(payer, link.payTo, PRICE);
  await shop.world.setAutomine(false);
  const pendingResponse = pay(link, claim);
  await waitForPool(shop, claim);
  let isLooking = false;
  let go = () => {};
  const done = new Promise<void>((resolve) => {
    go = resolve;
  });
  shop.world.node().faults.answers.set("eth_getTransactionCount", async (_, count) => {
    isLooking = true;
    await done;
    return count;
  });
  await until(async () => isLooking, "the relayer to look after the payment");
  await work();
  go();
  await shop.world.setAutomine(true);
  return brief(await pendingResponse);
}

const waitUntilClaimed = (payers: readonly HDAccount[]) =>
  until(async () => (await Promise.all(payers.map(({ address }) => claims(address)))).every(Boolean), "the claims");

const relayer = () => {
  const [first] = shop.world.relayers;
  if (!first) throw new Error("no relayer");
  return toAddress(first.address);
};

test("a signature with r = 0 does not stop settlement on the network when its payer removes the code that accepted it", async () => {
  const attacker = await buyer(shop);
  const link = await newLink(shop);
  await delegate(attacker, await codeAt(YES));
  // Valid by the service's clock and not yet by the chain's: the claims wait.
  await shop.world.setAutomine(false);
  const shownTime = await shop.world.chainTime();
  await until(async () => Date.now() > shownTime.getTime() + 3_000, "our clock to be ahead");
  const validAfter = BigInt(Math.floor(Date.now() / 1000) - 1);
  const claim = { ...claimFrom(attacker, link.payTo, PRICE, { validAfter }), signature: NO_R };
  let isAnswered = false;
  const presented = pay(link, claim).finally(() => {
    isAnswered = true;
  });
  await until(async () => isAnswered || (await claims(attacker.address)) > 0, "the proof to be taken or refused");
  await undelegate(attacker);
  await shop.world.setAutomine(true);
  expect.soft(await honestPayment()).toBe("200");
  expect.soft(brief(await presented)).toBe("402 PAYMENT_NOT_YET_VALID");
  expect((await readyz()).status).toBe(200);
});

test("a signature with r = 0 fails alone when its payer removes the code that accepted it after the claim", async () => {
  const attacker = await buyer(shop);
  const link = await newLink(shop);
  await delegate(attacker, await codeAt(YES));
  const presented: Promise<Answer>[] = [];
  expect
    .soft(
      await behindAnother(async () => {
        presented.push(pay(link, { ...claimFrom(attacker, link.payTo, PRICE), signature: NO_R }));
        await waitUntilClaimed([attacker]);
        await undelegate(attacker);
      }),
    )
    .toBe("200");
  expect.soft(await honestPayment()).toBe("200");
  expect((await Promise.all(presented)).map(brief)).toEqual(["500 INVALID_SIGNATURE still valid"]);
});

test("a precompile is not a valid payer, whatever it returns", async () => {
  const sha256 = toAddress(`0x${"2".padStart(40, "0")}`);
  const link = await newLink(shop);
  // For one signature in 2^32 its result begins with the magic value; here the node returns that for all.
  shop.world
    .node()
    .faults.answers.set("eth_call", ([parameters], result) =>
      toAddress((parameters as { to: string }).to) === sha256 ? `${ERC1271_VALID}${"5a".repeat(28)}` : result,
    );
  const claim = claimFrom(stranger(), link.payTo, PRICE, { from: sha256 });
  const presented = pay(link, { ...claim, signature: NO_R });
  expect.soft(await honestPayment()).toBe("200");
  expect.soft(brief(await presented)).toBe("402 PAYMENT_SIGNATURE_INVALID");
  expect(await claims(sha256)).toBe(0);
});

test("an account that gets gas-burning code in the block of a shared transaction fails alone", async () => {
  const [attacker, ...people] = await buyers(shop, 9);
  if (!attacker) throw new Error("no attacker");
  const link = await newLink(shop);
  const burner = await codeAt(BURN);
  const { answers } = shop.world.node().faults;
  // The attacker installs the code only in blocks with a transaction that contains its payment.
  const carrying = new Set<unknown>();
  answers.set("eth_sendRawTransaction", async ([raw], hash) => {
    if (!String(raw).includes(attacker.address.slice(2).toLowerCase())) return hash;
    carrying.add(hash);
    await delegate(attacker, burner);
    return hash;
  });
  answers.set("eth_getTransactionReceipt", async ([hash], receipt) => {
    if (receipt && carrying.has(hash)) await undelegate(attacker);
    return receipt;
  });
  const present = (payer: HDAccount) => pay(link, claimFrom(payer, link.payTo, PRICE));
  const presented: Promise<Answer>[] = [];
  await behindAnother(async () => {
    // First in the transaction, so that it would burn the gas of the others.
    presented.push(present(attacker));
    await waitUntilClaimed([attacker]);
    presented.push(...people.map(present));
    await waitUntilClaimed(people);
  });
  const [first, ...others] = await Promise.all(presented);
  expect(others.map(brief)).toEqual(people.map(() => "200"));
  expect(carrying.size).toBeGreaterThan(0);
  expect(first?.status).not.toBe(200);
});

test("a contract that agrees in simulation and burns gas on the chain costs at most two transactions, and none for tiny payments", async () => {
  const turncoat = await codeAt(artifacts.TurncoatWallet.deployedBytecode as Hex);
  await shop.world.mint(turncoat, 10n * PRICE);
  const payTo = freshAddress();
  const { agent } = shop.seller;
  await setReceivingAddress(shop.seller, payTo);
  const present = async (amount: bigint) => {
    const claim = claimFrom(stranger(), payTo, amount, { from: turncoat });
    const path = `/unifypaymentlink/agentid/${agent.agentId}?amount=${amount}&asset=usdc`;
    return call("GET", path, { headers: paying(claim) });
  };
  const countTransactions = () => shop.world.client().getTransactionCount({ address: relayer() });

  const sentBefore = await countTransactions();
  const dust = [await present(1n), await present(1n), await present(1n)];
  expect.soft(dust.map(brief)).toEqual(Array(3).fill("402 AMOUNT_TOO_SMALL"));
  expect.soft((await countTransactions()) - sentBefore).toBe(0);
  const between = await countTransactions();
  for (let times = 0; times < 3; times++) await present(10_000n);
  const last = await present(10_000n);
  expect.soft((await countTransactions()) - between).toBeLessThanOrEqual(2);
  expect.soft(brief(last)).toBe("429 PAYER_OVER_GAS_BUDGET");
  expect.soft(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await honestPayment()).toBe("200");
});

test("a fee that nodes refuse with an unknown error is raised, and blocks no nonce", async () => {
  let minimum = 0n;
  shop.world.node().faults.refuses.set("eth_sendRawTransaction", ([raw]) => {
    const { maxFeePerGas = 0n } = parseTransaction(raw as Hex);
    minimum ||= (maxFeePerGas * 14n) / 10n;
    return maxFeePerGas < minimum ? { code: -32000, message: "try again with a better offer" } : null;
  });
  expect.soft(await honestPayment()).toBe("200");
  shop.world.node().heal();
  expect(await honestPayment()).toBe("200");
});

test("with a node that limits block ranges, the chain is read in small ranges", async () => {
  // "Limit exceeded" (EIP-1474), which some providers return for large ranges.
  shop.world.node().faults.refuses.set("eth_getLogs", ([filter]) => {
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
    return Number(toBlock) - Number(fromBlock) >= 10
      ? { code: -32005, message: "query exceeds max block range" }
      : null;
  });
  await shop.world.mine(100);
  expect(await honestPayment()).toBe("200");
});

test("a used proof is recognised also with a node that limits block ranges, and readiness stays green", async () => {
  const [link, payer] = [await newLink(shop), await buyer(shop)];
  const claim = claimFrom(payer, link.payTo, PRICE);
  await submitDirectly(shop.world, claim);
  await shop.world.mine(50);
  await waitUntilRead(shop);
  shop.world.node().faults.refuses.set("eth_getLogs", ([filter]) => {
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
    return Number(toBlock) - Number(fromBlock) >= 10 ? { code: -32000, message: "not in this plan" } : null;
  });
  const response = await pay(link, claim);
  expect.soft(brief(response)).toBe("409 PAYMENT_ALREADY_USED");
  // Some time later.
  await shop.sql`update settlements set created_at = created_at - interval '10 minutes' where payer = ${claim.authorization.from}`;
  expect((await readyz()).status).toBe(200);
});

test("a false head at the moment of a payment does not stop its settlement", async () => {
  const [link, payer] = [await newLink(shop), await buyer(shop)];
  const claim = claimFrom(payer, link.payTo, PRICE);
  shop.world.node().faults.headOffBy = 1_000_000;
  const bought = pay(link, claim);
  await Promise.race([bought, until(async () => (await claims(payer.address)) > 0, "the claim")]);
  shop.world.node().heal();
  await Promise.race([bought, waitForPool(shop, claim)]);
  expect(brief(await bought)).toBe("200");
});

test("a payment whose log a node hides for over a minute is not called unpaid, and settles when the log is shown", async () => {
  const [link, payer] = [await newLink(shop), await buyer(shop)];
  const claim = claimFrom(payer, link.payTo, PRICE);
  const { faults } = shop.world.node();
  const presented: Promise<Answer>[] = [];
  await behindAnother(async () => {
    presented.push(pay(link, claim));
    await waitUntilClaimed([payer]);
    faults.isHidingLogs = true;
    await shop.world.setAutomine(true);
    await submitDirectly(shop.world, claim);
    await shop.sql`update settlements set created_at = created_at - interval '5 minutes' where payer = ${toAddress(payer.address)}`;
  });
  const blockNumberBefore = await shop.world.client().getBlockNumber();
  await until(async () => (await shop.world.client().getBlockNumber()) > blockNumberBefore + 5n, "deep blocks");
  await waitUntilRead(shop);
  const row = async () => {
    const [match] =
      await shop.sql`select state, failure_code from settlements where payer = ${toAddress(payer.address)}`;
    return match;
  };
  expect.soft(await row()).toEqual({ state: "claimed", failure_code: null });
  expect.soft((await readyz()).status).toBe(200);
  shop.world.node().heal();
  await until(async () => (await row())?.state === "settled", "the payment");
  expect((await Promise.all(presented)).map(brief)).toEqual(["200"]);
});
