import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, describe, expect, test } from "vitest";
import { vaultSignature } from "@/lib/vaults/payments";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import type { TestOwner } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, owned, pay } from "../support/mandates";
import { runService } from "../support/service";
import { changeToken, submitDirectly } from "../support/token";
import { fundCall } from "../support/vault-calls";
import { AGENT_KEY, claimed, claimOf, eventually, vaultMandate, vaultSignatures } from "../support/vault-mandates";
import { type Answer, outcome, vaultsIn } from "../support/vault-service";

const service = runService();
const vaults = vaultsIn(service);
const { opened, paid, isIn, rowOf, mandateOf, operationsOf, failureOf, token } = vaults;
const AGENT_PRIVATE_KEY = `0x${"a9".repeat(32)}` as const;

/** Moves the owner's own money, which the service does not know. */
async function spend(owner: TestOwner, atomic: bigint): Promise<void> {
  const { address } = owner;
  await service.world.client().impersonateAccount({ address });
  await service.world.client().setBalance({ address, value: 10n ** 18n });
  await changeToken(service.world, "transfer", [freshAddress(), atomic], address);
}

const refusedOperation = (id: string) => eventually(() => failureOf(id), `a refused operation of ${id}`);

describe("two payments from a vault in one block", () => {
  test("are both counted, on the chain and in the budget", async () => {
    const release = { amount: "3000000", seconds: 86_400 };
    const { agent, mandateId } = await opened({ vault: { release }, validForSeconds: 300_000 });
    const [one, two] = [freshAddress(), freshAddress()];
    const responses = [
      await paid(agent, mandateId, { payTo: one, amount: "1000000" }),
      await paid(agent, mandateId, { payTo: two, amount: "2000000" }),
    ];
    expect(outcome(await pay(agent, mandateId, { amount: "1" }))).toEqual([422, "vault_not_released"]);
    const claims = responses.map(({ body }) => claimOf(body));
    // The first proof is in the block twice, and pays once.
    expect(await vaults.inOneBlock([...claims, claims[0] as (typeof claims)[0]])).toEqual([
      ...["success", "success", "reverted"],
    ]);
    expect([await service.world.balanceOf(one), await service.world.balanceOf(two)]).toEqual([1_000_000n, 2_000_000n]);
    const mandate = await eventually(async () => {
      const view = await mandateOf(agent, mandateId);
      return view.spentAmount === "3000000" && view.vault.spent === "3000000" ? view : null;
    }, "both");
    expect(mandate).toMatchObject({ pendingSpentAmount: "0", vault: { balance: "7000000" } });
    expect(outcome(await pay(agent, mandateId, { amount: "1" }))).toEqual([422, "vault_not_released"]);
  });
});

describe("a vault's permit", () => {
  test("opens the vault also when somebody else submits it first", async () => {
    await service.workers.stop();
    const { owner, agent, mandateId, vault } = await vaultMandate(service.world, {}, { funding: "permit" });
    const [{ amount, valid_before: deadline, signature }] = (await service.opened.sql`
      select * from vault_operations where mandate_id = ${mandateId}`) as Json[];
    const [r, s, v] = [
      signature.slice(0, 66),
      `0x${signature.slice(66, 130)}`,
      Number.parseInt(signature.slice(130), 16),
    ];
    await token("permit", owner.address, vault, BigInt(amount), BigInt(deadline), v, r, s);
    service.workers.start();
    expect(await isIn(mandateId, "open")).toMatchObject({ funded: "1000000", allowance: "9000000" });
    const payTo = freshAddress();
    const { body } = await paid(agent, mandateId, { payTo, amount: "4000000" });
    await submitDirectly(service.world, claimOf(body));
    expect(await service.world.balanceOf(payTo)).toBe(4_000_000n);
  });

  test("does not help when the owner's money is gone: the payment is refused, and the budget is unchanged", async () => {
    const { owner, agent, mandateId } = await opened({}, { funding: "permit" });
    await service.workers.stop();
    expect(outcome(await pay(agent, mandateId, { amount: "5000000" }))).toEqual([503, "vault_not_ready"]);
    // Between the request for a pull and the pull.
    await spend(owner, 7_000_000n);
    service.workers.start();
    const refusal = (await pay(agent, mandateId, { amount: "5000000" })) as Answer;
    expect([...outcome(refusal), refusal.body]).toMatchObject([
      ...[422, "vault_not_funded"],
      { ownerBalance: "2000000", allowance: "9000000", missing: "4000000" },
    ]);
    expect(await mandateOf(agent, mandateId)).toMatchObject({
      pendingSpentAmount: "0",
      spentAmount: "0",
      remainingAmount: "10000000",
      vault: { funded: "1000000", balance: "1000000", spent: "0" },
    });
    // What is still there can be paid: the larger pull does not stand in its way.
    await paid(agent, mandateId, { amount: "2500000" });
    await service.world.mint(owner.address, 5_000_000n);
    await paid(agent, mandateId, { amount: "5000000" });
  });

  test("is not used again after a failed pull, until a payment needs it", async () => {
    const { owner, agent, mandateId } = await opened({}, { funding: "permit" });
    await service.workers.stop();
    expect(outcome(await pay(agent, mandateId, { amount: "5000000" }))).toEqual([503, "vault_not_ready"]);
    await spend(owner, 9_000_000n);
    service.workers.start();
    await eventually(
      async () => (await operationsOf(mandateId)).includes("pull failed") || null,
      "the pull to be over",
    );
    await service.world.mint(owner.address, 9_000_000n);
    await paid(agent, mandateId, { amount: "5000000" });
    expect((await operationsOf(mandateId)).filter((one) => one.startsWith("pull"))).toEqual([
      "pull failed",
      "pull done",
    ]);
  });

  test("draws nothing once the owner has withdrawn the allowance, and the mandate pays from the vault's balance", async () => {
    const { owner, agent, mandateId, vault } = await opened({}, { funding: "permit" });
    await service.world.client().impersonateAccount({ address: owner.address });
    await service.world.client().setBalance({ address: owner.address, value: 10n ** 18n });
    await changeToken(service.world, "approve", [vault, 0n], owner.address);
    const refusal = (await pay(agent, mandateId, { amount: "2000000" })) as Answer;
    expect([...outcome(refusal), refusal.body]).toMatchObject([422, "vault_not_funded", { allowance: "0" }]);
    await paid(agent, mandateId, { amount: "1000000" });
  });
});

