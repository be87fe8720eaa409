import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { Ctx } from "@/lib/platform/context";
import type { Settlement } from "@/lib/settlements/service";

const identity = vi.hoisted(() => ({ signX402Receipt: vi.fn() }));
vi.mock("@/lib/identity/service", () => identity);

// Files share their modules: an earlier one may have loaded the real signer, and a later one needs it.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { receiptExtension } = await import("./receipt");

const error = vi.fn();
const ctx = { log: { error } } as unknown as Ctx;
const settlement = {
  id: "stl_1",
  network: "base",
  payer: toAddress("0x209693Bc6afc0C5328bA36FaF03C514EF312287C"),
  resource: "https://wallet.example/pay/lnk_1",
  description: "private",
  endedAt: new Date("2026-11-23T08:00:00.900Z"),
} as unknown as Settlement;

beforeEach(() => vi.resetAllMocks());

test("a receipt contains the payer, the resource, the network and the time, and nothing else", async () => {
  identity.signX402Receipt.mockResolvedValue("jws");
  const { extensions } = await receiptExtension(ctx, settlement);
  expect(extensions).toMatchObject({ "offer-receipt": { info: { receipt: { format: "jws", signature: "jws" } } } });
  expect(identity.signX402Receipt).toHaveBeenCalledWith(ctx, {
    issuedAt: Date.parse("2026-11-23T08:00:00Z") / 1000,
    network: "eip155:8453",
    payer: settlement.payer,
    resourceUrl: settlement.resource,
    version: 1,
  });
});

test("a receipt that cannot be signed is left out and logged, so that the payment is still reported", async () => {
  const failed = new Error("no key");
  identity.signX402Receipt.mockRejectedValue(failed);
  expect(await receiptExtension(ctx, settlement)).toEqual({});
  expect(error).toHaveBeenCalledWith({ settlementId: "stl_1", err: failed }, "receipt.signing_failed");
});

test("a payment without a final outcome has no receipt", async () => {
  expect(await receiptExtension(ctx, { ...settlement, endedAt: null })).toEqual({});
  expect(identity.signX402Receipt).not.toHaveBeenCalled();
});
