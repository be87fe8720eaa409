import { parseEther } from "viem";
import { describe, expect, test } from "vitest";
import artifacts from "@/dev/token/artifacts.json";
import { type Address, toAddress } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall, signedBy } from "../support/confirmations";
import { deployStray, deployWallet, mintStray, type StrayMode } from "../support/contract-accounts";
import { call } from "../support/http";
import { freshAddress, type Json } from "../support/mandates";
import { body, outcome, walletOf } from "../support/payouts";
import { until } from "../support/replica";
import { runService } from "../support/service";
import * as wiring from "../support/wiring";

const service = runService();
const ETHER = parseEther("0.02");
const PATH = "/api/wallet/recoveries";

const giveEther = (to: string, value: bigint) =>
  service.world.client("base").setBalance({ address: toAddress(to), value });
const etherOf = (of: string) => service.world.client("base").getBalance({ address: toAddress(of) });
const tokensOf = (token: Address, of: string) =>
  service.world.client("base").readContract({
    address: token,
    abi: artifacts.StrayToken.abi,
    functionName: "balanceOf",
    args: [of],
  });

async function ownerWith(ether: bigint): Promise<{ owner: TestOwner; wallet: Address }> {
  const owner = await newOwner();
  const wallet = await walletOf(owner);
  if (ether > 0n) await giveEther(wallet, ether);
  return { owner, wallet };
}

/** With 100 units of a token whose transfer misbehaves, and ETH for gas. */
async function ownerWithToken(mode: StrayMode, ether = ETHER) {
  const astray = await ownerWith(ether);
  const token = await deployStray(service.world, mode);
  await mintStray(service.world, token, astray.wallet, parseEther("100"));
  return { ...astray, token };
}

const list = async ({ session }: TestOwner, token?: string): Promise<Json> =>
  body(await call("GET", `${PATH}?network=base${token ? `&token=${token}` : ""}`, { session }));
const recover = (owner: TestOwner, token: string | null, network = "base") =>
  confirmedCall(owner, PATH, { network, token });

async function endOf(owner: TestOwner): Promise<Json> {
  let newest: Json;
  await until(async () => {
    [newest] = (await list(owner)).recoveries;
    return newest?.outcome !== "under_way";
  }, "the end of the recovery");
  return newest;
}

describe("what is at a spending wallet and is not USDC", () => {
  test("is nothing at first, and USDC is not part of it", async () => {
    const { owner, wallet } = await ownerWith(0n);
    await service.world.mint(wallet, 5_000_000n);
    expect(await list(owner)).toMatchObject({
      address: wallet,
      toAddress: owner.address,
      ether: { amount: "0", sendable: "0" },
      tokens: [],
      named: null,
      recoveries: [],
    });
    const named = await call("GET", `${PATH}?token=${NETWORKS.base.usdc}`, { session: owner.session });
    expect(outcome(named)).toEqual([400, "usdc_not_recovered"]);
    expect(outcome(await recover(owner, NETWORKS.base.usdc.toLowerCase()))).toEqual([400, "usdc_not_recovered"]);
    expect(await service.world.balanceOf(wallet)).toBe(5_000_000n);
  });

  test("is ETH without the gas to send it, a known token, and a token that the owner names", async () => {
    const { owner, wallet, token } = await ownerWithToken("honest");
    const { ether } = await list(owner);
    expect(ether).toMatchObject({ amount: String(ETHER), amountFormatted: "0.02" });
    const sendable = Number(ether.sendable) / Number(ETHER);
    expect(sendable).toBeLessThan(1);
    expect(sendable).toBeGreaterThan(0.9);
    const named = { token, symbol: "STRAY", amount: String(parseEther("100")), amountFormatted: "100", isKnown: false };
    expect((await list(owner, token)).named).toEqual(named);
    // WETH, which the service knows, with the code of a token that calls itself otherwise.
    const weth = toAddress("0x4200000000000000000000000000000000000006");
    const client = service.world.client("base");
    const code = await client.getCode({ address: token });
    await client.setCode({ address: weth, bytecode: code ?? "0x" });
    try {
      await mintStray(service.world, weth, wallet, parseEther("1.5"));
      expect((await list(owner)).tokens).toEqual([
        { token: weth, symbol: "WETH", amount: String(parseEther("1.5")), amountFormatted: "1.5", isKnown: true },
      ]);
    } finally {
      await client.setCode({ address: weth, bytecode: "0x" });
    }
  });

  test("shows what a token calls itself in one short line, and nothing of an address that is no token", async () => {
    const { owner, wallet } = await ownerWith(0n);
    const token = await deployStray(service.world, "honest", `\u202eUSDC\n${"x".repeat(300)}`);
    await mintStray(service.world, token, wallet, 1n);
    expect((await list(owner, token)).named.symbol).toBe(`USDC ${"x".repeat(15)}`);
    expect((await list(owner, freshAddress())).named).toBeNull();
    expect((await list(owner, await deployWallet(service.world, owner.address))).named).toBeNull();
  });
});

