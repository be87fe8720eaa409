import { describe, expect, onTestFinished, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { type Terms, vaultAddress } from "@/lib/vaults/terms";
import { fundingTypedData, permitTypedData } from "@/lib/vaults/typed-data";
import type { TestOwner } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, intentOf, type Json, owned, pay, signatureOver, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimed, claimOf, eventually, termsOf, vaultData, vaultSignatures } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

const service = shareService();
const { opened, paid, isIn, rowOf, mandateOf, operationsOf } = vaultsIn(service);

const MOST = 2n ** 96n - 1n;
const TOO_MUCH = [2n ** 96n, 2n ** 128n - 1n, 2n ** 256n - 1n].map(String);

const propose = async (jwt: string, intent: object) =>
  call("POST", "/api/mandates/create-intent", { bearer: jwt, json: { intent: intentOf(intent) } });

describe("the smallest and the largest limit of a vault", () => {
  test.each(["now", "permit"] as const)("allow a cent to be paid, and then nothing more (%s)", async (funding) => {
    const { agent, mandateId, owner } = await opened({ limitAmount: "10000" }, { funding });
    const payTo = freshAddress();
    const { body } = await paid(agent, mandateId, { payTo, amount: "10000" });
    expect(outcome(await pay(agent, mandateId, { payTo, amount: "1" }))).toEqual([403, "mandate_insufficient_budget"]);
    await submitDirectly(service.world, claimOf(body));
    expect(await service.world.balanceOf(payTo)).toBe(10_000n);
    expect(await service.world.balanceOf(owner.address)).toBe(9_990_000n);
  });

  test("exclude a vault with less than a cent as its limit, its funding or its rest", async () => {
    const refusal = [422, "vault_unavailable"];
    const { owner, agent, mandateId } = await claimed({ limitAmount: "9999" });
    await service.world.mint(owner.address, 10_000_000n);
    for (const funding of ["now", "permit"] as const) {
      const response = await vaultData(owner, mandateId, { funding });
      expect([...outcome(response), (response.body as Json).message]).toEqual([
        ...refusal,
        expect.stringMatching(/at least 0\.01 USDC/),
      ]);
    }
    const whole = await claimed({ limitAmount: "10000" }, { owner, agent });
    expect(outcome(await vaultData(owner, whole.mandateId, { amount: "9999" }))).toEqual(refusal);
    const sign = (id: string, json: Json) =>
      call("POST", `/api/mandates/${id}/signature`, { session: owner.session, json });
    const good = await vaultSignatures(owner, whole.mandateId);
    expect(outcome(await sign(whole.mandateId, { ...good, amount: "9999" }))).toEqual(refusal);
    expect(outcome(await sign(mandateId, good))).toEqual(refusal);
    expect(await operationsOf(whole.mandateId)).toEqual([]);
    const { mandateId: inWallet } = await signedMandate({ limitAmount: "9999" }, { owner, agent });
    const movedResponse = await call("POST", `/api/mandates/${inWallet}/move-to-vault`, {
      session: owner.session,
      json: {},
    });
    expect(outcome(movedResponse)).toEqual(refusal);
  });

  test("allow a permit of 2^96-1, which draws no more than the owner has", async () => {
    const { agent, mandateId, vault } = await opened({ limitAmount: `${MOST}` }, { funding: "permit" });
    // What was drawn is read after the opening.
    await expect
      .poll(() => rowOf(mandateId), { timeout: 20_000 })
      .toMatchObject({ limit_amount: `${MOST}`, funded: "10000000" });
    const payTo = freshAddress();
    expect(outcome(await pay(agent, mandateId, { payTo, amount: "10000001" }))).toEqual([422, "vault_not_funded"]);
    const { body } = await paid(agent, mandateId, { payTo, amount: "10000000" });
    await submitDirectly(service.world, claimOf(body));
    expect([await service.world.balanceOf(payTo), await service.world.balanceOf(vault)]).toEqual([10_000_000n, 0n]);
  });

  test("allow a limit of 2^96-1 to be funded with less, or with all of it if the owner has it", async () => {
    const { owner, mandateId } = await claimed({ limitAmount: `${MOST}` });
    const sign = async (json: Json) =>
      call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
    await service.world.mint(owner.address, 10_005n);
    const all = await vaultSignatures(owner, mandateId);
    expect(outcome(await sign(all))).toEqual([422, "insufficient_owner_funds"]);
    expect(outcome(await sign(await vaultSignatures(owner, mandateId, { amount: "10005" })))).toEqual([200, "ok"]);
    expect(await isIn(mandateId, "open")).toMatchObject({ funded: "10005", balance: "10005" });
    const rich = await claimed({ limitAmount: `${MOST}` });
    await service.world.mint(rich.owner.address, MOST);
    const json = await vaultSignatures(rich.owner, rich.mandateId);
    await call("POST", `/api/mandates/${rich.mandateId}/signature`, { session: rich.owner.session, json });
    expect(await isIn(rich.mandateId, "open")).toMatchObject({ funded: `${MOST}`, balance: `${MOST}` });
    const { body } = await paid(rich.agent, rich.mandateId, { payTo: freshAddress(), amount: `${MOST}` });
    await submitDirectly(service.world, claimOf(body));
    expect(await service.world.balanceOf(claimOf(body).authorization.to)).toBe(MOST);
  });

  test.each(TOO_MUCH)("exclude %s wherever a request names an amount, and nothing changes", async (amount) => {
    const { owner, agent, mandateId } = await claimed();
    const refusal = [400, "invalid_request"];
    expect(outcome(await propose(agent.jwt, { limitAmount: amount }))).toEqual(refusal);
    expect(outcome(await propose(agent.jwt, { vault: { release: { amount, seconds: 1 } } }))).toEqual(refusal);
    expect(outcome(await vaultData(owner, mandateId, { amount }))).toEqual(refusal);
    const json = { vault: { release: { amount, seconds: 1 } } };
    expect(outcome(await call("PATCH", `/api/mandates/${mandateId}`, { session: owner.session, json }))).toEqual(
      refusal,
    );
    const signed = { ...(await vaultSignatures(owner, mandateId)), amount };
    const path = `/api/mandates/${mandateId}/signature`;
    expect(outcome(await call("POST", path, { session: owner.session, json: signed }))).toEqual(refusal);
    expect(await rowOf(mandateId)).toMatchObject({ state: "proposed", address: null });
    expect(await operationsOf(mandateId)).toEqual([]);
  });

  test("exclude a payment of 2^128-1 from any budget", async () => {
    const { agent, mandateId } = await opened();
    const amount = `${2n ** 128n - 1n}`;
    expect(outcome(await pay(agent, mandateId, { amount }))).toEqual([403, "mandate_insufficient_budget"]);
    expect(await mandateOf(agent, mandateId)).toMatchObject({ pendingSpentAmount: "0", remainingAmount: "10000000" });
  });
});

