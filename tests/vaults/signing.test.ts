import postgres from "postgres";
import { hashTypedData } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { FACTORY_ABI, VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { toArgument } from "@/lib/vaults/terms";
import { newOwner, type TestOwner } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, type Json, owned, proposed, type Terms } from "../support/mandates";
import { AGENT_KEY, claimed, vaultData, vaultMandate, vaultSignatures } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

let world: World;
let sql: postgres.Sql;
let wiring: typeof import("../support/wiring");

beforeAll(async () => {
  world = await createWorld();
  sql = postgres(world.databaseUrl, { max: 2 });
  wiring = await import("../support/wiring");
});
afterAll(async () => {
  await wiring.closeSystem();
  await sql.end();
  await world.stop();
});

const sign = (owner: TestOwner, mandateId: string, json: object) =>
  call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
const VAULT_FACTORY = VAULT_CONTRACTS[2].factory.address;

const codeOf = ({ body }: { body: unknown }) => (body as Json).code ?? "ok";
const vaultOf = async (id: string): Promise<Json> => (await sql`select * from vaults where mandate_id = ${id}`)[0];
const operationsOf = async (id: string) =>
  sql`select kind, amount, state from vault_operations where mandate_id = ${id}`;
const fund = (owner: TestOwner, atomic = 10_000_000n) => world.mint(owner.account.address as Address, atomic);

describe("the data that an owner signs for a vault", () => {
  test("is one transfer to the vault with the mandate's hash as nonce, and the factory derives the same vault address", async () => {
    const payees = [freshAddress(), freshAddress()];
    const vault = { agentKey: AGENT_KEY.address, payees, release: { amount: "1000", seconds: 60 } };
    const { owner, mandateId } = await claimed({ vault, maxAmountPerPayment: "500" });
    const { body } = (await vaultData(owner, mandateId)) as { body: Json };
    expect(body).toMatchObject({ primaryType: "ReceiveWithAuthorization", domain: { chainId: 8453 } });
    expect(body.message).toMatchObject({
      from: owner.account.address,
      to: body.vault.address,
      value: "1000000",
      validAfter: "0",
      nonce: body.vault.mandateHash,
    });
    expect(hashTypedData(body.vault.mandate)).toBe(body.vault.mandateHash);
    expect(body.vault.mandate).toMatchObject({
      domain: { version: "3" },
      message: { confirmPayees: false, vaultFactory: VAULT_FACTORY, agentKey: AGENT_KEY.address, payees },
    });
    expect(body.vault.mandate.message.wallet).toBeUndefined();
    const { terms } = body.vault;
    const args = [
      toArgument({
        ...terms,
        limit: BigInt(terms.limit),
        perPayment: BigInt(terms.perPayment),
        release: { amount: 1000n, seconds: 60 },
      }),
    ] as const;
    const read = { address: VAULT_FACTORY, abi: FACTORY_ABI, functionName: "vaultOf", args } as const;
    expect(toAddress(await world.client().readContract(read))).toBe(body.vault.address);
    // The signer stays, so the same question has the same answer.
    expect(((await vaultData(owner, mandateId)) as { body: Json }).body.vault).toEqual(body.vault);
    expect((await vaultOf(mandateId)).state).toBe("proposed");
  });

  test("changes with the owner's choice of payees and release schedule", async () => {
    const { owner, mandateId } = await claimed({ vault: { payees: [freshAddress()] } });
    const vaultBefore = ((await vaultData(owner, mandateId)) as { body: Json }).body.vault;
    const json = { vault: { payees: null, release: { amount: "5", seconds: 1 } } };
    expect((await call("PATCH", `/api/mandates/${mandateId}`, { session: owner.session, json })).status).toBe(200);
    const vaultAfter = ((await vaultData(owner, mandateId)) as { body: Json }).body.vault;
    expect(vaultAfter.terms).toMatchObject({ payees: null, release: { amount: "5", seconds: 1 } });
    expect([vaultAfter.address === vaultBefore.address, vaultAfter.terms.signer]).toEqual([
      false,
      vaultBefore.terms.signer,
    ]);
  });

  test("is available only to the mandate's owner, with valid parameters, until the mandate is decided", async () => {
    const { owner, agent, mandateId } = await claimed();
    const path = `/api/mandates/${mandateId}/typed-data?mode=vault&funding=now`;
    expect((await call("GET", path)).status).toBe(401);
    expect(codeOf(await vaultData(await newOwner(), mandateId))).toBe("mandate_not_found");
    const draft = await proposed(agent, {} as Terms);
    expect(codeOf(await vaultData(owner, draft.mandateId))).toBe("ok");
    expect(codeOf(await call("GET", path.replace("&funding=now", ""), { session: owner.session }))).toBe(
      "invalid_request",
    );
    expect(codeOf(await vaultData(owner, mandateId, { amount: "1000001" }))).toBe("funding_exceeds_limit");
    await owned(owner, mandateId, "reject");
    expect(codeOf(await vaultData(owner, mandateId))).toBe("mandate_not_pending");
  });

  test.each([
    ["payees", { payees: [] }],
    ["payees", { payees: [`0x${"1".repeat(40)}`, `0x${"1".repeat(40)}`] }],
    ["payees", { payees: Array.from({ length: 1_001 }, freshAddress) }],
    ["payees", { payees: [`0x${"0".repeat(40)}`] }],
    ["agentKey", { agentKey: `0x${"0".repeat(40)}` }],
    ["release", { release: { amount: "1", seconds: 0 } }],
    ["release", { release: { amount: "0", seconds: 1 } }],
    ["release", { release: { amount: (2n ** 96n).toString(), seconds: 1 } }],
  ])("cannot have invalid %s", async (_, vault) => {
    const { agent } = await claimed();
    const intent = { naturalLanguage: "x", limitAmount: "1", validForSeconds: 60, vault };
    const { status, body } = await call("POST", "/api/mandates/create-intent", { bearer: agent.jwt, json: { intent } });
    expect([status, (body as Json).code]).toEqual([400, "invalid_request"]);
    expect((body as Json).message).toMatch(/vault/);
  });
});

