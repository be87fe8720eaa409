import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import fc from "fast-check";
import { type Hex, serializeErc6492Signature, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { type Authorization, tokenDomain } from "./authorization";
import { canonicalSignature, parseSignature, recoverPayer, signAuthorization, typedSignature } from "./signature";

const KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const PAYER = toAddress(privateKeyToAccount(KEY).address);
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const authorization: Authorization = {
  from: PAYER,
  to: toAddress("0x209693Bc6afc0C5328bA36FaF03C514EF312287C"),
  value: toUsdc(10_000n),
  validAfter: 1_740_672_089n,
  validBefore: 1_740_672_154n,
  nonce: `0x${"f3".repeat(32)}`,
};

const signed = signAuthorization("base", authorization, KEY);
const [r, s, v] = [signed.slice(2, 66), signed.slice(66, 130), Number.parseInt(signed.slice(130), 16)];
const word = (value: bigint) => value.toString(16).padStart(64, "0");
const createSignature = (parts: { r?: string; s?: string; v?: number }): Hex =>
  `0x${parts.r ?? r}${parts.s ?? s}${(parts.v ?? v).toString(16).padStart(2, "0")}`;

const payerOf = (signature: Hex) => recoverPayer("base", authorization, signature);

describe("a signature by the service", () => {
  test("is byte for byte what viem signs, and its key can be recovered", async () => {
    for (let round = 0; round < 20; round++) {
      const account = privateKeyToAccount(generatePrivateKey());
      const own = { ...authorization, from: toAddress(account.address), value: toUsdc(BigInt(round + 1)) };
      const theirs = await account.signTypedData({
        domain: tokenDomain("base"),
        types: TRANSFER_TYPES,
        primaryType: "TransferWithAuthorization",
        message: own,
      });
      expect(recoverPayer("base", own, theirs)).toBe(account.address);
    }
    const key = generatePrivateKey();
    const own = signAuthorization("base", authorization, key);
    expect(recoverPayer("base", authorization, own)).toBe(privateKeyToAccount(key).address);
  });

  test("always has a low s and v 27 or 28, as the token requires", () => {
    const values = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(toUsdc);
    fc.assert(
      fc.property(values, (value) => {
        const signature = signAuthorization("base", { ...authorization, value }, KEY);
        expect(canonicalSignature(signature)).toBe(signature);
        expect(recoverPayer("base", { ...authorization, value }, signature)).toBe(PAYER);
      }),
      { numRuns: 50 },
    );
  });

  test("proves nothing about any other authorization", () => {
    const others: Authorization[] = [
      { ...authorization, to: PAYER },
      { ...authorization, value: toUsdc(10_001n) },
      { ...authorization, validAfter: authorization.validAfter + 1n },
      { ...authorization, validBefore: authorization.validBefore + 1n },
      { ...authorization, nonce: `0x${"f4".repeat(32)}` },
    ];
    for (const otherAuthorization of others) expect(recoverPayer("base", otherAuthorization, signed)).not.toBe(PAYER);
    expect(recoverPayer("base-sepolia", authorization, signed)).not.toBe(PAYER);
  });
});

describe("a signature written by a stranger", () => {
  test("may have v as 27, 28 or yParity 0, 1, and is passed to the token with 27 or 28", () => {
    expect(payerOf(signed)).toBe(PAYER);
    expect(payerOf(createSignature({ v: v - 27 }))).toBe(PAYER);
    expect(canonicalSignature(createSignature({ v: v - 27 }))).toBe(signed);
    expect(payerOf(`0x${signed.slice(2).toUpperCase()}`)).toBe(PAYER);
  });

  test("with the other v is another account's", () => {
    expect(payerOf(createSignature({ v: v === 27 ? 28 : 27 }))).not.toBe(PAYER);
  });

  test.each<[string, Hex]>([
    ["a high s (EIP-2)", createSignature({ s: word(CURVE_ORDER - BigInt(`0x${s}`)), v: v === 27 ? 28 : 27 })],
    ["a high s with yParity", createSignature({ s: word(CURVE_ORDER - BigInt(`0x${s}`)), v: v === 27 ? 1 : 0 })],
    ["64 bytes (EIP-2098)", `0x${r}${s}`],
    ["v 2", createSignature({ v: 2 })],
    ["v 26", createSignature({ v: 26 })],
    ["v 29", createSignature({ v: 29 })],
    ["v 255", createSignature({ v: 255 })],
    ["an EIP-155 v", createSignature({ v: 37 })],
    ["r zero", createSignature({ r: word(0n) })],
    ["s zero", createSignature({ s: word(0n) })],
    ["r the curve's order", createSignature({ r: word(CURVE_ORDER) })],
    ["r above the curve's order", createSignature({ r: "f".repeat(64) })],
    ["s above half the curve's order", createSignature({ s: word(CURVE_ORDER / 2n + 1n) })],
    ["a trailing byte", `${signed}00`],
    ["a missing byte", `0x${signed.slice(2, -2)}`],
    ["half a byte missing", `0x${signed.slice(2, -1)}`],
    ["nothing", "0x"],
    ["no hex", `0x${"zz".repeat(65)}`],
    ["an EIP-6492 wrapper", `${signed}${"6492".repeat(16)}`],
  ])("with %s belongs to no account", (_, signature) => {
    expect(payerOf(signature)).toBeNull();
  });

  test("never makes recovery throw, whatever its bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 130 }), (bytes) => {
        const payer = payerOf(`0x${Buffer.from(bytes).toString("hex")}`);
        expect(payer === null || payer !== PAYER).toBe(true);
      }),
    );
  });
});

