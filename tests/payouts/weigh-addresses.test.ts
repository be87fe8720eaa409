import { expect, test } from "vitest";
import { toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { newOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { freshAddress } from "../support/mandates";
import { body, checkAddresses, createPayout, endedOwned, funded, outcome, payout } from "../support/payouts";
import { shareService } from "../support/service";

const service = shareService();

test("the check of addresses before a payout returns a result for each, in the given order", async () => {
  const owner = await newOwner();
  const wallet = await funded(service.world, owner);
  const [named, paid, stranger] = [freshAddress(), freshAddress(), freshAddress()];
  await confirmedCall(owner, "/api/wallet/addresses", { address: named, name: "Bob" });
  const { payoutRecordId } = body(await createPayout(owner, payout({ toAddress: paid, approve: true }))).payout;
  await endedOwned(owner, payoutRecordId);
  const twin = toAddress(`${named.slice(0, 6)}${"a".repeat(32)}${named.slice(-4)}`);
  const addresses = [
    twin,
    named.toLowerCase(),
    paid,
    stranger,
    owner.address,
    wallet,
    ZERO_ADDRESS,
    NETWORKS.base.usdc,
  ];
  const is = { name: null, isFirst: true, isOwn: false, looksLike: null, refusal: null };
  const checked = body(await checkAddresses(owner, addresses));
  expect(checked).toEqual({
    status: "ok",
    addresses: [
      { ...is, address: twin, looksLike: { address: named, name: "Bob", kind: "book" } },
      { ...is, address: named, name: "Bob" },
      { ...is, address: paid, isFirst: false },
      { ...is, address: stranger },
      { ...is, address: owner.address, isOwn: true },
      { ...is, address: wallet, refusal: "this is the wallet that would pay it" },
      { ...is, address: ZERO_ADDRESS, refusal: expect.stringContaining("nobody holds the key") },
      { ...is, address: NETWORKS.base.usdc, refusal: expect.stringContaining("token's contract") },
    ],
  });
  const other = body(await checkAddresses(await newOwner(), [named, paid]));
  expect(other.addresses).toEqual([
    { ...is, address: named },
    { ...is, address: paid },
  ]);
});

test("a payout filter that cannot match anything causes no search", async () => {
  const { session } = await newOwner();
  for (const query of ["text=%00", "bizId=%00", `text=${"x".repeat(201)}`]) {
    expect(outcome(await call("GET", `/api/wallet/payouts?${query}`, { session }))).toEqual([400, "invalid_request"]);
  }
});

test("an invalid list of addresses to check is rejected", async () => {
  const owner = await newOwner();
  for (const wrong of [undefined, [], "0x", ["0x12"], [null], Array(101).fill(freshAddress())]) {
    expect(outcome(await checkAddresses(owner, wrong))).toEqual([400, "invalid_request"]);
  }
  expect((await call("POST", "/api/wallet/addresses/weigh", { json: { addresses: [freshAddress()] } })).status).toBe(
    401,
  );
});