describe("sending it to the owner", () => {
  test("needs one signature of the owner, which names network, asset and their own address", async () => {
    const { owner, wallet } = await ownerWith(ETHER);
    const { session } = owner;
    const json = { network: "base", token: null };
    const asked = await call("POST", PATH, { session, json });
    expect(outcome(asked)).toEqual([403, "signature_required"]);
    expect(body(asked).typedData).toMatchObject({
      primaryType: "Recovery",
      domain: { chainId: 8453 },
      message: { network: "Base", asset: "ETH", from: wallet, to: owner.address },
    });
    const stranger = await newOwner();
    const forged = await signedBy(stranger, asked);
    expect(outcome(await call("POST", PATH, { session, json: { ...json, signature: forged } }))).toEqual([
      403,
      "signature_required",
    ]);
    const signature = await signedBy(owner, asked);
    // The signature is of another asset.
    const token = await deployStray(service.world, "honest");
    await mintStray(service.world, token, wallet, 1n);
    expect(outcome(await call("POST", PATH, { session, json: { ...json, token, signature } }))).toEqual([
      403,
      "signature_required",
    ]);
    const sent = await call("POST", PATH, { session, json: { ...json, signature } });
    expect([sent.status, body(sent).recovery]).toMatchObject([
      202,
      { token: null, symbol: "ETH", toAddress: owner.address, outcome: "under_way" },
    ]);
    await endOf(owner);
    const again = await call("POST", PATH, { session, json: { ...json, signature } });
    expect(outcome(again)).toEqual([400, "nothing_to_recover"]);
  });

  test("takes the gas from the ETH, and leaves the USDC where it is", async () => {
    const { owner, wallet } = await ownerWith(ETHER);
    await service.world.mint(wallet, 5_000_000n);
    expect((await recover(owner, null)).status).toBe(202);
    const end = await endOf(owner);
    expect(end).toMatchObject({ outcome: "arrived", receivedFormatted: end.amountFormatted, lacksGas: false });
    expect(await etherOf(owner.address)).toBe(BigInt(end.amount));
    expect(await service.world.balanceOf(wallet)).toBe(5_000_000n);
    const { ether } = await list(owner);
    expect(ether.sendable).toBe("0");
    const [row] = await service.opened
      .sql`select * from events where type = 'owner.recovery_sent' and meta->>'to' = ${owner.address}`;
    expect(row?.meta).toMatchObject({ recoveryId: end.recoveryId, token: null });
  });

  test("refuses ETH that is less than its gas, and nothing at all", async () => {
    for (const ether of [0n, 1000n]) {
      const { owner } = await ownerWith(ether);
      expect(outcome(await recover(owner, null))).toEqual([400, "nothing_to_recover"]);
      expect(outcome(await recover(owner, freshAddress()))).toEqual([400, "nothing_to_recover"]);
    }
  });

  test("asks for ETH when a token's gas cannot be paid, and says how much", async () => {
    const { owner, wallet, token } = await ownerWithToken("honest", 0n);
    const refused = await recover(owner, token);
    expect(outcome(refused)).toEqual([400, "gas_missing"]);
    await giveEther(wallet, BigInt(body(refused).weiMissing) * 2n);
    expect((await recover(owner, token)).status).toBe(202);
    expect(await endOf(owner)).toMatchObject({ outcome: "arrived" });
  });

  test("sends one thing after the other, each with its own nonce", async () => {
    const { owner, token } = await ownerWithToken("honest");
    await service.world.setAutomine(false);
    try {
      expect((await recover(owner, token)).status).toBe(202);
      expect(outcome(await recover(owner, null))).toEqual([409, "recovery_under_way"]);
    } finally {
      await service.world.setAutomine(true);
    }
    expect(await endOf(owner)).toMatchObject({ token, outcome: "arrived" });
    expect((await recover(owner, null)).status).toBe(202);
    expect(await endOf(owner)).toMatchObject({ token: null, outcome: "arrived" });
  });

  test("of several that are signed, sends one at a time, whoever is first", async () => {
    const { owner, wallet, token } = await ownerWithToken("honest");
    const { session } = owner;
    const bodies = [
      { network: "base", token },
      { network: "base", token: null },
    ];
    const signed = await Promise.all(
      bodies.map(async (json) => ({
        ...json,
        signature: await signedBy(owner, await call("POST", PATH, { session, json })),
      })),
    );
    await service.world.setAutomine(false);
    try {
      const responses = await Promise.all(
        [...signed, ...signed, ...signed].map((json) => call("POST", PATH, { session, json })),
      );
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 202)).toHaveLength(1);
      for (const [status, code] of responses.map(outcome).filter(([status]) => status !== 202))
        expect(["403 signature_required", "409 recovery_under_way"]).toContain(`${status} ${code}`);
    } finally {
      await service.world.setAutomine(true);
    }
    expect((await endOf(owner)).outcome).toBe("arrived");
    expect(await service.world.client("base").getTransactionCount({ address: wallet })).toBe(1);
  });

  test("of an owner whose address takes no ETH, sends none", async () => {
    const { owner, token } = await ownerWithToken("honest");
    // The token's code has no function that takes ETH.
    const client = service.world.client("base");
    await client.setCode({ address: owner.address, bytecode: (await client.getCode({ address: token })) ?? "0x" });
    try {
      const { session } = owner;
      const response = await call("POST", PATH, { session, json: { network: "base", token: null } });
      expect(outcome(response)).toEqual([400, "address_refuses"]);
    } finally {
      await client.setCode({ address: owner.address, bytecode: "0x" });
    }
  });
});

