import { describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import type { TestOwner } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, owned, pay, signatureOver, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimOf, eventually, vaultMandate, vaultSignatures } from "../support/vault-mandates";

const service = shareService();

const codeOf = ({ body }: { body: unknown }) => (body as Json).code ?? "ok";
const move = (owner: TestOwner, mandateId: string) =>
  call("POST", `/api/mandates/${mandateId}/move-to-vault`, { session: owner.session });
const sign = (owner: TestOwner, mandateId: string, json: object) =>
  call("POST", `/api/mandates/${mandateId}/signature`, { session: owner.session, json });
const mandateOf = async (id: string): Promise<Json> =>
  (await service.opened.sql`select * from mandates where id = ${id}`)[0];

/** A live mandate of 1 USDC under which 0.01 is signed for, with money in the wallet, and its prepared move. */
async function prepared(terms: Json = {}) {
  const mandateSetup = await signedMandate(terms);
  const { owner, agent, mandateId } = mandateSetup;
  const first = (await pay(agent, mandateId)) as { status: number; body: Json };
  expect(first.status).toBe(200);
  await service.world.mint(first.body.xPayment.payload.authorization.from, 1_000_000n);
  await service.world.mint(owner.account.address as Address, 10_000_000n);
  const { mandate } = (await move(owner, mandateId)).body as Json;
  return { ...mandateSetup, first: first.body, next: mandate };
}