describe("a signature is parsed", () => {
  const tail = v.toString(16);
  test.each<[string, Hex, "ecdsa" | "erc1271" | "erc6492"]>([
    ["as its payer signed it", signed, "ecdsa"],
    ["with yParity", createSignature({ v: v - 27 }), "ecdsa"],
    ["r one", createSignature({ r: word(1n) }), "ecdsa"],
    ["r one below the order", createSignature({ r: word(CURVE_ORDER - 1n) }), "ecdsa"],
    ["s half the order", createSignature({ s: word(CURVE_ORDER / 2n) }), "ecdsa"],
    ["r zero", createSignature({ r: word(0n) }), "erc1271"],
    ["r the order", createSignature({ r: word(CURVE_ORDER) }), "erc1271"],
    ["s zero", createSignature({ s: word(0n) }), "erc1271"],
    ["s above half the order", createSignature({ s: word(CURVE_ORDER / 2n + 1n) }), "erc1271"],
    ["v 2", createSignature({ v: 2 }), "erc1271"],
    ["v 29", createSignature({ v: 29 }), "erc1271"],
    ["all zeros", `0x${"00".repeat(65)}`, "erc1271"],
    ["64 bytes", `0x${r}${s}`, "erc1271"],
    ["66 bytes", `${signed}${tail}`, "erc1271"],
    ["nothing", "0x", "erc1271"],
    ["4096 bytes", `0x${"ab".repeat(4096)}`, "erc1271"],
    ["a wrapper (ERC-6492)", `${signed}${"6492".repeat(16)}`, "erc6492"],
    ["a bare suffix (ERC-6492)", `0x${"6492".repeat(16)}`, "erc6492"],
  ])("%s", (_, signature, kind) => {
    expect(parseSignature(signature).kind).toBe(kind);
  });

  test("into parts that give the canonical bytes again", () => {
    expect(parseSignature(createSignature({ v: v - 27 }))).toEqual({ kind: "ecdsa", r: `0x${r}`, s: `0x${s}`, v });
  });

  test("without ever throwing, and everything but an account's 65 bytes is a contract's", () => {
    const blobs = fc.oneof(fc.uint8Array({ maxLength: 130 }), fc.uint8Array({ minLength: 65, maxLength: 65 }));
    fc.assert(
      fc.property(blobs, (blob) => {
        const hex: Hex = `0x${Buffer.from(blob).toString("hex")}`;
        const parsed = parseSignature(hex);
        if (parsed.kind === "erc1271") expect(parsed.bytes).toBe(hex);
        if (parsed.kind === "ecdsa") expect(canonicalSignature(hex)).not.toBeNull();
        expect(parsed.kind === "ecdsa").toBe(canonicalSignature(hex) !== null);
      }),
    );
  });

  test("and stored without its wrapper (ERC-6492), whose deployment an account with a key does not need", () => {
    const address = toAddress(`0x${"5".repeat(40)}`);
    const wrap = (signature: Hex, data: Hex = "0x1234") => serializeErc6492Signature({ address, data, signature });
    const typed = (signature: Hex) => typedSignature("base", authorization, signature);
    const deployment = { factory: address, factoryCalldata: "0x1234" };
    expect(typed(wrap("0xabcd"))).toEqual({ signatureKind: "erc1271", signature: "0xabcd", deployment });
    expect(typed(wrap(signed))).toEqual({ signatureKind: "ecdsa", signature: signed, deployment: null });
    const unreadable: Hex = `0x1234${"6492".repeat(16)}`;
    expect(typed(unreadable)).toEqual({ signatureKind: "erc1271", signature: unreadable, deployment: null });
    // What x402's reference takes for a wrapper without a deployment.
    const bare = serializeErc6492Signature({ address: zeroAddress, data: "0x", signature: "0xabcd" });
    expect(typed(bare)).toEqual({ signatureKind: "erc1271", signature: "0xabcd", deployment: null });
  });

  test("and stored as the key's only if the key is the payer's", () => {
    const typed = (signature: Hex, a = authorization) => typedSignature("base", a, signature);
    expect(typed(createSignature({ v: v - 27 }))).toEqual({
      signatureKind: "ecdsa",
      signature: signed,
      deployment: null,
    });
    const other = createSignature({ r: word(1n), v: v - 27 });
    // A contract may interpret these bytes in its own way, so they stay unchanged.
    expect(typed(other)).toEqual({ signatureKind: "erc1271", signature: other, deployment: null });
    const zero = createSignature({ r: word(0n) });
    expect(typed(zero)).toEqual({ signatureKind: "erc1271", signature: zero, deployment: null });
  });
});
