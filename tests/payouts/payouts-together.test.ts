import { beforeAll, expect, test } from "vitest";
import type { TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { type Answer, call } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties } from "../support/mandates";
import { body, cancel, decide, endedOwned, funded, outcome, requestedPayout } from "../support/payouts";
import { shareService } from "../support/service";

const PATH = "/api/wallet/payouts/approve";

const service = shareService();
let pair: Parties;

beforeAll(async () => {
  pair = await linkedPair();
  await funded(service.world, pair.owner, 400_000_000n);
});

const together = (owner: TestOwner, payoutRecordIds: readonly string[], json: object = {}) =>
  call("POST", PATH, { session: owner.session, json: { payoutRecordIds, ...json } });
const resultsOf = (response: Answer) =>
  body(response).results.map(({ payout, error }: Json) => payout?.status ?? error.code);
const addToAddressBook = async (address: string) => {
  const path = "/api/wallet/addresses";
  expect((await confirmedCall(pair.owner, path, { address, name: `Office ${address.slice(2, 8)}` })).status).toBe(201);
};

test("payouts approved with one call to known addresses below the limit need no signature, and each has its own outcome", async () => {
  const toAddress = freshAddress();
  await addToAddressBook(toAddress);
  const wanted = [];
  for (const amount of ["10000", "20000", "30000"]) {
    wanted.push(await requestedPayout(pair.agent, { toAddress, amount }));
  }
  const [denied, ...good] = wanted;
  if (!denied) throw new Error("no payout");
  await decide(pair.owner, denied.id, "deny", { token: denied.token });
  const stranger = await linkedPair();
  const foreign = await requestedPayout(stranger.agent);
  const ids = [...good, denied, foreign].map(({ id }) => id);
  const first = await together(pair.owner, ids);
  expect([first.status, resultsOf(first)]).toEqual([
    200,
    ["authorized", "authorized", "payout_denied", "payout_not_found"],
  ]);
  for (const { id } of good) expect((await endedOwned(pair.owner, id)).status).toBe("succeeded");
  expect(await service.world.balanceOf(toAddress)).toBe(50_000n);
  const repeatedResponse = await together(pair.owner, ids);
  expect(resultsOf(repeatedResponse)).toEqual(["succeeded", "succeeded", "payout_denied", "payout_not_found"]);
  expect(await service.world.balanceOf(toAddress)).toBe(50_000n);
});

test("one signature covers payouts that exceed the limit together, and none is paid before it", async () => {
  const toAddress = freshAddress();
  await addToAddressBook(toAddress);
  const wanted = [];
  for (const _ of [1, 2, 3]) wanted.push(await requestedPayout(pair.agent, { toAddress, amount: "40000000" }));
  const ids = wanted.map(({ id }) => id);
  const refusal = await together(pair.owner, ids);
  expect(outcome(refusal)).toEqual([403, "signature_required"]);
  const { typedData } = body(refusal);
  expect(typedData.message).toMatchObject({ payouts: 3, totalOnBase: "120.00 USDC" });
  expect(typedData.message.recipients).toHaveLength(3);
  expect(await service.world.balanceOf(toAddress)).toBe(0n);
  const signature = await pair.owner.account.signTypedData(typedData);
  // The signature of three is not one of two, nor of another payout beside them.
  const other = await requestedPayout(pair.agent, { toAddress: freshAddress() });
  for (const others of [
    [...ids.slice(1), other.id],
    [...ids, other.id],
  ]) {
    expect(outcome(await together(pair.owner, others, { signature }))).toEqual([403, "signature_required"]);
  }
  expect(resultsOf(await together(pair.owner, ids, { signature }))).toEqual(Array(3).fill("authorized"));
  for (const id of ids) expect((await endedOwned(pair.owner, id)).status).toBe("succeeded");
  expect(await service.world.balanceOf(toAddress)).toBe(120_000_000n);
  const [row] = await service.opened.sql`select denied_at, approved_at from payouts where id = ${other.id}`;
  expect(row).toEqual({ denied_at: null, approved_at: null });
});

test("payouts approved with one call need a signature for a new address, whatever the amount", async () => {
  const wanted = [await requestedPayout(pair.agent), await requestedPayout(pair.agent)];
  const ids = wanted.map(({ id }) => id);
  expect(outcome(await together(pair.owner, ids))).toEqual([403, "signature_required"]);
  const [first] = wanted;
  if (first) await cancel(pair.agent, first.payoutId);
  const response = await confirmedCall(pair.owner, PATH, { payoutRecordIds: ids });
  expect(resultsOf(response)).toEqual(["payout_cancelled", "authorized"]);
  expect((await endedOwned(pair.owner, ids[1] ?? "")).status).toBe("succeeded");
});

test("a wallet that holds too little pays the payouts that it can, and reports the others", async () => {
  const poor = await linkedPair();
  await funded(service.world, poor.owner, 15_000n);
  const ids = [(await requestedPayout(poor.agent)).id, (await requestedPayout(poor.agent)).id];
  const response = await confirmedCall(poor.owner, PATH, { payoutRecordIds: ids });
  expect(resultsOf(response)).toEqual(["authorized", "insufficient_balance"]);
  expect((await endedOwned(poor.owner, ids[0] ?? "")).status).toBe("succeeded");
});

test.each([
  [{}],
  [{ payoutRecordIds: [] }],
  [{ payoutRecordIds: ["a", "a"] }],
  [{ payoutRecordIds: Array(21).fill("a") }],
])("approving payouts together with %o is refused", async (json) => {
  const response = await call("POST", PATH, { session: pair.owner.session, json });
  expect(outcome(response)).toEqual([400, "invalid_request"]);
});