describe("while the issuer of USDC has paused the token", () => {
  afterEach(() => token("unpause"));

  test("a vault waits, and is opened afterwards", async () => {
    const mandate = await claimed({ limitAmount: "10000000" });
    await service.world.mint(mandate.owner.address, 10_000_000n);
    const json = await vaultSignatures(mandate.owner, mandate.mandateId);
    await token("pause");
    const path = `/api/mandates/${mandate.mandateId}/signature`;
    expect(outcome(await call("POST", path, { session: mandate.owner.session, json }))).toEqual([200, "ok"]);
    expect(await refusedOperation(mandate.mandateId)).toMatch(/paused/);
    expect(outcome(await pay(mandate.agent, mandate.mandateId))).toEqual([503, "vault_not_ready"]);
    await token("unpause");
    expect(await isIn(mandate.mandateId, "open")).toMatchObject({ balance: "10000000" });
  });

  test("nothing is spent, and a revocation stays in effect although the money returns later", async () => {
    const { owner, agent, mandateId } = await opened();
    const { body: signed } = await paid(agent, mandateId, { amount: "1000000" });
    await token("pause");
    await submitDirectly(service.world, claimOf(signed)).catch(() => {});
    const { body } = await call("GET", `/api/mandates/${mandateId}/revocation`, { session: owner.session });
    const vaultSignature = await owner.account.signTypedData(body as never);
    await owned(owner, mandateId, "revoke", { vaultSignature });
    await eventually(async () => (await vaults.readAgain(mandateId)).is_revoked || null, "the revocation");
    expect(await rowOf(mandateId)).toMatchObject({ state: "closing", balance: "10000000", spent: "0" });
    await token("unpause");
    // The payment was signed before, and the chain refuses it now.
    await submitDirectly(service.world, claimOf(signed)).catch(() => {});
    await isIn(mandateId, "closed");
    expect(await service.world.balanceOf(owner.address)).toBe(10_000_000n);
  });
});

describe("an owner whom the issuer of USDC has blocked", () => {
  test("gets the money back once the block is lifted", async () => {
    const { owner, agent, mandateId } = await opened();
    await token("blacklist", owner.address);
    // Payments to others go on.
    const payTo = freshAddress();
    const { body } = await paid(agent, mandateId, { payTo, amount: "1000000" });
    await submitDirectly(service.world, claimOf(body));
    expect(await service.world.balanceOf(payTo)).toBe(1_000_000n);
    await owned(owner, mandateId, "revoke");
    await eventually(async () => {
      const failure = await failureOf(mandateId);
      return failure?.includes("blocked an address") || null;
    }, "the refused return");
    await eventually(async () => (await vaults.readAgain(mandateId)).balance === "9000000" || null, "the reading");
    expect((await rowOf(mandateId)).state).toBe("closing");
    await token("unBlacklist", owner.address);
    await isIn(mandateId, "closed");
    expect(await service.world.balanceOf(owner.address)).toBe(9_000_000n);
  });

  test("cannot open a vault meanwhile", async () => {
    const { owner, mandateId } = await claimed();
    await service.world.mint(owner.address, 1_000_000n);
    const json = await vaultSignatures(owner, mandateId);
    await token("blacklist", owner.address);
    await call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
    expect(await refusedOperation(mandateId)).toMatch(/blocked an address/);
    expect((await rowOf(mandateId)).state).toBe("opening");
    await token("unBlacklist", owner.address);
    await isIn(mandateId, "open");
  });
});

