import fc from "fast-check";
import { PaymentRequest, Receipt, Challenge as Stock } from "mppx";
import { assets, charge } from "mppx/evm/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { encodeBase64Url } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import {
  boundText,
  challengeHeader,
  challengeOf,
  credentialIn,
  decodeCredential,
  isAnswer,
  nonceFor,
  paymentReceipt,
} from "@/lib/x402/payment-auth";

const payer = privateKeyToAccount(generatePrivateKey());
const requirement = {
  network: "base-sepolia" as const,
  amount: toUsdc(1_250_000n),
  payTo: toAddress("0x00000000000000000000000000000000000000A1"),
  resource: "https://wallet.example/pay/pl_1",
  description: "A “report”",
};
const EXPIRES = new Date(Math.floor(Date.now() / 1000) * 1000 + 300_000);
const unnamed = challengeOf(requirement, { realm: "wallet.example", expires: EXPIRES, random: "r" });
const challenge = { id: "an_id-1", ...unnamed };

/** What the stock client sends. */
async function credential(): Promise<{ challenge: Record<string, unknown>; payload: Record<string, unknown> }> {
  const method = charge({ account: payer, currencies: [assets.baseSepolia.USDC] });
  const header = await method.createCredential({
    challenge: Stock.deserialize(challengeHeader(challenge)) as never,
    context: {},
  });
  return JSON.parse(Buffer.from(credentialIn(header) ?? "", "base64url").toString());
}

test("the stock MPP client decodes the challenge, and encodes it back to the same bytes", () => {
  const read = Stock.deserialize(challengeHeader(challenge));
  expect(read).toMatchObject({ id: "an_id-1", realm: "wallet.example", method: "evm", intent: "charge" });
  expect(PaymentRequest.serialize(read.request)).toBe(challenge.request);
  expect(Stock.serialize(read)).toContain(`opaque="${challenge.opaque}"`);
  expect(read.request).toEqual({
    amount: "1250000",
    currency: NETWORKS["base-sepolia"].usdc,
    recipient: requirement.payTo,
    methodDetails: { chainId: 84532, credentialTypes: ["authorization"], decimals: 6 },
  });
});

test("the stock MPP client's credential can be decoded, and matches its challenge", async () => {
  const read = decodeCredential(encodeBase64Url(await credential()));
  expect(read?.challenge).toEqual(challenge);
  expect(read?.proof).toMatchObject({
    scheme: "exact",
    network: "eip155:84532",
    asset: NETWORKS["base-sepolia"].usdc,
    authorization: { from: toAddress(payer.address), to: requirement.payTo, value: 1_250_000n },
  });
  const { authorization } = read?.proof ?? {};
  if (!authorization) throw new Error("no authorization");
  expect(authorization.nonce).toBe(nonceFor(challenge));
  expect(isAnswer(challenge, authorization)).toBe(true);
  expect(isAnswer(challenge, { ...authorization, validBefore: authorization.validBefore + 1n })).toBe(false);
  expect(isAnswer({ ...challenge, id: "another" }, authorization)).toBe(false);
  expect(isAnswer({ ...challenge, realm: "other.example" }, authorization)).toBe(false);
});

describe("decodeCredential() returns null for a credential", () => {
  test.each<[string, (sent: Awaited<ReturnType<typeof credential>>) => unknown]>([
    ["without a challenge", ({ payload }) => ({ payload })],
    ["without a payload", ({ challenge: c }) => ({ challenge: c })],
    ["of type permit2", (c) => ({ ...c, payload: { ...c.payload, type: "permit2" } })],
    ["of type hash", (c) => ({ ...c, payload: { type: "hash", hash: `0x${"00".repeat(32)}` } })],
    ["with a negative value", (c) => ({ ...c, payload: { ...c.payload, value: "-1" } })],
    ["with a short nonce", (c) => ({ ...c, payload: { ...c.payload, nonce: "0x01" } })],
    ["with a request that is not base64url", (c) => ({ ...c, challenge: { ...c.challenge, request: "a b" } })],
    ["with a request without a chain", (c) => ({ ...c, challenge: { ...c.challenge, request: encodeBase64Url({}) } })],
    ["with an id that is a number", (c) => ({ ...c, challenge: { ...c.challenge, id: 1 } })],
    ["that is a list", (c) => [c]],
  ])("%s", async (_, change) => {
    expect(decodeCredential(encodeBase64Url(change(await credential())))).toBeNull();
  });

  test("that is not in the format at all, and does not throw", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json().map(encodeBase64Url)), (text) => {
        expect(decodeCredential(text)).toBeNull();
      }),
    );
  });
});

test.each([
  ["Payment abc", "abc"],
  ["payment  abc", "abc"],
  ["Payment a b", "a b"],
  ["Bearer abc", null],
  ["Payments abc", null],
  ["Payment", null],
  ["", null],
  [null, null],
])("the credential in the header Authorization: %j is %j", (header, text) => {
  expect(credentialIn(header)).toBe(text);
});

test("changing or swapping a parameter of the challenge changes the text that its id is bound to", () => {
  const swapped = [
    boundText(unnamed, requirement.resource),
    boundText({ ...unnamed, digest: unnamed.opaque, opaque: undefined }, requirement.resource),
    boundText({ ...unnamed, expires: `${unnamed.expires}"` }, requirement.resource),
    boundText(unnamed, `${requirement.resource}2`),
    boundText({ ...unnamed, realm: `${unnamed.realm}|evm` }, requirement.resource),
  ];
  expect(new Set(swapped).size).toBe(swapped.length);
});

test("the stock MPP client decodes the receipt", () => {
  const txHash = `0x${"ab".repeat(32)}`;
  const header = paymentReceipt({ challengeId: "an_id-1", network: "base", txHash, settledAt: new Date(0) });
  expect(Receipt.deserialize(header)).toEqual({
    chainId: 8453,
    challengeId: "an_id-1",
    method: "evm",
    reference: txHash,
    status: "success",
    timestamp: "1970-01-01T00:00:00.000Z",
  });
});
