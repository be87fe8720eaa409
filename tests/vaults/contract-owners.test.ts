import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { newAgent, newOwner, postSignIn, sessionIn, siweMessage, type TestOwner } from "../support/actors";
import { delegate, deployTurncoat, deployWallet } from "../support/contract-accounts";
import { call } from "../support/http";
import { freshAddress, type Json, owned } from "../support/mandates";
import { shareService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimed, claimOf, eventually, vaultMandate, vaultSignatures } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

/** Owners whose account is a contract, or delegates to one (EIP-7702): USDC calls their code to check each signature. */
const service = shareService();
const { paid, isIn, rowOf, operationsOf } = vaultsIn(service);

async function contractOwner(): Promise<TestOwner> {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  const address = await deployWallet(service.world, account.address);
  const message = await siweMessage(address);
  const session = sessionIn(await postSignIn(message, await account.signMessage({ message }))) ?? "";
  return { account, address, privateKey, session };
}

const sign = (owner: TestOwner, mandateId: string, json: object) =>
  call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });

describe("a contract wallet as a vault's owner", () => {
  test.each(["now", "permit"] as const)("opens, pays from and revokes a vault (%s)", async (funding) => {
    const parties = { owner: await contractOwner(), agent: await newAgent() };
    const { owner, agent, mandateId } = await vaultMandate(service.world, {}, { funding }, parties);
    expect(await isIn(mandateId, "open")).toMatchObject({ owner: owner.address });
    const payTo = freshAddress();
    const { body } = await paid(agent, mandateId, { payTo, amount: "2000000" });
    await submitDirectly(service.world, claimOf(body));
    expect(await service.world.balanceOf(payTo)).toBe(2_000_000n);
    const { body: revocation } = await call("GET", `/api/mandates/${mandateId}/revocation`, { session: owner.session });
    const stranger = await newOwner();
    const forged = { vaultSignature: await stranger.account.signTypedData(revocation as never) };
    const path = `/api/mandates/${mandateId}/revoke`;
    expect(outcome(await call("POST", path, { session: owner.session, json: forged }))).toEqual([
      ...[422, "signature_invalid"],
    ]);
    await owned(owner, mandateId, "revoke", { vaultSignature: await owner.account.signTypedData(revocation as never) });
    expect(await isIn(mandateId, "closed")).toMatchObject({ is_revoked: true });
    expect(await service.world.balanceOf(owner.address)).toBe(8_000_000n);
    // What worked is not counted against the account's budget of gas.
    expect(await service.opened.sql`select 1 from payer_gas where payer = ${owner.address}`).toEqual([]);
  });

  test("signs only what its contract accepts", async () => {
    const owner = await contractOwner();
    const { mandateId } = await claimed({}, { owner, agent: await newAgent() });
    await service.world.mint(owner.address, 1_000_000n);
    const stranger = { ...owner, account: (await newOwner()).account };
    for (const funding of ["now", "permit"] as const) {
      const refusal = await sign(owner, mandateId, await vaultSignatures(stranger, mandateId, { funding }));
      expect(outcome(refusal)).toEqual([422, "signature_invalid"]);
    }
    expect(await rowOf(mandateId)).toMatchObject({ state: "proposed" });
  });
});

describe("an account that delegates to a contract, as a vault's owner,", () => {
  test("is refused at once if that contract rejects the signature of the account's key, because USDC would too", async () => {
    const owner = await newOwner();
    const { mandateId } = await claimed({}, { owner, agent: await newAgent() });
    await service.world.mint(owner.address, 1_000_000n);
    await delegate(service.world, owner.address, await deployWallet(service.world, freshAddress()));
    for (const funding of ["now", "permit"] as const) {
      const response = await sign(owner, mandateId, await vaultSignatures(owner, mandateId, { funding }));
      expect([...outcome(response), (response.body as Json).message]).toEqual([
        ...[422, "signature_invalid", expect.stringMatching(/contract at your account/)],
      ]);
    }
    expect(await operationsOf(mandateId)).toEqual([]);
    await delegate(service.world, owner.address, await deployWallet(service.world, owner.address));
    expect(outcome(await sign(owner, mandateId, await vaultSignatures(owner, mandateId)))).toEqual([200, "ok"]);
    await isIn(mandateId, "open");
  });

  test("costs one transaction an hour at most if that contract accepts only during simulation", async () => {
    const owner = await newOwner();
    const parties = { owner, agent: await newAgent() };
    await claimed({}, parties);
    await delegate(service.world, owner.address, await deployTurncoat(service.world));
    const vaultSetup = [
      await vaultMandate(service.world, {}, {}, parties),
      await vaultMandate(service.world, {}, {}, parties),
    ];
    const countCharges = async () =>
      (await service.opened.sql`select gas from payer_gas where payer = ${owner.address}`).length;
    await eventually(async () => (await countCharges()) > 0 || null, "the first attempt");
    // The relayer looks every tenth of a second.
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(await countCharges()).toBe(1);
    for (const { mandateId } of vaultSetup) {
      expect(await rowOf(mandateId)).toMatchObject({ state: "opening", funded: "0" });
      expect(await operationsOf(mandateId)).toEqual(["open_and_fund waiting"]);
    }
    await delegate(service.world, owner.address, null);
    await service.opened.sql`update vault_operations set retry_at = null where state = 'waiting'`;
    for (const { mandateId } of vaultSetup) await isIn(mandateId, "open");
  });
});
