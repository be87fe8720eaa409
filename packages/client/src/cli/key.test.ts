import { recoverTypedDataAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { NETWORKS } from "../../../x402/src/networks.ts";
import { transferTypedData } from "../../../x402/src/transfer.ts";
import type { TransferTypedData } from "../agent-key.ts";
import { accountOf, newPrivateKey } from "./key.ts";

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const typedData = (value: bigint): TransferTypedData =>
  transferTypedData(NETWORKS.base, {
    from: `0x${"aa".repeat(20)}`,
    to: `0x${"0b".repeat(20)}`,
    value,
    validAfter: 0n,
    validBefore: 1_900_000_000n,
    nonce: `0x${"0c".repeat(32)}`,
  });

test("a new agent key has the address and signatures that viem computes", async () => {
  for (let n = 0; n < 20; n++) {
    const privateKey = newPrivateKey();
    const account = accountOf(privateKey);
    expect(account.address).toBe(toAddress(privateKeyToAccount(privateKey).address));
    const data = typedData(BigInt(n) * 10n ** 18n);
    const signature = await account.signTypedData(data);
    expect(await recoverTypedDataAddress({ ...data, signature })).toBe(account.address);
    const s = BigInt(`0x${signature.slice(66, 130)}`);
    expect([signature.length, s <= N / 2n]).toEqual([132, true]);
  }
});

test("an agent key may begin with zeros", () => {
  const privateKey = `0x${"00".repeat(31)}07` as const;
  expect(accountOf(privateKey).address).toBe(privateKeyToAccount(privateKey).address);
});

test.each(["", "0x12", `0x${"zz".repeat(32)}`, `0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`])(
  "%s is not accepted as an agent key",
  (text) => {
    expect(() => accountOf(text)).toThrow();
  },
);
