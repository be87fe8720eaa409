import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CHECKS } from "@/lib/checks";
import { ChainUnavailable } from "@/lib/platform/chain";
import { allLogs } from "@/lib/platform/chain-logs";
import { runChecks } from "@/lib/platform/checks";
import type { Config } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { connectChain } from "@/lib/platform/nodes";
import * as settlements from "@/lib/settlements/service";
import { NETWORKS } from "@/lib/x402/networks";
import { violations } from "@/ops/invariants";
import { type ChaosProxy, startChaosProxy } from "../support/chaos-proxy";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const STUCK_SECONDS = "1";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
/** Two nodes of the same chain. */
let first: ChaosProxy;
let second: ChaosProxy;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  first = await startChaosProxy(world.rpc.base ?? "");
  second = await startChaosProxy(world.rpc.base ?? "");
  testSystem = openSystem({}, { BASE_RPC_URL: `${first.url}, ${second.url}`, STUCK_SECONDS });
});

afterAll(async () => {
  await testSystem?.close();
  await first?.stop();
  await second?.stop();
  await world?.stop();
});

afterEach(() => {
  first.heal();
  second.heal();
});

const payer = (index = 0) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

/** A new client, without the node health that earlier tests left. */
const chainOf = (...urls: [string, ...string[]]) => connectChain(NETWORKS.base, urls, createLog("silent"));
const sinceReset = (method: string) => [first.calls(method), second.calls(method)];
const reset = () => [first, second].forEach((node) => void node.resetCalls());

describe("with several nodes for one network", () => {
  test("only the first node is used while it responds, and its chain id is requested once", async () => {
    const chain = chainOf(first.url, second.url);
    await chain.head();
    reset();
    for (let times = 0; times < 3; times++) await chain.fees();
    expect(sinceReset("eth_getBlockByNumber")).toEqual([3, 0]);
    expect(sinceReset("eth_chainId")).toEqual([0, 0]);
  });

  test.each<[string, (node: ChaosProxy) => void]>([
    ["cuts the connection", ({ faults }) => void Object.assign(faults, { isRefusing: true })],
    ["answers 503", (node) => void node.faults.httpStatus.set("*", 503)],
    ["answers with an error to everything", (node) => void node.faults.errors.set("*", { code: -32603, message: "?" })],
    ["limits the request rate", (node) => void node.faults.errors.set("*", { code: 429, message: "Too Many" })],
  ])(
    "the second node responds immediately when the first %s, and the first is skipped for a while",
    async (_, fault) => {
      const chain = chainOf(first.url, second.url);
      await chain.head();
      fault(first);
      reset();
      expect(await chain.nativeBalance(payer().address as never)).toBeGreaterThan(0n);
      expect(sinceReset("eth_chainId")).toEqual([0, 1]);
      reset();
      await chain.nativeBalance(payer().address as never);
      expect(sinceReset("eth_getBalance")).toEqual([0, 1]);
    },
  );

  test("ChainUnavailable is thrown when no node responds, and the first node to recover is used immediately", async () => {
    const chain = chainOf(first.url, second.url);
    await chain.head();
    first.faults.isRefusing = true;
    second.faults.isRefusing = true;
    for (let times = 0; times < 4; times++) await expect(chain.head()).rejects.toThrow(ChainUnavailable);
    second.heal();
    expect(await chain.head()).toHaveProperty("hash");
  });

  test("a node of another chain is not used after its chain id was checked", async () => {
    const otherChaosProxy = await startChaosProxy(world.rpc["base-sepolia"] ?? "");
    try {
      const chain = chainOf(otherChaosProxy.url, second.url);
      const head = await chain.head();
      expect(head.hash).toBe((await world.client().getBlock({ blockNumber: head.number })).hash);
      expect([otherChaosProxy.calls("eth_chainId"), otherChaosProxy.calls("eth_getBlockByNumber")]).toEqual([1, 0]);
      await expect(chainOf(otherChaosProxy.url).fees()).rejects.toThrow("is a node of chain 84532, not of 8453");
    } finally {
      await otherChaosProxy.stop();
    }
  });

  test("the chain id is requested again when the service returns to a node", async () => {
    const chain = chainOf(first.url);
    await chain.head();
    reset();
    first.faults.isRefusing = true;
    await expect(chain.head()).rejects.toThrow(ChainUnavailable);
    first.heal();
    await chain.head();
    expect(first.calls("eth_chainId")).toBe(1);
  });

  test.each([
    ["not today", "rejected"],
    ["insufficient funds for gas * price + value", "unfunded"],
    ["replacement transaction underpriced", "underpriced"],
  ])(
    "a transaction that one node refuses (%s) is sent to the next, and the first accepting response counts",
    async (message, result) => {
      const chain = chainOf(first.url, second.url);
      first.faults.errors.set("eth_sendRawTransaction", { code: -32000, message });
      reset();
      expect(await chain.send("0x02")).toBe(result);
      expect(sinceReset("eth_sendRawTransaction")).toEqual([1, 1]);
    },
  );
});

