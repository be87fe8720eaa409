import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import postgres from "postgres";
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  concat,
  createPublicClient,
  createTestClient,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  http,
  numberToHex,
  parseEventLogs,
  parseSignature,
  publicActions,
  TransactionNotFoundError,
  walletActions,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChain } from "@/dev/local/chains";
import { startDatabase } from "@/dev/local/database";
import { freePort } from "@/dev/local/ports";
import artifacts from "@/dev/token/artifacts.json";
import { tokenDomain } from "@/lib/x402/authorization";
import { MULTICALL3, NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { RPC_ERRORS, startChaosProxy } from "../support/chaos-proxy";
import { createWorld, type World } from "../support/world";

const TOKEN = artifacts.TestDollar.abi as Abi;
const MULTICALL = artifacts.Multicall3.abi as Abi;
const USDC = NETWORKS.base.usdc;
const FAR = 2n ** 63n;

let world: World;
let sender: Address;
let payee: Address;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  sender = world.accounts[0]?.address ?? "0x";
  payee = privateKeyToAccount(generatePrivateKey()).address;
});
afterAll(() => world.stop());

describe("the local test token", () => {
  test.each(NETWORK_NAMES)("has the metadata and the EIP-712 domain of USDC on %s", async (network) => {
    const client = world.client(network);
    const read = (functionName: string) =>
      client.readContract({ address: NETWORKS[network].usdc, abi: TOKEN, functionName });

    expect({
      chainId: await client.getChainId(),
      name: await read("name"),
      symbol: await read("symbol"),
      version: await read("version"),
      decimals: await read("decimals"),
      separator: await read("DOMAIN_SEPARATOR"),
    }).toEqual({
      chainId: NETWORKS[network].chainId,
      name: NETWORKS[network].tokenName,
      symbol: "USDC",
      version: NETWORKS[network].tokenVersion,
      decimals: 6,
      separator: domainSeparator({ domain: tokenDomain(network) }),
    });
  });

  test("accepts both forms of signature, with AuthorizationUsed directly before Transfer", async () => {
    const payer = await payerWith(300n);
    const first = await authorize(payer, { value: 100n });
    const second = await authorize(payer, { value: 200n });
    const { v, r, s } = parseSignature(second.signature);
    const receipts = [
      await send("transferWithAuthorization", [...first.args, first.signature]),
      await send("transferWithAuthorization", [...second.args, Number(v), r, s]),
    ];

    const names = receipts.map(({ logs }) => parseEventLogs({ abi: TOKEN, logs }).map((log) => log.eventName));
    expect(names).toEqual([
      ["AuthorizationUsed", "Transfer"],
      ["AuthorizationUsed", "Transfer"],
    ]);
    expect(await world.balanceOf(payer.address)).toBe(0n);
    expect(await isUsed(payer.address, first.nonce)).toBe(true);
  });

  test("accepts an authorization strictly between validAfter and validBefore", async () => {
    const payer = await payerWith(10n);
    const now = (await world.client().getBlock()).timestamp;
    const attempt = async (validAfter: bigint, validBefore: bigint) => {
      const { args, signature } = await authorize(payer, { value: 1n, validAfter, validBefore });
      return refusal("transferWithAuthorization", [...args, signature]);
    };

    expect([
      await attempt(now - 1n, now + 1n),
      await attempt(now, FAR),
      await attempt(now + 1n, FAR),
      await attempt(0n, now),
      await attempt(0n, now - 1n),
    ]).toEqual([
      null,
      "FiatTokenV2: authorization is not yet valid",
      "FiatTokenV2: authorization is not yet valid",
      "FiatTokenV2: authorization is expired",
      "FiatTokenV2: authorization is expired",
    ]);
  });

  test("refuses an authorization that is used or canceled", async () => {
    const payer = await payerWith(10n);
    const used = await authorize(payer, { value: 1n });
    await send("transferWithAuthorization", [...used.args, used.signature]);
    const canceled = await authorize(payer, { value: 1n });
    const cancellation = await cancel(payer, canceled.nonce);
    const receipt = await send("cancelAuthorization", [payer.address, canceled.nonce, cancellation]);

    expect(parseEventLogs({ abi: TOKEN, logs: receipt.logs }).map((log) => log.eventName)).toEqual([
      "AuthorizationCanceled",
    ]);
    expect(await isUsed(payer.address, canceled.nonce)).toBe(true);
    const again = "FiatTokenV2: authorization is used or canceled";
    expect(await refusal("transferWithAuthorization", [...used.args, used.signature])).toBe(again);
    expect(await refusal("transferWithAuthorization", [...canceled.args, canceled.signature])).toBe(again);
    expect(await refusal("cancelAuthorization", [payer.address, canceled.nonce, cancellation])).toBe(again);
  });

  test("refuses a signature by another account, a malleated one, and one with a wrong length or v", async () => {
    const payer = await payerWith(10n);
    const { args, signature } = await authorize(payer, { value: 1n });
    const stranger = await authorize(privateKeyToAccount(generatePrivateKey()), { value: 1n });
    const { r, s, yParity } = parseSignature(signature);
    const highS = numberToHex(SECP256K1_N - hexToBigInt(s), { size: 32 });
    const attempt = (bytes: Hex) => refusal("transferWithAuthorization", [...args, bytes]);

    expect([
      await attempt(stranger.signature),
      await attempt(concat([r, highS, yParity === 0 ? "0x1c" : "0x1b"])),
      await attempt(concat([r, s, numberToHex(yParity, { size: 1 })])),
      await attempt(concat([signature, "0x00"])),
    ]).toEqual([
      "FiatTokenV2: invalid signature",
      "ECRecover: invalid signature 's' value",
      "ECRecover: invalid signature 'v' value",
      "ECRecover: invalid signature length",
    ]);
  });

  test("lets only the payee receive with an authorization", async () => {
    const payer = await payerWith(10n);
    const { args, signature } = await authorize(payer, {
      value: 1n,
      to: sender,
      primaryType: "ReceiveWithAuthorization",
    });
    const stranger = world.accounts[1]?.address ?? "0x";

    expect(await refusal("receiveWithAuthorization", [...args, signature], stranger)).toBe(
      "FiatTokenV2: caller must be the payee",
    );
    expect(await refusal("transferWithAuthorization", [...args, signature])).toBe("FiatTokenV2: invalid signature");
    await send("receiveWithAuthorization", [...args, signature]);
    expect(await world.balanceOf(payer.address)).toBe(9n);
  });

  test("refuses an insufficient balance, a blacklisted party and everything while paused", async () => {
    const payer = await payerWith(10n);
    const tooMuch = await authorize(payer, { value: 11n });
    const fine = await authorize(payer, { value: 1n });
    const id = await world.snapshot();

    const poor = await refusal("transferWithAuthorization", [...tooMuch.args, tooMuch.signature]);
    await send("blacklist", [payer.address]);
    const blacklisted = await refusal("transferWithAuthorization", [...fine.args, fine.signature]);
    await send("unBlacklist", [payer.address]);
    await send("pause", []);
    const paused = await refusal("transferWithAuthorization", [...fine.args, fine.signature]);
    await world.revert(id);

    expect([poor, blacklisted, paused]).toEqual([
      "ERC20: transfer amount exceeds balance",
      "Blacklistable: account is blacklisted",
      "Pausable: paused",
    ]);
    expect(await refusal("transferWithAuthorization", [...fine.args, fine.signature])).toBe(null);
  });

  test("verifies a payer with code by ERC-1271", async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const wallet = await deploy("TestWallet1271", owner.address);
    await world.mint(wallet, 10n);
    const good = await authorize(owner, { from: wallet, value: 1n });
    const bad = await authorize(privateKeyToAccount(generatePrivateKey()), { from: wallet, value: 1n });

    expect(await refusal("transferWithAuthorization", [...bad.args, bad.signature])).toBe(
      "FiatTokenV2: invalid signature",
    );
    await send("transferWithAuthorization", [...good.args, good.signature]);
    expect(await world.balanceOf(wallet)).toBe(9n);
  });

  test("forwards all its gas to a payer contract that burns gas", async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const wallet = await deploy("GasBurningWallet1271", owner.address);
    await world.mint(wallet, 10n);
    const { args, signature } = await authorize(owner, { from: wallet, value: 1n });

    const receipt = await send("transferWithAuthorization", [...args, signature], 2_000_000n);
    expect({ status: receipt.status, isBurnt: receipt.gasUsed > 1_500_000n }).toEqual({
      status: "success",
      isBurnt: true,
    });
  });
});