describe("a release schedule with periods of one second", () => {
  test("releases a part of the limit each second, and the chain counts as the service does", async () => {
    const release = { amount: "100000", seconds: 1 };
    const { agent, mandateId } = await opened({ vault: { release } });
    const payTo = freshAddress();
    const whole = (await pay(agent, mandateId, { payTo, amount: "10000000" })) as { status: number; body: Json };
    expect(outcome(whole)).toEqual([422, "vault_not_released"]);
    const start = Number((await rowOf(mandateId)).starts_at);
    // The hundredth part is released when 99 seconds have passed.
    expect(Date.parse(whole.body.availableAt) / 1_000).toBe(start + 99);
    expect(whole.body.retryAfterSeconds).toBeLessThanOrEqual(99);
    for (let n = 0; n < 3; n++) {
      const { body } = await eventually(async () => {
        const response = (await pay(agent, mandateId, { payTo, amount: "300000" })) as { status: number; body: Json };
        return response.status === 200 ? response : null;
      }, "the release");
      await submitDirectly(service.world, claimOf(body));
    }
    expect(await service.world.balanceOf(payTo)).toBe(900_000n);
  });

  test.each([0, -1, 0.5, 2 ** 32, "1", null])("is refused with a period of %s seconds", async (seconds) => {
    const { agent } = await claimed();
    const intent = { vault: { release: { amount: "1", seconds } } };
    expect(outcome(await propose(agent.jwt, intent))).toEqual([400, "invalid_request"]);
  });
});