describe("a false chain head", () => {
  const falseHead = (node: ChaosProxy, number: bigint, times = 1) => {
    let remaining = times;
    node.faults.answers.set("eth_getBlockByNumber", (params, result) =>
      params[0] === "latest" && remaining-- > 0
        ? { ...(result as object), number: `0x${number.toString(16)}`, hash: `0x${"77".repeat(32)}` }
        : result,
    );
  };

  // The timer may mine a block or two meanwhile.
  const expectNear = (head: { number: bigint }, number: bigint) => {
    expect(head.number).toBeGreaterThanOrEqual(number);
    expect(head.number).toBeLessThan(number + 100n);
  };

  test("is ignored in favour of the other node's head", async () => {
    const chain = chainOf(first.url, second.url);
    const { number } = await chain.head();
    falseHead(first, number + 1_000_000n);
    expectNear(await chain.head(), number);
  });

  test("is ignored with a single node, which is queried again", async () => {
    const chain = chainOf(first.url);
    const { number } = await chain.head();
    falseHead(first, number + 1_000_000n);
    await expect(chain.head()).rejects.toThrow(ChainUnavailable);
    expectNear(await chain.head(), number);
  });

  test("is ignored also if it is the first head that the service reads", async () => {
    falseHead(first, 1_000_000_000n);
    await expect(chainOf(first.url).head()).rejects.toThrow(ChainUnavailable);
  });

  test("is not suspected when many blocks were really mined at once: a second request confirms the head", async () => {
    const chain = chainOf(first.url);
    // The chain's own timer would mine another one.
    await world.setAutomine(false);
    onTestFinished(() => world.setAutomine(true));
    const { number } = await chain.head();
    await world.mine(100);
    expect((await chain.head()).number).toBe(number + 100n);
  });

  test("at the moment of a claim does not make the payment look earlier than the claim", async () => {
    const crank = await cranks(testSystem.system);
    await crank.observe();
    const payee = freshAddress();
    await world.mint(payer().address, 1_000n);
    const { number } = await testSystem.system.chains.base.head();
    for (const node of [first, second]) falseHead(node, number + 1_000_000n, 1_000);
    const { id } = await settlements.settle(testSystem.system, claimFrom(payer(), payee, 1_000n), 0);
    first.heal();
    second.heal();
    await crank.drain();
    expect((await settlements.get(testSystem.system, id)).state).toBe("settled");
    expect(await violations(testSystem.system, ["base"])).toEqual([]);
  });
});

describe("a node that limits the block range of a request", () => {
  const limit = (node: ChaosProxy, blocks: number, error: { code: number; message: string }) =>
    node.faults.refuses.set("eth_getLogs", (params) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      return Number(toBlock) - Number(fromBlock) + 1 > blocks ? error : null;
    });

  test.each([
    [1, { code: -32000, message: "unknown words about a limit" }],
    [7, { code: -32005, message: "query returned more than 10000 results" }],
    [50, { code: -32602, message: "ranges over 50 blocks need another plan" }],
  ])("to %i blocks is read in such ranges, and does not count as down", async (blocks, error) => {
    await world.mine(120);
    const chain = chainOf(first.url);
    const { number } = await chain.head();
    const all = await allLogs(chain, { from: 0n, to: number });
    limit(first, blocks, error);
    const read = await allLogs(chain, { from: 0n, to: number });
    expect(read).toEqual(all);
    expect(read.last?.number).toBe(number);
    expect(read.logs.length).toBeGreaterThan(0);
    reset();
    await chain.head();
    expect(sinceReset("eth_chainId")).toEqual([0, 0]);
  });

  test("still has payments observed, read and verified", async () => {
    limit(first, 3, { code: -32000, message: "no" });
    limit(second, 3, { code: -32000, message: "no" });
    const crank = await cranks(testSystem.system);
    await world.mint(payer(1).address, 1_000n);
    await world.mine(30);
    const { id } = await settlements.settle(testSystem.system, claimFrom(payer(1), freshAddress(), 1_000n), 0);
    await crank.drain();
    expect((await settlements.get(testSystem.system, id)).state).toBe("settled");
    expect(await violations(testSystem.system, ["base"])).toEqual([]);
  });
});