describe("Multicall3", () => {
  test("lets one call fail without the others if the caller allows that, and not otherwise", async () => {
    const payer = await payerWith(10n);
    const good = await authorize(payer, { value: 4n });
    const expired = await authorize(payer, { value: 4n, validBefore: 1n });
    const calls = (allowFailure: boolean) =>
      [expired, good].map(({ args, signature }) => ({
        target: USDC,
        allowFailure,
        callData: encodeFunctionData({
          abi: TOKEN,
          functionName: "transferWithAuthorization",
          args: [...args, signature],
        }),
      }));
    const aggregate = (allowFailure: boolean) =>
      ({
        address: MULTICALL3,
        abi: MULTICALL,
        functionName: "aggregate3",
        args: [calls(allowFailure)],
        account: sender,
      }) as const;

    expect(await reasonOf(world.client().simulateContract(aggregate(false)))).toBe("Multicall3: call failed");
    const { result } = await world.client().simulateContract(aggregate(true));
    expect(result).toMatchObject([{ success: false }, { success: true, returnData: "0x" }]);
    const hash = await world.client().writeContract({ ...aggregate(true), chain: null });
    await world.client().waitForTransactionReceipt({ hash });
    expect(await world.balanceOf(payer.address)).toBe(6n);
  });
});

describe("a local test environment", () => {
  test("loses the transactions of the blocks that a reorg replaces", async () => {
    const payer = await payerWith(10n);
    await world.mine(2);
    const { args, signature, nonce } = await authorize(payer, { value: 1n });
    const { transactionHash } = await send("transferWithAuthorization", [...args, signature]);
    await world.mine(1);

    await world.reorg(2);
    const transaction = await lookUp(transactionHash);
    expect({
      transaction,
      isUsed: await isUsed(payer.address, nonce),
      balance: await world.balanceOf(payer.address),
    }).toEqual({
      transaction: null,
      isUsed: false,
      balance: 10n,
    });
  });

  test("keeps transactions pending while automatic mining is off, and can drop them", async () => {
    const payer = await payerWith(10n);
    await world.setAutomine(false);
    const { args, signature, nonce } = await authorize(payer, { value: 1n });
    const hash = await submit("transferWithAuthorization", [...args, signature]);
    const pending = await lookUp(hash);
    await world.dropTransactions();
    await world.setAutomine(true);
    await world.mine();

    expect(pending).toMatchObject({ hash, blockNumber: null });
    expect(await lookUp(hash)).toBe(null);
    expect(await isUsed(payer.address, nonce)).toBe(false);
  });

  test("can advance its clock", async () => {
    const chainTimeBefore = await world.chainTime();
    await world.increaseTime(3600);
    const later = await world.chainTime();
    const target = new Date(later.getTime() + 86_400_000);
    await world.setNextBlockTimestamp(target);
    await world.mine();
    expect(later.getTime() - chainTimeBefore.getTime()).toBeGreaterThanOrEqual(3_600_000);
    expect(await world.chainTime()).toEqual(target);
  });

  test("has a separate database, and can mine blocks on a timer", async () => {
    const env = { ...process.env };
    const other = await createWorld({ blockTimeSeconds: 1 });
    const sql = postgres(other.databaseUrl, { max: 1 });
    const began = await other.client().getBlockNumber();
    await other.mint(payee, 5n);

    expect(process.env.DATABASE_URL).toBe(other.databaseUrl);
    expect(other.databaseUrl).not.toBe(world.databaseUrl);
    expect(await sql`SELECT 1 AS one`).toMatchObject([{ one: 1 }]);
    expect(await other.balanceOf(payee)).toBe(5n);
    expect(await world.balanceOf(payee)).not.toBe(5n);
    await expect.poll(() => other.client().getBlockNumber(), { timeout: 5_000 }).toBeGreaterThan(began + 1n);

    await sql.end();
    await other.stop();
    Object.assign(process.env, env);
  });
});

