import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { fromUnixSeconds } from "@/lib/core/time";
import { toWireAuthorization } from "./authorization";
import { encodeHeader } from "./header";
import { NETWORKS } from "./networks";
import { decodeProof, mismatch, settleResponse, type X402Proof } from "./proof";
import type { Requirement } from "./requirement";

const NOW = 1_800_000_000;
const PAYER = toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const PAYEE = toAddress("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
const SIGNATURE = `0x${"ab".repeat(65)}` as const;

const authorization = {
  from: PAYER,
  to: PAYEE,
  value: toUsdc(1_000_000n),
  validAfter: BigInt(NOW - 600),
  validBefore: BigInt(NOW + 60),
  nonce: `0x${"01".repeat(32)}` as const,
};
const wire = toWireAuthorization(authorization);
const payload = { signature: SIGNATURE, authorization: wire };
const v1 = { x402Version: 1, scheme: "exact", network: "base", payload };
const accepted = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "1000000",
  asset: NETWORKS.base.usdc,
  payTo: PAYEE,
};
const v2 = { x402Version: 2, accepted, payload };

const proof: X402Proof = {
  version: 1,
  scheme: "exact",
  network: "base",
  asset: undefined,
  authorization,
  signature: SIGNATURE,
};
const requirement: Requirement = {
  network: "base",
  amount: toUsdc(1_000_000n),
  payTo: PAYEE,
  resource: "https://wallet.example/x",
  description: "",
};

describe("a payment header", () => {
  test("of x402 v1 is read whole", () => {
    expect(decodeProof(encodeHeader(v1))).toEqual(proof);
  });

  test("of x402 v2 is read whole", () => {
    expect(decodeProof(encodeHeader(v2))).toEqual({
      ...proof,
      version: 2,
      network: "eip155:8453",
      asset: accepted.asset,
    });
  });

  test("may carry members we do not know, as real clients add them", () => {
    const extra = {
      ...v1,
      extensions: { a: 1 },
      payload: { ...payload, note: "x", authorization: { ...wire, salt: 1 } },
    };
    expect(decodeProof(encodeHeader(extra))).toEqual(proof);
    expect(decodeProof(encodeHeader({ ...v2, resource: { url: "https://x/" }, extensions: {} }))?.version).toBe(2);
  });

  test("is read in any letter case of its addresses and nonce", () => {
    const lower = {
      ...wire,
      from: PAYER.toLowerCase(),
      to: `0x${PAYEE.slice(2).toUpperCase()}`,
      nonce: `0x${"01".repeat(32)}`,
    };
    expect(decodeProof(encodeHeader({ ...v1, payload: { ...payload, authorization: lower } }))).toEqual(proof);
  });

  const bent = (change: object) => ({ ...v1, payload: { ...payload, authorization: { ...wire, ...change } } });
  const numbers = [
    "",
    "-1",
    "+1",
    "01",
    "1e6",
    "1.0",
    " 1",
    "１",
    "0x1",
    "abc",
    (2n ** 256n).toString(),
    "9".repeat(10_000),
    1,
    null,
    {},
    ["1"],
  ];
  const table: [string, unknown][] = [
    ["no object", "exact"],
    ["null", null],
    ["an array", [v1]],
    ["an empty object", {}],
    ["version 0", { ...v1, x402Version: 0 }],
    ["version 3", { ...v1, x402Version: 3 }],
    ["the version as text", { ...v1, x402Version: "1" }],
    ["v2 with the members of v1", { ...v1, x402Version: 2 }],
    ["v1 with the members of v2", { ...v2, x402Version: 1 }],
    ["no scheme", { ...v1, scheme: undefined }],
    ["no network", { ...v1, network: undefined }],
    ["no payload", { ...v1, payload: undefined }],
    ["an empty payload", { ...v1, payload: {} }],
    ["no signature", { ...v1, payload: { authorization: wire } }],
    ["no authorization", { ...v1, payload: { signature: SIGNATURE } }],
    ["a signature without 0x", { ...v1, payload: { ...payload, signature: "ab".repeat(65) } }],
    ["an empty signature", { ...v1, payload: { ...payload, signature: "0x" } }],
    ["half a byte of signature", { ...v1, payload: { ...payload, signature: "0xabc" } }],
    ["a signature over 4 KB", { ...v1, payload: { ...payload, signature: `0x${"ab".repeat(4_097)}` } }],
    ["a permit2 payload", { ...v1, payload: { signature: SIGNATURE, permit2Authorization: wire } }],
    ["value zero", bent({ value: "0" })],
    ...(["from", "to"] as const).flatMap((field) =>
      ["", "0x", PAYER.slice(2), `${PAYER}00`, "vitalik.eth", null, 1].map((value): [string, unknown] => [
        `${field} ${JSON.stringify(value)}`,
        bent({ [field]: value }),
      ]),
    ),
    ...(["value", "validAfter", "validBefore"] as const).flatMap((field) =>
      numbers.map((value): [string, unknown] => [
        `${field} ${JSON.stringify(value).slice(0, 20)}`,
        bent({ [field]: value }),
      ]),
    ),
    ...["", "0x", "0x01", `0x${"01".repeat(33)}`, `0x${"zz".repeat(32)}`, 1, null].map((value): [string, unknown] => [
      `nonce ${JSON.stringify(value)}`,
      bent({ nonce: value }),
    ]),
    ["an authorization without nonce", bent({ nonce: undefined })],
    ["accepted of another type", { ...v2, accepted: "exact" }],
    ["accepted without network", { ...v2, accepted: { ...accepted, network: undefined } }],
    ["an asset of another type", { ...v2, accepted: { ...accepted, asset: null } }],
  ];

  test.each(table)("with %s is malformed, and reading it never throws", (_, json) => {
    expect(decodeProof(encodeHeader(json))).toBeNull();
  });

  test("is a proof or malformed, whatever JSON it carries", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (text, any) => {
        for (const json of [any, { ...v1, payload: any }, bent({ value: any }), bent({ value: text })]) {
          expect(() => decodeProof(encodeHeader(json))).not.toThrow();
        }
      }),
    );
  });
});