describe("a transaction that no node accepts", () => {
  /** Fees of its signed transactions, oldest first. */
  const feesOf = async (id: string) => {
    const rows = await testSystem.sql`select a.max_fee_per_gas::text as fee, a.nonce from relayer_attempts a
      join settlements s on s.relayer_nonce = a.nonce and s.signer = a.signer where s.id = ${id} order by a.created_at`;
    return { fees: rows.map((row) => BigInt(row.fee)), nonces: new Set(rows.map((row) => Number(row.nonce))) };
  };
  const age = () =>
    testSystem.sql`update relayer_attempts a set created_at = a.created_at - interval '5 seconds'
      from relayer_transactions t where (t.network, t.signer, t.nonce) = (a.network, a.signer, a.nonce) and t.is_open`;

  async function refusedPayment(index: number, error: { code: number; message: string }) {
    await world.mint(payer(index).address, 1_000n);
    const crank = await cranks(testSystem.system);
    await crank.observe();
    for (const node of [first, second]) node.faults.errors.set("eth_sendRawTransaction", error);
    const { id } = await settlements.settle(testSystem.system, claimFrom(payer(index), freshAddress(), 1_000n), 0);
    await crank.relay();
    return { id, crank };
  }

  test("with an unknown error is signed again with a higher fee and the same nonce, even if no block arrives", async () => {
    const { id, crank } = await refusedPayment(2, { code: -32000, message: "fee cap below minimum: please try again" });
    for (let times = 0; times < 3; times++) {
      await age();
      await crank.relay();
    }
    const { fees, nonces } = await feesOf(id);
    expect(nonces.size).toBe(1);
    expect(fees).toHaveLength(4);
    expect(fees).toEqual(fees.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Set(fees).size).toBe(4);
    first.heal();
    second.heal();
    await age();
    await crank.drain();
    expect((await settlements.get(testSystem.system, id)).state).toBe("settled");
    expect(await violations(testSystem.system, ["base"])).toEqual([]);
  });

  test("for lack of gas money keeps its fee, and is sent once the key has gas money", async () => {
    const { id, crank } = await refusedPayment(3, {
      code: -32003,
      message: "insufficient funds for gas * price + value",
    });
    await age();
    await crank.relay();
    expect((await feesOf(id)).fees).toHaveLength(1);
    expect((await settlements.get(testSystem.system, id)).state).toBe("prepared");
    first.heal();
    second.heal();
    // A refused transaction is sent again every three seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    await crank.drain();
    expect((await settlements.get(testSystem.system, id)).state).toBe("settled");
  });
});

describe("the checks before the service starts", () => {
  const checked = async (change: Partial<Config>, now = testSystem.system.now) => {
    const config = { ...testSystem.system.config, ...change };
    const chains = {
      base: connectChain(NETWORKS.base, config.rpcUrls.base, createLog("silent")),
      "base-sepolia": connectChain(NETWORKS["base-sepolia"], config.rpcUrls["base-sepolia"], createLog("silent")),
    };
    const reports = await runChecks({ ...testSystem.system, config, chains, now }, CHECKS);
    return reports
      .filter(({ status }) => status !== "ok")
      .map(({ status, variable, name }) => [status, variable ?? name]);
  };
  const rpc = (base: [string, ...string[]]): Partial<Config> => ({
    rpcUrls: { base, "base-sepolia": [world.rpc["base-sepolia"] ?? ""] },
  });

  test("report nothing on a correct devnet", async () => {
    expect(await checked({})).toEqual([]);
  });

  test("stop the start for a node of another network, even next to a correct one", async () => {
    const results = await checked(rpc([first.url, world.rpc["base-sepolia"] ?? ""]));
    expect(results).toContainEqual(["fail", "BASE_RPC_URL"]);
  });

  test("stop the start for a node without USDC", async () => {
    first.faults.answers.set("eth_getCode", () => "0x");
    expect(await checked(rpc([first.url]))).toEqual([["fail", "BASE_RPC_URL"]]);
  });

  test("only warn about a node that does not respond, because a replica must be able to restart meanwhile", async () => {
    first.faults.isRefusing = true;
    const results = await checked(rpc([first.url]));
    expect(results).toContainEqual(["warn", "BASE_RPC_URL"]);
    expect(results.every(([status]) => status === "warn")).toBe(true);
  });

  test.each([
    ["devnet", "Geth/v1.15.0", "fail"],
    ["production", "anvil/v1.7.1", "warn"],
    ["production", "Geth/v1.15.0", undefined],
  ] as const)("in MODE %s with a node that reports the version %s end with: %s", async (mode, version, status) => {
    first.faults.answers.set("web3_clientVersion", () => version);
    const results = await checked({ mode, rpcUrls: { base: [first.url], "base-sepolia": [first.url] } });
    expect(results.find(([, variable]) => variable === "MODE")?.[0]).toBe(status);
  });
});