describe("moving a live mandate to a vault", () => {
  test("takes one signature for the remaining limit, and payments signed before stay payable", async () => {
    const { owner, agent, mandateId, mandate, first, next } = await prepared({
      maxAmountPerPayment: "995000",
      hostAllowlist: ["api.example.com"],
    });
    expect(next).toMatchObject({
      status: "pending_signature",
      mode: "wallet",
      limitAmount: "990000",
      maxAmountPerPayment: "990000",
      validUntil: mandate.validUntil,
      hostAllowlist: ["api.example.com"],
      replaces: mandateId,
      replacedBy: null,
    });
    expect(await mandateOf(mandateId)).toMatchObject({ state: "signed", replaced_by: null });
    expect((await move(owner, mandateId)).body).toMatchObject({ mandate: { mandateId: next.mandateId } });
    const moved = await owned(owner, next.mandateId, "signature", await vaultSignatures(owner, next.mandateId));
    expect(moved).toMatchObject({ mode: "vault", status: "signed", replaces: mandateId });
    const refusal = await pay(agent, mandateId);
    expect([refusal.status, refusal.body]).toMatchObject([
      403,
      { code: "mandate_revoked", replacedBy: next.mandateId, retry: expect.anything() },
    ]);
    const seen = await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt });
    expect((seen.body as Json).mandate).toMatchObject({
      status: "revoked",
      replacedBy: next.mandateId,
      pendingSpentAmount: "10000",
    });
    await submitDirectly(service.world, claimOf(first));
    const paid = await eventually(async () => {
      const response = await pay(agent, next.mandateId, { amount: "990000", payTo: freshAddress() });
      return response.status === 200 ? (response.body as Json) : null;
    }, "a payment from the vault");
    expect(paid.xPayment.payload.authorization.from).toBe(moved.vault.address);
    await submitDirectly(service.world, claimOf(paid));
    await eventually(async () => {
      const rows = await service.opened
        .sql`select sum(spent_amount) from mandates where id in ${service.opened.sql([mandateId, next.mandateId])}`;
      return rows[0]?.sum === "1000000" ? true : null;
    }, "both sums");
    expect(codeOf(await pay(agent, next.mandateId, { amount: "1" }))).toBe("mandate_insufficient_budget");
  });

  test("carries the amounts used in the present day and month over to the new mandate", async () => {
    const { owner, mandateId, next } = await prepared({ maxAmountPerDay: "30000", maxAmountPerMonth: "40000" });
    expect(next).toMatchObject({ maxAmountPerDay: "30000", today: { usedAmount: "0" } });
    const moved = await owned(owner, next.mandateId, "signature", await vaultSignatures(owner, next.mandateId));
    const mandateBefore = await mandateOf(mandateId);
    expect(moved).toMatchObject({ today: { usedAmount: "10000", remainingAmount: "20000" } });
    expect(await mandateOf(next.mandateId)).toMatchObject({
      charged_on: mandateBefore.charged_on,
      day_amount: "10000",
      month_amount: "10000",
    });
  });

  test("is rejected if payments were signed in the meantime, and can be prepared again", async () => {
    const { owner, agent, mandateId, next } = await prepared();
    const body = await vaultSignatures(owner, next.mandateId);
    expect(codeOf(await pay(agent, mandateId))).toBe("ok");
    expect(await sign(owner, next.mandateId, body)).toMatchObject({
      status: 409,
      body: { code: "rest_changed", remainingAmount: "980000" },
    });
    expect(await mandateOf(mandateId)).toMatchObject({ state: "signed", is_enabled: true, replaced_by: null });
    expect((await service.opened.sql`select 1 from vault_operations where mandate_id = ${next.mandateId}`).length).toBe(
      0,
    );
    const { mandate: lowered } = (await move(owner, mandateId)).body as Json;
    expect(lowered).toMatchObject({ mandateId: next.mandateId, limitAmount: "980000" });
    await owned(owner, next.mandateId, "signature", await vaultSignatures(owner, next.mandateId));
  });

  test("never allows more than the limit together with payments at the same moment", async () => {
    for (let round = 0; round < 4; round++) {
      const { owner, agent, mandateId, next } = await prepared();
      const body = await vaultSignatures(owner, next.mandateId);
      const [signed, ...paidResponse] = await Promise.all([
        sign(owner, next.mandateId, body),
        ...Array.from({ length: 6 }, () => pay(agent, mandateId, { amount: "50000" })),
      ]);
      const sum = paidResponse.filter(({ status }) => status === 200).length * 50_000 + 10_000;
      const isMoved = signed.status === 200;
      expect([signed.status, codeOf(signed)]).toEqual(isMoved ? [200, "ok"] : [409, "rest_changed"]);
      expect((await mandateOf(mandateId)).state).toBe(isMoved ? "revoked" : "signed");
      expect(sum + (isMoved ? 990_000 : 0)).toBeLessThanOrEqual(1_000_000);
      const refusals = paidResponse.filter(({ status }) => status !== 200).map(codeOf);
      expect(refusals.filter((code) => code !== "mandate_revoked" && code !== "mandate_changed")).toEqual([]);
    }
  });

  test("leaves a released reservation out while its block may still be replaced", async () => {
    const { owner, mandateId, next } = await prepared();
    const [{ block_number: newest }] = (await service.opened
      .sql`select block_number from chain_cursors where network = 'base'`) as Json;
    await service.opened.sql`update mandates set pending_amount = 0 where id = ${mandateId}`;
    await service.opened.sql`update reservations set state = 'released', ended_at = now(), block_number = ${newest}
      where mandate_id = ${mandateId}`;
    expect((await move(owner, mandateId)).body).toMatchObject({ mandate: { limitAmount: "990000" } });
    await owned(owner, next.mandateId, "signature", await vaultSignatures(owner, next.mandateId));
    // As it is: the chain has ended nothing.
    await service.opened.sql`update mandates set pending_amount = 10000 where id = ${mandateId}`;
    await service.opened.sql`update reservations set state = 'open', ended_at = null, block_number = null
      where mandate_id = ${mandateId}`;
  });

  test("is refused if the old mandate was revoked, with another signature, and after the mandate's end", async () => {
    const { owner, mandateId, next } = await prepared();
    const stranger = (await linkedPair()).owner;
    const body = await vaultSignatures(owner, next.mandateId);
    const forged = await sign(owner, next.mandateId, { ...body, signature: `0x${"1".repeat(130)}` });
    expect([forged.status, codeOf(forged)]).toEqual([422, "signature_invalid"]);
    expect(codeOf(await move(stranger, mandateId))).toBe("mandate_not_found");
    expect((await mandateOf(mandateId)).state).toBe("signed");
    await owned(owner, mandateId, "revoke");
    expect(await sign(owner, next.mandateId, body)).toMatchObject({
      status: 409,
      body: { code: "rest_changed", remainingAmount: "0" },
    });
    expect([(await mandateOf(next.mandateId)).state, codeOf(await move(owner, mandateId))]).toEqual([
      "pending_signature",
      "mandate_not_active",
    ]);
    const other = await prepared();
    const late = await vaultSignatures(other.owner, other.next.mandateId);
    await service.opened
      .sql`update mandates set valid_until = now() - interval '1 second' where id in ${service.opened.sql([other.mandateId, other.next.mandateId])}`;
    expect(codeOf(await sign(other.owner, other.next.mandateId, late))).toBe("mandate_expired");
    expect(codeOf(await move(other.owner, other.mandateId))).toBe("mandate_expired");
  });

  test("can be declined, and prepared again", async () => {
    const { owner, agent, mandateId, next } = await prepared();
    await owned(owner, next.mandateId, "reject");
    expect(codeOf(await pay(agent, mandateId))).toBe("ok");
    const repeated = (await move(owner, mandateId)).body as Json;
    expect([repeated.mandate.limitAmount, repeated.mandate.mandateId === next.mandateId]).toEqual(["980000", false]);
  });

  test("works for a paused mandate, and can also keep the spending wallet if its owner signs that", async () => {
    const { owner, agent, mandateId, next } = await prepared();
    await owned(owner, mandateId, "enabled", { isEnabled: false });
    await owned(owner, next.mandateId, "signature", { signature: await signatureOver(next.mandateId, owner) });
    expect([codeOf(await pay(agent, mandateId)), codeOf(await pay(agent, next.mandateId))]).toEqual([
      "mandate_revoked",
      "ok",
    ]);
  });

  test("requires a live mandate of the spending wallet with something left", async () => {
    const { owner, mandateId } = await vaultMandate(service.world);
    expect(codeOf(await move(owner, mandateId))).toBe("mandate_has_vault");
    const spent = await signedMandate();
    expect(codeOf(await pay(spent.agent, spent.mandateId, { amount: "1000000" }))).toBe("ok");
    expect(codeOf(await move(spent.owner, spent.mandateId))).toBe("mandate_insufficient_budget");
    expect((await move(spent.owner, "mand_unknown")).status).toBe(404);
  });
});