describe("an agent's key", () => {
  const signedBy = async (key: typeof AGENT_KEY, { typedData }: Json) => {
    const { validAfter, validBefore, nonce } = typedData.message;
    const signature = await key.signTypedData({ ...typedData, types: TRANSFER_TYPES });
    return { agentAuthorization: { validAfter, validBefore, nonce, signature } };
  };
  const toSign = async (...[agent, id, change]: Parameters<typeof pay>) => (await pay(agent, id, change)).body as Json;

  test("that is lost stops payments; the owner takes the money back, and signs another mandate with a new key", async () => {
    const parties = await linkedPair();
    const lost = await vaultMandate(service.world, { vault: { agentKey: AGENT_KEY.address } }, {}, parties);
    await isIn(lost.mandateId, "open");
    const { agent, owner } = parties;
    const fresh = privateKeyToAccount(`0x${"b7".repeat(32)}`);
    const payTo = freshAddress();
    const withOther = await signedBy(fresh, await toSign(agent, lost.mandateId, { payTo }));
    const refusal = await pay(agent, lost.mandateId, { payTo, ...withOther });
    expect(outcome(refusal)).toEqual([422, "agent_authorization_invalid"]);
    await owned(owner, lost.mandateId, "revoke");
    await isIn(lost.mandateId, "closed");
    expect(await service.world.balanceOf(owner.address)).toBe(10_000_000n);
    const next = await vaultMandate(service.world, { vault: { agentKey: fresh.address } }, {}, parties);
    await isIn(next.mandateId, "open");
    const mine = await signedBy(fresh, await toSign(agent, next.mandateId, { payTo }));
    const { body } = await paid(agent, next.mandateId, { payTo, ...mine });
    await submitDirectly(service.world, claimOf(body));
    expect(await service.world.balanceOf(payTo)).toBe(10_000n);
  });

  test("that is stolen alone pays nothing: not here without the agent's token, nor on the chain", async () => {
    const { agent, mandateId, vault } = await opened({ vault: { agentKey: AGENT_KEY.address } });
    const payTo = freshAddress();
    const given = await signedBy(AGENT_KEY, await toSign(agent, mandateId, { payTo, amount: "10000" }));
    const json = { mandateId, payTo, amount: "10000", resource: "https://api.example.com/", ...given };
    expect((await call("POST", "/api/payment/x402V3Payment", { json })).status).toBe(401);
    const { body } = await paid(agent, mandateId, { payTo, ...given });
    const { authorization } = claimOf(body);
    const other = { ...authorization, to: freshAddress() };
    const signature = signAuthorization("base", other, AGENT_PRIVATE_KEY);
    const forged = vaultSignature(other, { signature, agentSignature: signature, proof: null });
    await submitDirectly(service.world, { ...claimOf(body), authorization: other, signature: forged });
    expect(await service.world.balanceOf(other.to)).toBe(0n);
    expect(await service.world.balanceOf(vault)).toBe(10_000_000n);
  });

  test("that is stolen together with the agent's token pays only what the terms allow", async () => {
    const vault = { agentKey: AGENT_KEY.address, release: { amount: "1000000", seconds: 86_400 } };
    const { agent, mandateId } = await opened({ vault, maxAmountPerPayment: "1000000", validForSeconds: 300_000 });
    const payTo = freshAddress();
    const refusal = await pay(agent, mandateId, { payTo, amount: "1000001" });
    expect(outcome(refusal)).toEqual([403, "mandate_payment_cap_exceeded"]);
    const given = await signedBy(AGENT_KEY, await toSign(agent, mandateId, { payTo, amount: "1000000" }));
    await paid(agent, mandateId, { payTo, amount: "1000000", ...given });
    expect(outcome(await pay(agent, mandateId, { payTo, amount: "1" }))).toEqual([422, "vault_not_released"]);
  });
});

test("money that strangers send before and after the opening belongs to the owner", async () => {
  const { agent, mandateId, vault, owner } = await opened();
  await service.world.mint(vault, 900_000n);
  // Less than 1 USDC is not counted, and payments go on.
  const payTo = freshAddress();
  const { body } = await paid(agent, mandateId, { payTo, amount: "10000000" });
  await submitDirectly(service.world, claimOf(body));
  expect(await service.world.balanceOf(payTo)).toBe(10_000_000n);
  await eventually(async () => {
    await vaults.readAgain(mandateId);
    return (await service.world.balanceOf(vault)) === 0n || null;
  }, "the rest goes home");
  expect(await service.world.balanceOf(owner.address)).toBe(900_000n);
});

test("a stranger's own money cannot fund a vault as if it were the owner's", async () => {
  const { vault } = await opened();
  const thief = service.payer(7);
  const now = Math.floor(Date.now() / 1_000);
  const nonce = `0x${"5".repeat(64)}` as const;
  const authorization = {
    from: thief.address,
    to: vault,
    value: 1n,
    validAfter: 0n,
    validBefore: BigInt(now + 600),
    nonce,
  };
  const signature = await thief.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: NETWORKS.base.usdc },
    types: { ReceiveWithAuthorization: TRANSFER_TYPES.TransferWithAuthorization },
    primaryType: "ReceiveWithAuthorization",
    message: authorization,
  });
  const { to, data } = fundCall(vault, { ...authorization, value: 1n as never, signature });
  await expect(service.world.client().call({ account: thief.address, to, data })).rejects.toThrow(/invalid signature/);
});