describe("the chaos proxy", () => {
  test("forwards calls, counts them, and fails on demand", async () => {
    const proxy = await startChaosProxy(world.rpc.base ?? "");
    const rpc = async (method: string, params: unknown[] = []) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
      const res = await fetch(proxy.url, { method: "POST", body });
      return res.ok ? await res.json() : res.status;
    };
    const nonce = await world.client().getTransactionCount({ address: sender });

    const chainId = await rpc("eth_chainId");
    proxy.faults.errors.set("eth_sendRawTransaction", RPC_ERRORS.nonceTooLow);
    proxy.faults.httpStatus.set("eth_blockNumber", 429);
    proxy.faults.staleNonceBy = 1;
    proxy.faults.dropReplyTo.add("evm_mine");
    const head = await world.client().getBlockNumber();

    expect({
      chainId,
      sent: await rpc("eth_sendRawTransaction", ["0x"]),
      head: await rpc("eth_blockNumber"),
      nonce: await rpc("eth_getTransactionCount", [sender, "latest"]),
      mined: await rpc("evm_mine").catch(() => "cut"),
    }).toEqual({
      chainId: { jsonrpc: "2.0", id: 7, result: "0x2105" },
      sent: { jsonrpc: "2.0", id: 7, error: RPC_ERRORS.nonceTooLow },
      head: 429,
      nonce: { jsonrpc: "2.0", id: 7, result: numberToHex(nonce - 1) },
      mined: "cut",
    });
    expect(await world.client().getBlockNumber()).toBe(head + 1n);

    proxy.faults.isRefusing = true;
    await expect(rpc("eth_chainId")).rejects.toThrow();
    proxy.heal();
    expect(await rpc("eth_chainId")).toEqual(chainId);
    expect([proxy.calls("evm_mine"), proxy.calls("eth_chainId")]).toEqual([1, 2]);
    await proxy.stop();
  });

  test("changes the newest block and hides logs on demand", async () => {
    const { url, faults, heal } = world.node();
    const client = createPublicClient({ transport: http(url), cacheTime: 0 });
    await world.mint(payee, 1n);
    const { number: head, hash } = await client.getBlock();
    const logs = () => client.getLogs({ fromBlock: 0n });
    const logsBefore = await logs();
    expect(logsBefore.length).toBeGreaterThan(0);

    Object.assign(faults, { headOffBy: 2, isHidingLogs: true });
    expect(await client.getBlockNumber()).toBe(head + 2n);
    expect(await client.getBlock()).toMatchObject({ number: head + 2n, hash });
    expect(await client.getBlock({ blockNumber: head })).toMatchObject({ number: head, hash });
    expect(await logs()).toEqual([]);

    heal();
    expect(await client.getBlockNumber()).toBe(head);
    expect(await logs()).toEqual(logsBefore);
  });
});

