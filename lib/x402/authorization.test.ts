import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import fc from "fast-check";
import { type Hex, hashTypedData } from "viem";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import {
  type Authorization,
  authorizationDigest,
  authorizationTypedData,
  readAuthorization,
  tokenDomain,
  toWireAuthorization,
} from "./authorization";
import { NETWORK_NAMES } from "./networks";

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((a): Hex => `0x${Buffer.from(a).toString("hex")}`);
const authorizations: fc.Arbitrary<Authorization> = fc.record({
  from: hexOf(20).map(toAddress),
  to: hexOf(20).map(toAddress),
  value: uint256.map(toUsdc),
  validAfter: uint256,
  validBefore: uint256,
  nonce: hexOf(32),
});
const networks = fc.constantFrom(...NETWORK_NAMES);

describe("the digest that a payer signs", () => {
  test("is the one that any EIP-712 library computes, for every authorization on every network", () => {
    fc.assert(
      fc.property(networks, authorizations, (network, authorization) => {
        const expected = hashTypedData({
          domain: tokenDomain(network),
          types: TRANSFER_TYPES,
          primaryType: "TransferWithAuthorization",
          message: authorization,
        });
        expect(authorizationDigest(network, authorization)).toBe(expected);
      }),
    );
  });

  test("differs between networks, so that a proof for one moves nothing on another", () => {
    fc.assert(
      fc.property(authorizations, (authorization) => {
        expect(authorizationDigest("base", authorization)).not.toBe(authorizationDigest("base-sepolia", authorization));
      }),
    );
  });

  test("is the same for the typed data that a browser wallet gets as JSON", () => {
    fc.assert(
      fc.property(networks, authorizations, (network, authorization) => {
        const overJson = JSON.parse(JSON.stringify(authorizationTypedData(network, authorization)));
        expect(hashTypedData(overJson)).toBe(authorizationDigest(network, authorization));
      }),
    );
  });
});

test("an authorization is unchanged after encoding and decoding", () => {
  fc.assert(
    fc.property(authorizations, (authorization) => {
      expect(readAuthorization(toWireAuthorization(authorization))).toEqual(authorization);
    }),
  );
});