describe("signing a mandate with a vault", () => {
  test("with immediate funding moves the money once", async () => {
    const { owner, mandateId } = await claimed();
    await fund(owner);
    const body = await vaultSignatures(owner, mandateId);
    const mandate = await owned(owner, mandateId, "signature", body);
    expect(mandate).toMatchObject({
      status: "signed",
      mode: "vault",
      isEnabled: true,
      vault: { state: "opening", funding: "now", funded: "0", factory: VAULT_FACTORY, payees: null, agentKey: null },
    });
    expect(await owned(owner, mandateId, "signature", body)).toEqual(mandate);
    expect(await operationsOf(mandateId)).toEqual([{ kind: "open_and_fund", amount: "1000000", state: "waiting" }]);
    expect(codeOf(await sign(owner, mandateId, { signature: body.signature }))).toBe("ok");
    expect(codeOf(await vaultData(owner, mandateId))).toBe("mandate_not_pending");
  });

  test("with a permit leaves the money in the owner's wallet", async () => {
    const { owner, agent, mandateId } = await claimed();
    const mandate = await owned(
      owner,
      mandateId,
      "signature",
      await vaultSignatures(owner, mandateId, { funding: "permit" }),
    );
    expect(mandate).toMatchObject({ mode: "vault", vault: { state: "opening", funding: "permit" } });
    expect(await operationsOf(mandateId)).toEqual([{ kind: "open_and_pull", amount: "1000000", state: "waiting" }]);
    const { body } = (await call("GET", "/api/mandates", { bearer: agent.jwt })) as { body: Json };
    expect(body.mandates[0]).toMatchObject({ mandateId, mode: "vault", vault: { address: mandate.vault.address } });
  });

  test("requires the owner's money, and the owner's signature of exactly these terms", async () => {
    const { owner, mandateId } = await claimed();
    const poor = await sign(owner, mandateId, await vaultSignatures(owner, mandateId));
    expect([poor.status, poor.body]).toMatchObject([422, { code: "insufficient_owner_funds", balance: "0" }]);
    await fund(owner);
    const body = await vaultSignatures(owner, mandateId);
    const soon = Math.floor(Date.now() / 1000);
    const refusal = [
      ["signature_invalid", { ...body, amount: "999999" }],
      ["signature_invalid", { ...body, signature: `0x${"1".repeat(130)}` }],
      ["signature_invalid", { ...body, validBefore: String(Number(body.validBefore) - 1) }],
      ["funding_exceeds_limit", { ...body, amount: "1000001" }],
      ["funding_window", { ...body, validBefore: String(soon + 7_200) }],
      ["funding_window", { ...body, validBefore: String(soon) }],
      ["invalid_request", { ...body, amount: "0" }],
      ["invalid_request", { ...body, funding: "later" }],
      ["invalid_request", { ...body, validBefore: undefined }],
      ["signature_invalid", { signature: body.signature }],
    ] as const;
    for (const [code, json] of refusal)
      expect([code, codeOf(await sign(owner, mandateId, json))]).toEqual([code, code]);
    const narrower = { limitAmount: "999999" };
    await call("PATCH", `/api/mandates/${mandateId}`, { session: owner.session, json: narrower });
    expect(codeOf(await sign(owner, mandateId, { ...body, amount: "999999" }))).toBe("signature_invalid");
    expect(await operationsOf(mandateId)).toEqual([]);
    expect((await vaultOf(mandateId)).state).toBe("proposed");
  });

  test("with an amount below the limit funds that amount", async () => {
    const { vault, mandateId } = await vaultMandate(world, {}, { amount: "40000" });
    expect(await operationsOf(mandateId)).toMatchObject([{ amount: "40000" }]);
    expect(await vaultOf(mandateId)).toMatchObject({ address: vault, state: "opening", limit_amount: "10000000" });
  });
});