describe("a vault's list of payees", () => {
  test("can have a thousand, and each of them can be paid with its proof", async () => {
    const payees = Array.from({ length: 1_000 }, freshAddress);
    const { agent, mandateId } = await opened({ vault: { payees } });
    for (const index of [0, 1, 499, 998, 999]) {
      const payTo = payees[index] as Address;
      const { body } = await paid(agent, mandateId, { payTo, amount: "7" });
      await submitDirectly(service.world, claimOf(body));
      expect([index, await service.world.balanceOf(payTo)]).toEqual([index, 7n]);
    }
    expect(outcome(await pay(agent, mandateId, { payTo: freshAddress() }))).toEqual([403, "payee_not_listed"]);
    expect((await mandateOf(agent, mandateId)).vault.payees).toBe(1_000);
  });

  test("is refused if it has one payee twice in any spelling", async () => {
    const { owner, agent, mandateId } = await claimed();
    const payees: string[] = Array.from({ length: 999 }, freshAddress);
    const first = payees[0] ?? "";
    for (const twice of [first, first.toLowerCase()]) {
      const vault = { payees: [...payees, twice] };
      const response = (await propose(agent.jwt, { vault })) as { status: number; body: Json };
      expect([...outcome(response), response.body.message]).toEqual([
        400,
        "invalid_request",
        expect.stringMatching(/twice/),
      ]);
      const path = `/api/mandates/${mandateId}`;
      const changed = await call("PATCH", path, { session: owner.session, json: { vault } });
      expect(outcome(changed)).toEqual([400, "invalid_request"]);
    }
  });
});