describe("a token", () => {
  test.each<[StrayMode, string]>([
    ["honest", "100"],
    ["silent", "100"],
    ["fee", "90"],
  ])("that is %s arrives: the outcome says by how much the owner's balance rose", async (mode, received) => {
    const { owner, wallet, token } = await ownerWithToken(mode);
    expect((await recover(owner, token)).status).toBe(202);
    expect(await endOf(owner)).toMatchObject({
      outcome: "arrived",
      receivedFormatted: received,
      amountFormatted: "100",
    });
    expect([await tokensOf(token, wallet), await tokensOf(token, owner.address)]).toEqual([0n, parseEther(received)]);
  });

  test.each<StrayMode>(["reverts", "says_false", "burns_gas"])(
    "that %s is refused before a signature",
    async (mode) => {
      const { owner, wallet, token } = await ownerWithToken(mode);
      const response = await call("POST", PATH, { session: owner.session, json: { network: "base", token } });
      expect(outcome(response)).toEqual([400, "token_refuses"]);
      expect([await etherOf(wallet), (await list(owner)).recoveries]).toEqual([ETHER, []]);
    },
  );

  test("that burns all gas on the chain only costs the owner's own ETH, and has failed", async () => {
    const { owner, wallet, token } = await ownerWithToken("burns_on_chain");
    const relayerBefore = await etherOf(service.world.relayers[0]?.address ?? "");
    expect((await recover(owner, token)).status).toBe(202);
    expect(await endOf(owner)).toMatchObject({ outcome: "failed", receivedFormatted: null });
    expect(await tokensOf(token, wallet)).toBe(parseEther("100"));
    expect((await etherOf(wallet)) < ETHER).toBe(true);
    expect(await etherOf(service.world.relayers[0]?.address ?? "")).toBe(relayerBefore);
  });

  test("that logs a transfer and moves nothing is never said to have arrived", async () => {
    const { owner, wallet, token } = await ownerWithToken("lies");
    expect((await recover(owner, token)).status).toBe(202);
    expect(await endOf(owner)).toMatchObject({ outcome: "unclear", receivedFormatted: null });
    expect(await tokensOf(token, wallet)).toBe(parseEther("100"));
  });
});