describe("after a restart of the local test environment", () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "tessera-restart-"));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test.each(["stopped", "killed", "left running"])(
    "a chain that was %s still has its balances, receipts and logs",
    async (end) => {
      const stateFile = join(dir, `${end}.state`);
      const start = async () =>
        startChain({ network: "base", port: await freePort(), stateFile, fund: [payee], blockTimeSeconds: 1 });
      const first = await start();
      const hash = await mintOn(first.rpcUrl);
      const mintedAt = Date.now();
      const factsBefore = await facts(first.rpcUrl, hash);
      if (end === "stopped") await first.stop();
      if (end === "killed") {
        await expect.poll(() => statSync(stateFile).mtimeMs, { timeout: 10_000 }).toBeGreaterThan(mintedAt);
        process.kill(first.pid, "SIGKILL");
      }

      const second = await start();
      expect(await facts(second.rpcUrl, hash)).toEqual(factsBefore);
      await second.stop();
    },
  );

  test("a database still has its rows, whether it was stopped, killed or left running", async () => {
    const start = async () => startDatabase({ dir: join(dir, "postgres"), port: await freePort() });
    const pid = () => Number.parseInt(readFileSync(join(dir, "postgres/postmaster.pid"), "utf8"), 10);
    const insert = (url: string) => query(url, "CREATE TABLE IF NOT EXISTS kept (x int); INSERT INTO kept VALUES (1)");

    const first = await start();
    await insert(first.url);
    await first.stop();
    const second = await start();
    await insert(second.url);
    process.kill(pid(), "SIGKILL");
    await start().then(({ url }) => insert(url));
    const last = await start();
    const count = await query(last.url, "SELECT count(*)::int AS rows FROM kept");
    await last.stop();
    expect(count).toMatchObject([{ rows: 3 }]);
  });
});

const SECP256K1_N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