describe("a proof pays a requirement", () => {
  const why = (change: Partial<X402Proof>, seconds = NOW) =>
    mismatch({ ...proof, ...change }, requirement, fromUnixSeconds(seconds));
  const signed = (change: Partial<X402Proof["authorization"]>) => ({ authorization: { ...authorization, ...change } });

  test("when everything it signed equals the requirement, under either name of the network", () => {
    expect(why({})).toBeNull();
    expect(why({ network: "eip155:8453" })).toBeNull();
    expect(why({ asset: NETWORKS.base.usdc.toLowerCase() })).toBeNull();
  });

  test.each<[string, Partial<X402Proof>, string]>([
    ["another supported network", { network: "base-sepolia" }, "PAYMENT_NETWORK_MISMATCH"],
    ["another supported network by its CAIP-2 id", { network: "eip155:84532" }, "PAYMENT_NETWORK_MISMATCH"],
    ["an unknown network", { network: "solana" }, "PAYMENT_NETWORK_MISMATCH"],
    ["no network", { network: "" }, "PAYMENT_NETWORK_MISMATCH"],
    ["another asset", { asset: NETWORKS["base-sepolia"].usdc }, "PAYMENT_ASSET_MISMATCH"],
    ["no asset where one is named", { asset: "" }, "PAYMENT_ASSET_MISMATCH"],
    ["another recipient", signed({ to: PAYER }), "PAYMENT_RECIPIENT_MISMATCH"],
    ["one unit too little", signed({ value: toUsdc(999_999n) }), "PAYMENT_INSUFFICIENT"],
    ["one unit too much", signed({ value: toUsdc(1_000_001n) }), "PAYMENT_INSUFFICIENT"],
    ["the most there is", signed({ value: toUsdc(2n ** 256n - 1n) }), "PAYMENT_INSUFFICIENT"],
    ["an end in the past", signed({ validBefore: BigInt(NOW - 1) }), "PAYMENT_EXPIRED"],
    ["an end right now", signed({ validBefore: BigInt(NOW) }), "PAYMENT_EXPIRED"],
    ["a beginning right now", signed({ validAfter: BigInt(NOW) }), "PAYMENT_NOT_YET_VALID"],
    ["a beginning in the future", signed({ validAfter: BigInt(NOW + 1) }), "PAYMENT_NOT_YET_VALID"],
  ])("but not with %s", (_, change, code) => {
    expect(why(change)).toBe(code);
  });

  test("in exactly the seconds the token would take it: validAfter < now < validBefore", () => {
    fc.assert(
      fc.property(fc.integer({ min: NOW - 700, max: NOW + 200 }), (seconds) => {
        const isInside = authorization.validAfter < BigInt(seconds) && BigInt(seconds) < authorization.validBefore;
        expect(why({}, seconds) === null).toBe(isInside);
      }),
    );
  });
});

test("the settlement header names the network as each version of x402 does", () => {
  const settled = { transaction: "0xabc", network: "base" as const, payer: PAYER };
  expect(settleResponse(1, settled)).toEqual({ success: true, ...settled });
  expect(settleResponse(2, settled)).toEqual({ success: true, ...settled, network: "eip155:8453" });
});