describe("vault terms that differ in one bit from the signed ones", () => {
  /** The last bit. In small letters, because the address has another checksum. */
  const flip = (hex: string) =>
    `${hex.slice(0, -1)}${(Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16)}`.toLowerCase() as Address;
  const CHANGES: Record<keyof Terms, (t: Terms) => Partial<Terms>> = {
    // As if the operator had chosen another version while the owner signed.
    contractVersion: () => ({ contractVersion: 1 }),
    token: ({ token }) => ({ token: flip(token) }),
    owner: ({ owner }) => ({ owner: flip(owner) }),
    signer: ({ signer }) => ({ signer: flip(signer) }),
    agent: ({ agent }) => ({ agent: flip(agent ?? "") }),
    start: ({ start }) => ({ start: start ^ 1 }),
    end: ({ end }) => ({ end: end ^ 1 }),
    limit: ({ limit }) => ({ limit: toUsdc(limit ^ 1n) }),
    perPayment: ({ perPayment }) => ({ perPayment: toUsdc((perPayment ?? 0n) ^ 1n) }),
    release: ({ release }) => ({ release: { amount: toUsdc(1n), seconds: (release?.seconds ?? 0) ^ 1 } }),
    payees: ({ payees }) => ({ payees: flip(payees ?? "") }),
    mandate: ({ mandate }) => ({ mandate: flip(mandate) }),
  };
  const vault = () => ({
    agentKey: freshAddress(),
    payees: [freshAddress(), freshAddress()],
    release: { amount: "1", seconds: 60 },
  });
  const signs = (owner: TestOwner, data: object) => owner.account.signTypedData(data as never);

  test("give the vault another address, and the signature is refused", async () => {
    const { owner, mandateId } = await claimed({ maxAmountPerPayment: "500", vault: vault() });
    await service.world.mint(owner.address, 1_000_000n);
    const { body } = (await vaultData(owner, mandateId)) as { body: Json };
    const terms = termsOf(body.vault.terms);
    const message = { ...body.message, value: BigInt(body.message.value) };
    const { value: amount, validBefore } = body.message;
    const path = `/api/mandates/${mandateId}/signature`;
    const post = (signature: string) =>
      call("POST", path, {
        session: owner.session,
        json: { mode: "vault", funding: "now", signature, amount, validBefore },
      });
    for (const [field, change] of Object.entries(CHANGES)) {
      const changed = { ...terms, ...change(terms) };
      const to = vaultAddress(changed);
      expect([field, to === body.vault.address]).toEqual([field, false]);
      const authorization = {
        ...message,
        validAfter: 0n,
        validBefore: BigInt(validBefore),
        to,
        nonce: changed.mandate,
      };
      const signature = await signs(owner, fundingTypedData("base", authorization));
      expect([field, ...outcome(await post(signature))]).toEqual([field, 422, "signature_invalid"]);
    }
    // The right vault for another mandate.
    const nonce = flip(terms.mandate);
    const other = { ...message, validAfter: 0n, validBefore: BigInt(validBefore), nonce };
    expect(outcome(await post(await signs(owner, fundingTypedData("base", other))))).toEqual([
      422,
      "signature_invalid",
    ]);
    expect(await rowOf(mandateId)).toMatchObject({ state: "proposed", address: null });
    expect(outcome(await post(await signs(owner, body)))).toEqual([200, "ok"]);
    expect(await isIn(mandateId, "open")).toMatchObject({ address: body.vault.address });
  });

  test("are refused as well in a permit for another vault, sum, nonce or deadline, and in a changed mandate", async () => {
    const { owner, mandateId } = await claimed({ vault: vault() });
    const { body } = (await vaultData(owner, mandateId, { funding: "permit" })) as { body: Json };
    const { permit, vault: _, ...mandate } = body;
    const good = await vaultSignatures(owner, mandateId, { funding: "permit" });
    const { owner: from, spender, value, nonce, deadline } = permit.message;
    const right = {
      owner: from,
      spender,
      value: toUsdc(BigInt(value)),
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
    };
    const permits = [
      { ...right, spender: flip(spender) },
      { ...right, value: toUsdc(right.value ^ 1n) },
      { ...right, nonce: right.nonce ^ 1n },
      { ...right, deadline: right.deadline ^ 1n },
    ];
    const post = (change: object) =>
      call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json: { ...good, ...change } });
    for (const wrong of permits) {
      const permitSignature = await signs(owner, permitTypedData("base", wrong));
      expect(outcome(await post({ permitSignature }))).toEqual([422, "signature_invalid"]);
    }
    const { message } = mandate;
    const messages = [
      { ...message, limitAmount: `${BigInt(message.limitAmount) ^ 1n}` },
      { ...message, releaseSeconds: message.releaseSeconds ^ 1 },
      { ...message, signer: flip(message.signer) },
      { ...message, confirmPayees: !message.confirmPayees },
      { ...message, payees: message.payees.toReversed() },
    ];
    for (const changed of messages) {
      const signature = await signs(owner, { ...mandate, message: changed });
      expect(outcome(await post({ signature }))).toEqual([422, "signature_invalid"]);
    }
    expect(await rowOf(mandateId)).toMatchObject({ state: "proposed", address: null });
    expect(outcome(await post({}))).toEqual([200, "ok"]);
  });
});

test("on a network without the vault factory, no mandate can be signed with a vault", async () => {
  const client = service.world.client("base-sepolia");
  const { address } = VAULT_CONTRACTS[2].factory;
  const bytecode = await client.getCode({ address });
  if (!bytecode) throw new Error("no factory");
  onTestFinished(() => client.setCode({ address, bytecode }));
  await client.setCode({ address, bytecode: "0x" });
  const { owner, mandateId } = await claimed({ network: "base-sepolia" });
  const refusal = [422, "vault_unavailable"];
  expect(outcome(await vaultData(owner, mandateId))).toEqual(refusal);
  const path = `/api/mandates/${mandateId}`;
  const json = { mode: "vault", funding: "now", signature: `0x${"1".repeat(130)}`, validBefore: "9999999999" };
  expect(outcome(await call("POST", `${path}/signature`, { session: owner.session, json }))).toEqual(refusal);
  const signature = await signatureOver(mandateId, owner);
  await owned(owner, mandateId, "signature", { signature });
  expect(outcome(await call("POST", `${path}/move-to-vault`, { session: owner.session, json: {} }))).toEqual(refusal);
});