type AuthorizeOptions = {
  value: bigint;
  from?: Address;
  to?: Address;
  validAfter?: bigint;
  validBefore?: bigint;
  primaryType?: keyof typeof TYPES;
};

const TYPES = {
  ...TRANSFER_TYPES,
  ReceiveWithAuthorization: TRANSFER_TYPES.TransferWithAuthorization,
  CancelAuthorization: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

async function authorize(signer: PrivateKeyAccount, options: AuthorizeOptions) {
  const { value, from = signer.address, to = payee, validAfter = 0n, validBefore = FAR } = options;
  const nonce = generatePrivateKey();
  const signature = await signer.signTypedData({
    domain: tokenDomain("base"),
    types: TYPES,
    primaryType: options.primaryType ?? "TransferWithAuthorization",
    message: { from, to, value, validAfter, validBefore, nonce },
  } as Parameters<PrivateKeyAccount["signTypedData"]>[0]);
  return { nonce, signature, args: [from, to, value, validAfter, validBefore, nonce] };
}

const cancel = (signer: PrivateKeyAccount, nonce: Hex) =>
  signer.signTypedData({
    domain: tokenDomain("base"),
    types: TYPES,
    primaryType: "CancelAuthorization",
    message: { authorizer: signer.address, nonce },
  });

async function payerWith(atomic: bigint): Promise<PrivateKeyAccount> {
  const payer = privateKeyToAccount(generatePrivateKey());
  await world.mint(payer.address, atomic);
  return payer;
}

const submit = (functionName: string, args: unknown[], gas = 500_000n) =>
  world.client().writeContract({ account: sender, chain: null, address: USDC, abi: TOKEN, functionName, args, gas });

async function send(functionName: string, args: unknown[], gas?: bigint) {
  return world.client().waitForTransactionReceipt({ hash: await submit(functionName, args, gas) });
}

/** The token's reason to refuse the call at the newest block; null if it accepts it. */
const refusal = (functionName: string, args: unknown[], account = sender) =>
  reasonOf(world.client().simulateContract({ account, address: USDC, abi: TOKEN, functionName, args }));

async function reasonOf(call: Promise<unknown>): Promise<string | null | undefined> {
  try {
    await call;
    return null;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error;
    return reverted.reason;
  }
}

const isUsed = (authorizer: Address, nonce: Hex) =>
  world
    .client()
    .readContract({ address: USDC, abi: TOKEN, functionName: "authorizationState", args: [authorizer, nonce] });

async function lookUp(hash: Hex) {
  try {
    return await world.client().getTransaction({ hash });
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null;
    throw error;
  }
}

async function deploy(name: "TestWallet1271" | "GasBurningWallet1271", owner: Address): Promise<Address> {
  const { abi, bytecode } = artifacts[name];
  const hash = await world
    .client()
    .deployContract({ account: sender, chain: null, abi: abi as Abi, bytecode: bytecode as Hex, args: [owner] });
  const { contractAddress } = await world.client().waitForTransactionReceipt({ hash });
  return contractAddress ?? "0x";
}

const clientOn = (rpcUrl: string) =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);

async function mintOn(rpcUrl: string): Promise<Hex> {
  const client = clientOn(rpcUrl);
  const mint = { abi: TOKEN, functionName: "mint", args: [payee, 42n] };
  const hash = await client.writeContract({ account: sender, chain: null, address: USDC, ...mint });
  await client.waitForTransactionReceipt({ hash });
  // For a moment the node has the receipt and still reports the transaction as pending.
  await expect.poll(async () => (await client.getTransaction({ hash })).blockHash).not.toBeNull();
  return hash;
}

/** State that a restart must preserve. */
async function facts(rpcUrl: string, hash: Hex) {
  const client = clientOn(rpcUrl);
  const receipt = await client.getTransactionReceipt({ hash });
  return {
    receipt,
    transaction: await client.getTransaction({ hash }),
    block: await client.getBlock({ blockHash: receipt.blockHash }),
    logs: await client.getLogs({ fromBlock: 0n, toBlock: "latest" }),
    balance: await client.readContract({ address: USDC, abi: TOKEN, functionName: "balanceOf", args: [payee] }),
    ether: await client.getBalance({ address: payee }),
    nonce: await client.getTransactionCount({ address: sender }),
  };
}

async function query(url: string, statements: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await sql.unsafe(statements);
  } finally {
    await sql.end();
  }
}