describe("a recovery", () => {
  test("that was stored but not sent is sent after a restart, once", async () => {
    const { owner, wallet } = await ownerWith(ETHER);
    await service.workers.stop();
    await wiring.control({ do: "arm", failpoint: "recovery.stored", action: "throw" });
    expect((await recover(owner, null)).status).toBe(500);
    await wiring.control({ do: "disarm", failpoint: "recovery.stored" });
    expect((await list(owner)).recoveries).toMatchObject([{ outcome: "under_way" }]);
    expect(await etherOf(owner.address)).toBe(0n);
    await service.restart({});
    service.workers.start();
    const end = await endOf(owner);
    expect(end.outcome).toBe("arrived");
    expect(await etherOf(owner.address)).toBe(BigInt(end.amount));
    const count = await service.world.client("base").getTransactionCount({ address: wallet });
    expect(count).toBe(1);
  });

  test("in a block that is replaced is under way again, and arrives once", async () => {
    const { owner, wallet } = await ownerWith(0n);
    // By a transaction of its own: the node forgets a balance that was only set.
    const client = service.world.client("base");
    const hash = await client.sendTransaction({ account: service.payer(), chain: null, to: wallet, value: ETHER });
    await client.waitForTransactionReceipt({ hash });
    expect((await recover(owner, null)).status).toBe(202);
    const { amount } = await endOf(owner);
    await service.world.setAutomine(false);
    try {
      await service.world.reorg(1);
      await until(async () => (await list(owner)).recoveries[0]?.outcome === "under_way", "the reorganisation");
      expect(await etherOf(owner.address)).toBe(0n);
    } finally {
      await service.world.setAutomine(true);
    }
    expect(await endOf(owner)).toMatchObject({ outcome: "arrived", amount });
    expect(await etherOf(owner.address)).toBe(BigInt(amount));
  });

  test("that is not mined is signed again at a higher fee, with the same nonce", async () => {
    const { owner, wallet } = await ownerWith(ETHER);
    await service.world.setAutomine(false);
    try {
      expect((await recover(owner, null)).status).toBe(202);
      const { sql } = service.opened;
      await sql`update recovery_attempts set created_at = created_at - interval '2 minutes'`;
      await until(
        async () =>
          (
            await sql`select 1 from recovery_attempts a join recoveries r on r.id = a.recovery_id
        where r.to_address = ${owner.address}`
          ).length > 1,
        "another version",
      );
    } finally {
      await service.world.setAutomine(true);
    }
    const end = await endOf(owner);
    expect(end.outcome).toBe("arrived");
    expect(await etherOf(owner.address)).toBe(BigInt(end.amount));
    expect(await service.world.client("base").getTransactionCount({ address: wallet })).toBe(1);
  });

  test("of which a later version costs more than the wallet has goes on with the one that it can pay", async () => {
    const { owner, wallet, token } = await ownerWithToken("honest", 0n);
    await giveEther(wallet, BigInt(body(await recover(owner, token)).weiMissing));
    await service.world.setAutomine(false);
    try {
      expect((await recover(owner, token)).status).toBe(202);
      const { sql } = service.opened;
      await sql`update recovery_attempts set created_at = created_at - interval '2 minutes'`;
      const versions = () => sql`select 1 from recovery_attempts a join recoveries r on r.id = a.recovery_id
        where r.to_address = ${owner.address}`;
      await until(async () => (await versions()).length > 1, "another version");
      await service.world.dropTransactions();
    } finally {
      await service.world.setAutomine(true);
    }
    expect(await endOf(owner)).toMatchObject({ token, outcome: "arrived", lacksGas: false });
  });
});
