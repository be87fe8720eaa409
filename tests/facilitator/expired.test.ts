import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newOwner } from "../support/actors";
import { newKey, requestV1, settle, verify } from "../support/facilitator";
import { shareService } from "../support/service";
import { claimFrom, freshAddress } from "../support/system";
import { submitDirectly } from "../support/token";

const service = shareService();
const AMOUNT = 10_000n;
const WINDOW_SECONDS = 12;

// In a separate file, because other tests move the chain's clock, and such a proof would expire at once.
test("when a proof is used on the chain after a seller's key verified it, it counts as that seller's payment even if it has expired since", async () => {
  const key = await newKey((await newOwner()).session);
  const payTo = freshAddress();
  const proof = claimFrom(service.payer(), payTo, AMOUNT, { windowSeconds: WINDOW_SECONDS });
  expect((await verify(key, requestV1(proof))).body).toMatchObject({ isValid: true });
  await submitDirectly(service.world, proof);
  await sleep((WINDOW_SECONDS + 1) * 1_000);
  expect((await settle(key, requestV1(proof))).body).toMatchObject({ success: true });
  expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  // Another key has not shown it to a node, and an unused one ends unpaid.
  const otherSellerKey = await newKey((await newOwner()).session);
  expect((await settle(otherSellerKey, requestV1(proof))).body).toMatchObject({
    success: false,
    errorReason: "duplicate_settlement",
  });
  const unused = claimFrom(service.payer(), payTo, AMOUNT, { windowSeconds: 1 });
  await sleep(3_000);
  expect((await settle(key, requestV1(unused))).body).toMatchObject({ success: false, transaction: "" });
  expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
});
