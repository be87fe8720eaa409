import { recoverTypedDataAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { encodeHeader } from "../../x402/src/header.ts";
import { NETWORKS } from "../../x402/src/networks.ts";
import { TRANSFER_TYPES, tokenDomain } from "../../x402/src/transfer.ts";
import { json, jwt } from "../testing/script.ts";
import { withAgentKey } from "./agent-key.ts";
import { Tessera } from "./client.ts";

const ACCOUNT = privateKeyToAccount(generatePrivateKey());
const VAULT = "0x00000000000000000000000000000000000000aa";
const PAYEE = "0x00000000000000000000000000000000000000Bb";
const NOW = 1_800_000_000;

const V3 = "https://wallet.example/api/payment/x402V3Payment";
const V2 = "https://wallet.example/api/v2/payment/x402-payment";
const body = { mandateId: "mand_1", amount: "500000", payTo: PAYEE, resource: "https://shop.example/" };

type Asked = { vault?: string; agentKey?: string; to?: string; value?: string; chainId?: number };

/** A service that requests the agent's signature once, and records the requests. */
function service({
  vault = VAULT,
  agentKey = ACCOUNT.address,
  to = PAYEE,
  value = "500000",
  chainId = 8453,
}: Asked = {}) {
  const sentRequests: { url: string; body: Record<string, unknown>; headers: Headers }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const json = JSON.parse(String(init?.body));
    sentRequests.push({ url: String(input), body: json, headers: new Headers(init?.headers) });
    if (json.agentAuthorization) return Response.json({ status: "ok" });
    const typedData = { domain: { chainId }, message: { to, value } };
    return Response.json({ code: "agent_authorization_required", vault, agentKey, typedData }, { status: 422 });
  };
  return { sent: sentRequests, fetch: withAgentKey(ACCOUNT, fetch, () => NOW * 1000) };
}

const post = (json: object, headers = {}) => ({ method: "POST", headers, body: JSON.stringify(json) });

/** The signer of the authorization in the request, if it pays exactly what was requested. */
function signerOf(sent: Record<string, unknown>, network: keyof typeof NETWORKS = "base") {
  const { signature, validAfter, validBefore, nonce } = sent.agentAuthorization as Record<string, string>;
  return recoverTypedDataAddress({
    domain: tokenDomain(NETWORKS[network]),
    types: TRANSFER_TYPES,
    primaryType: "TransferWithAuthorization",
    message: {
      from: VAULT,
      to: toAddress(PAYEE.toLowerCase()),
      value: 500_000n,
      validAfter: BigInt(validAfter ?? ""),
      validBefore: BigInt(validBefore ?? ""),
      nonce: nonce as `0x${string}`,
    },
    signature: signature as `0x${string}`,
  });
}

test("the client signs the requested payment with the agent's key, and sends the same request with the signature", async () => {
  const { sent, fetch } = service();
  const response = await fetch(V3, post(body, { "Idempotency-Key": "a" }));
  expect(await response.json()).toEqual({ status: "ok" });
  expect(sent).toHaveLength(2);
  const { agentAuthorization, ...rest } = sent[1]?.body ?? {};
  expect(rest).toEqual(body);
  expect(sent[1]?.headers.get("idempotency-key")).toBe("a");
  expect(agentAuthorization).toMatchObject({ validAfter: "0", validBefore: `${NOW + 300}` });
  expect(await signerOf(sent[1]?.body ?? {})).toBe(ACCOUNT.address);
});

test("each signature of the agent's key has its own nonce", async () => {
  const { sent, fetch } = service();
  for (const _ of [1, 2]) await fetch(V3, post(body));
  const nonces = sent.flatMap(({ body: { agentAuthorization } }) =>
    agentAuthorization ? [(agentAuthorization as { nonce: string }).nonce] : [],
  );
  expect(new Set(nonces).size).toBe(2);
});

const required = {
  x402Version: 2,
  accepts: [
    { scheme: "exact", network: "eip155:8453", asset: NETWORKS.base.usdc, amount: "700000", payTo: PAYEE },
    { scheme: "exact", network: "eip155:84532", asset: NETWORKS["base-sepolia"].usdc, amount: "500000", payTo: PAYEE },
  ],
};

test.each([
  ["as an object", { paymentRequest: required }],
  ["as a header", { paymentRequestB64: encodeHeader(required) }],
])("the agent's key signs one of the offers of a requirement %s", async (_, requirement) => {
  const { sent, fetch } = service({ chainId: 84532 });
  expect((await fetch(V2, post({ mandateId: "mand_1", ...requirement }))).status).toBe(200);
  expect(await signerOf(sent[1]?.body ?? {}, "base-sepolia")).toBe(ACCOUNT.address);
});

test.each<[string, Asked]>([
  ["another payee", { to: VAULT }],
  ["another amount", { value: "500001" }],
  ["another network", { chainId: 84532 }],
  ["an unknown network", { chainId: 1 }],
  ["another key", { agentKey: VAULT }],
  ["the key's own money", { vault: ACCOUNT.address.toLowerCase() }],
  ["no vault", { vault: "0x12" }],
])("the agent's key refuses to sign for %s", async (_, asked) => {
  const { sent, fetch } = service(asked);
  await expect(fetch(V3, post(body))).rejects.toMatchObject({ code: "agent_key_refused" });
  expect(sent).toHaveLength(1);
});

test("the client reports the refusal, and does not send the request again", async () => {
  const { sent, fetch } = service({ to: VAULT });
  const answering: typeof globalThis.fetch = async (input, init) =>
    new URL(String(input)).pathname === "/refresh" ? json(200, { jwt: jwt() }) : fetch(input, init);
  const tessera = new Tessera({ baseUrl: "https://wallet.example", agentId: "a1", token: "tok_x", fetch: answering });
  await expect(tessera.payments.sign(body)).rejects.toMatchObject({ code: "agent_key_refused" });
  expect(sent).toHaveLength(1);
});

test("the agent's key leaves other requests and other errors unchanged", async () => {
  const { sent, fetch } = service();
  expect((await fetch("https://wallet.example/api/payouts", post(body))).status).toBe(422);
  const failing = withAgentKey(ACCOUNT, async () => Response.json({ code: "invalid_request" }, { status: 422 }));
  const response = await failing(V3, post(body));
  expect(await response.json()).toEqual({ code: "invalid_request" });
  expect(sent).toHaveLength(1);
});

test("a repeated call with one idempotency key has one signature, so that it is the same request", async () => {
  const { sent, fetch } = service();
  for (let n = 0; n < 3; n++) await fetch(V3, post(body, { "Idempotency-Key": "a" }));
  expect(sent.map((each) => each.body.agentAuthorization !== undefined)).toEqual([false, true, true, true]);
  expect(new Set(sent.slice(1).map((each) => JSON.stringify(each.body))).size).toBe(1);
});
