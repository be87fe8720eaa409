import fc from "fast-check";
import { type Hex, size } from "viem";
import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { MULTICALL3, NETWORKS } from "@/lib/x402/networks";
import { sendingOf } from "../deployment";
import { CALLDATA_BYTES_MAX, TRANSACTION_GAS_MAX } from "../rules";
import { batchCall, fitting, type Item, itemsOf } from "./calls";
import type { RelayerJob } from "./job";
import { settlerGas } from "./settler";

const someone = toAddress(`0x${"5".repeat(40)}`);

function item(kind: Item["kind"], bytes: number): Item {
  const signature: Hex = `0x${"ab".repeat(bytes)}`;
  const nonce: Hex = `0x${"1".repeat(64)}`;
  const authorization = { from: someone, to: someone, value: toUsdc(1n), validAfter: 0n, validBefore: 9n, nonce };
  const call = { to: NETWORKS.base.usdc, data: "0x" as const };
  const settlement = {} as Item["settlement"];
  return { settlement, authorization, signature, ...sendingOf(kind, call, null) };
}

test("the payments that share a transaction fit its limits of gas and bytes, whatever their signatures", () => {
  const items = fc.array(fc.record({ kind: fc.constantFrom("account", "vault"), bytes: fc.nat(4_096) }), {
    minLength: 1,
    maxLength: 100,
  });
  fc.assert(
    fc.property(items, (given) => {
      const all = given.map(({ kind, bytes }) => item(kind as Item["kind"], bytes));
      const together = fitting(all);
      const call = batchCall(together);
      expect(together.length).toBeGreaterThan(0);
      expect(size(call.data)).toBeLessThanOrEqual(CALLDATA_BYTES_MAX);
      expect(settlerGas(call, together)).toBeLessThanOrEqual(TRANSACTION_GAS_MAX);
    }),
    { numRuns: 20 },
  );
  // A hundred ordinary accounts still do.
  expect(fitting(Array.from({ length: 100 }, () => item("account", 65)))).toHaveLength(100);
});

const LISTED = toAddress(`0x${"6".repeat(40)}`);
const OTHER = toAddress(`0x${"7".repeat(40)}`);

test.each([
  ["listed", LISTED, "0x", "undeployed", MULTICALL3],
  ["not listed", OTHER, "0x", "account", NETWORKS.base.usdc],
  ["listed, with too much calldata", LISTED, `0x${"00".repeat(2_049)}`, "account", NETWORKS.base.usdc],
] as const)("the factory of a payer without code is called only if it is %s", async (_, factory, data, kind, to) => {
  const { authorization, signature } = item("code", 65);
  const { from: payer, to: payee, value: amount, ...rest } = authorization;
  const settlement = { ...rest, network: "base", payer, payee, amount, signature, factory, factoryCalldata: data };
  const job = { chain: { codes: async () => ["0x"] }, system: { config: { walletFactories: [LISTED] } } };
  const [built] = await itemsOf(job as unknown as RelayerJob, [settlement as Item["settlement"]]);
  expect([built?.kind, built?.call.to]).toEqual([kind, to]);
});
