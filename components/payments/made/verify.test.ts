import { generateKeyPairSync, sign as signBytes } from "node:crypto";
import { encodeAbiParameters, encodeEventTopics, hashTypedData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/usdc";
import { authorizationTypedData } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import type { Evidence } from "./evidence";
import { type Keys, type Reader, verify } from "./verify";

const owner = privateKeyToAccount(generatePrivateKey());
const wallet = privateKeyToAccount(generatePrivateKey());
const to = toAddress(`0x${"77".repeat(20)}`);
const nonce = `0x${"ab".repeat(32)}` as const;
const txHash = `0x${"cd".repeat(32)}` as const;
const { usdc, chainId, label } = NETWORKS.base;
const from = toAddress(wallet.address);

const mandateData = {
  domain: { name: "Agent Spending Mandate", version: "1", chainId },
  types: {
    SpendingMandate: [
      { name: "owner", type: "address" },
      { name: "asset", type: "address" },
      { name: "limitAmount", type: "uint256" },
      { name: "maxAmountPerPayment", type: "uint256" },
      { name: "validFrom", type: "uint64" },
      { name: "validUntil", type: "uint64" },
      { name: "hostAllowlist", type: "string[]" },
    ],
  },
  primaryType: "SpendingMandate",
  message: {
    owner: owner.address,
    asset: usdc,
    limitAmount: "1000",
    maxAmountPerPayment: "500",
    validFrom: "1000",
    validUntil: "2000",
    hostAllowlist: ["api.example.com"],
  },
} as const;
const authorization = { from, to, value: toUsdc(400n), validAfter: 900n, validBefore: 1_600n, nonce };
const paymentData = authorizationTypedData("base", authorization);

const EVENTS = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
]);
const logOf = (topics: unknown, data: string, address: string = usdc) => ({
  address,
  topics,
  data,
  blockHash: txHash,
  blockNumber: "0x1",
  transactionHash: txHash,
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false,
});
const used = logOf(
  encodeEventTopics({ abi: EVENTS, eventName: "AuthorizationUsed", args: { authorizer: from, nonce } }),
  "0x",
);
const transferTo = (payee: `0x${string}`, value = 400n) =>
  logOf(
    encodeEventTopics({ abi: EVENTS, eventName: "Transfer", args: { from, to: payee } }),
    encodeAbiParameters([{ type: "uint256" }], [value]),
  );

const readerOf = (receipt: unknown, chain: number = chainId): Reader => ({
  request: async ({ method }) => {
    if (method === "eth_chainId") return `0x${chain.toString(16)}`;
    if (method === "eth_getTransactionReceipt") return receipt;
    if (method === "eth_getCode") return "0x";
    throw new Error(method);
  },
});
const settled = { status: "0x1", logs: [used, transferTo(to)] };

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys: Keys = async () => [{ ...publicKey.export({ format: "jwk" }), kid: "k1" } as JsonWebKey & { kid: string }];
function receiptOf(claims: object): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const signed = `${part({ alg: "RS256", kid: "k1" })}.${part(claims)}`;
  return `${signed}.${signBytes("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

async function evidence(change: Partial<Evidence> = {}): Promise<Evidence> {
  return {
    chainId,
    label,
    usdc,
    host: "api.example.com",
    defaultPort: "443",
    txHash,
    payment: { from, to, value: "400", nonce, signedAt: 1_500 },
    mandate: {
      owner: owner.address,
      hash: hashTypedData(mandateData as never),
      signature: await owner.signTypedData(mandateData as never),
      typedData: mandateData,
      funding: null,
    },
    authorization: {
      payer: from,
      typedData: paymentData,
      signature: await wallet.signTypedData(paymentData as never),
    },
    receipt: receiptOf({ txHash, payee: to, amount: "400" }),
    ...change,
  };
}

const resultsOf = async (change: Partial<Evidence> = {}, reader: Reader = readerOf(settled)) =>
  (await verify(await evidence(change), reader, keys)).map(({ result }) => result);

describe("the evidence of a payment", () => {
  test("is verified completely", async () => {
    expect(await resultsOf()).toEqual(["good", "good", "good", "good", "good"]);
  });

  test("is verified without a wallet, except for the chain", async () => {
    expect(await resultsOf({}, null)).toEqual(["good", "good", "good", "unknown", "good"]);
    expect(await resultsOf({}, readerOf(settled, 1))).toEqual(["good", "good", "good", "unknown", "good"]);
  });

  test.each<[string, unknown, string]>([
    ["another payee", { status: "0x1", logs: [used, transferTo(from)] }, "bad"],
    ["another amount", { status: "0x1", logs: [used, transferTo(to, 399n)] }, "bad"],
    ["another authorization", { status: "0x1", logs: [transferTo(to)] }, "bad"],
    ["another token", { status: "0x1", logs: [used, { ...transferTo(to), address: to }] }, "bad"],
    ["a failure", { status: "0x0", logs: [] }, "bad"],
    ["no such transaction", null, "unknown"],
  ])("is not verified with a transaction of %s", async (_name, receipt, expected) => {
    expect((await resultsOf({}, readerOf(receipt)))[3]).toBe(expected);
  });

  test("is not verified with another mandate than the signed one", async () => {
    const { mandate } = await evidence();
    if (!mandate) throw new Error("no mandate");
    const wider = { ...mandateData, message: { ...mandateData.message, limitAmount: "9000" } };
    expect((await resultsOf({ mandate: { ...mandate, typedData: wider } }))[0]).toBe("bad");
    expect((await resultsOf({ mandate: { ...mandate, owner: from } }))[0]).toBe("bad");
    expect((await resultsOf({ mandate: { ...mandate, owner: from } }, null))[0]).toBe("unknown");
  });

  test.each<[string, Partial<Evidence>]>([
    ["another host", { host: "evil.example" }],
    ["a larger amount", { payment: { from, to, value: "501", nonce, signedAt: 1_500 } }],
    ["a later time", { payment: { from, to, value: "400", nonce, signedAt: 2_000 } }],
  ])("is outside the mandate for a payment to %s", async (_name, change) => {
    expect((await resultsOf(change))[1]).toBe("bad");
  });

  test("lists what is missing", async () => {
    const elsewhere = { payer: from, typedData: paymentData, signature: null };
    expect(await resultsOf({ authorization: elsewhere, receipt: null, txHash: null })).toEqual([
      ...["good", "good", "unknown", "unknown"],
    ]);
    expect((await resultsOf({ receipt: receiptOf({ txHash, payee: from, amount: "400" }) }))[4]).toBe("bad");
    expect((await resultsOf({ receipt: "no.such.receipt" }))[4]).toBe("unknown");
  });
});
