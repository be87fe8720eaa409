import {
  type Hex,
  hashTypedData,
  isAddressEqual,
  parseAbi,
  parseEventLogs,
  recoverAddress,
  type TypedDataDefinition,
} from "viem";
import { encodeFunctionData } from "viem/utils";
import type { Eip1193 } from "@/components/wallet/eip1193";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { hostMatches } from "@/lib/core/host";
import type { Evidence } from "./evidence";

/** Loaded on demand. Requires nothing from the service except the published keys. */

/** `unknown`: could not be checked here; `text` gives the reason. */
export type Finding = { name: string; result: "good" | "bad" | "unknown"; text: string };
type Result = Omit<Finding, "name">;

/** A connected wallet: the chain is read through the node that it uses, not through the service. */
export type Reader = Pick<Eip1193, "request"> | null;
export type Keys = () => Promise<readonly (JsonWebKey & { kid?: string })[]>;

export async function verify(evidence: Evidence, reader: Reader, keys: Keys): Promise<Finding[]> {
  const { mandate, authorization, receipt } = evidence;
  const chain = await chainOf(evidence, reader);
  const checks: [name: string, run: () => Promise<Result> | Result][] = [];
  if (mandate) {
    checks.push(["Your signature of the mandate", () => ofMandate(mandate, chain)]);
    checks.push(["The payment is within the mandate", () => withinTerms(evidence, mandate)]);
  }
  if (authorization) checks.push(["The signature of the payment", () => ofAuthorization(authorization)]);
  checks.push(["The transaction", () => ofTransaction(evidence, chain)]);
  if (receipt) checks.push(["The receipt", () => ofReceipt(evidence, receipt, keys)]);
  return Promise.all(
    checks.map(async ([name, run]) => {
      try {
        return { name, ...(await run()) };
      } catch {
        return { name, ...unknown("The data could not be read, or there was no response.") };
      }
    }),
  );
}

const good = (text: string): Result => ({ result: "good", text });
const bad = (text: string): Result => ({ result: "bad", text });
const unknown = (text: string): Result => ({ result: "unknown", text });

/** A reader of the payment's chain, or the reason why there is none. */
async function chainOf({ chainId, label }: Evidence, reader: Reader): Promise<NonNullable<Reader> | string> {
  if (!reader) return "No wallet is connected: this page reads the chain through yours.";
  try {
    if (Number(await reader.request({ method: "eth_chainId" })) === chainId) return reader;
  } catch {
    return "Your wallet did not answer.";
  }
  return `Your wallet is on another network. Switch it to ${label} and verify again.`;
}

const digestOf = (data: TypedDataPayload): Hex => hashTypedData(data as unknown as TypedDataDefinition);

const ERC1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
const ACCEPTED = "0x1626ba7e";

async function ofMandate(m: NonNullable<Evidence["mandate"]>, chain: NonNullable<Reader> | string): Promise<Result> {
  if (digestOf(m.typedData) !== m.hash) return bad("The mandate hash is not the digest of the mandate's data.");
  if (m.funding && m.funding.message.nonce !== m.hash)
    return bad("The funding that was signed is of another mandate: its nonce is not the mandate hash.");
  const hash = m.funding ? digestOf(m.funding) : m.hash;
  if (await isBy(m.owner, hash, m.signature)) return good("Made by your account, over exactly the mandate's data.");
  if (typeof chain === "string")
    return unknown(`It is not by a key of your account, so its contract must verify it. ${chain}`);
  const data = encodeFunctionData({ abi: ERC1271, functionName: "isValidSignature", args: [hash, m.signature] });
  const code = await chain.request({ method: "eth_getCode", params: [m.owner, "latest"] });
  if (code === "0x") return bad("It is not by your account.");
  const result = await chain.request({ method: "eth_call", params: [{ to: m.owner, data }, "latest"] });
  return String(result).startsWith(ACCEPTED)
    ? good("The contract at your account accepts it, over exactly the mandate's data.")
    : bad("The contract at your account does not accept it.");
}

async function isBy(address: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), address);
  } catch {
    // Not an ECDSA signature: a contract's signature (ERC-1271) can have any length.
    return false;
  }
}

function withinTerms({ payment, host, defaultPort, usdc }: Evidence, m: NonNullable<Evidence["mandate"]>): Result {
  const { message } = m.typedData;
  const amount = BigInt(payment.value);
  const cap = (name: string) => BigInt(String(message[name] ?? "0"));
  const [limit, perPayment] = [cap("limitAmount"), cap("maxAmountPerPayment")];
  if (String(message.asset).toLowerCase() !== usdc.toLowerCase()) return bad("The mandate is for another token.");
  if (amount > limit || (perPayment > 0n && amount > perPayment)) return bad("It is more than the mandate allows.");
  const periods = ["maxAmountPerDay", "maxAmountPerMonth"].map(cap);
  if (periods.some((period) => period > 0n && amount > period))
    return bad("It is more than the cap for a day or month.");
  const hosts = listOf(message.hostAllowlist);
  if (hosts.length > 0 && !hosts.some((entry) => hostMatches(entry, host, defaultPort)))
    return bad("The mandate does not name this host.");
  const payees = listOf(message.payees);
  if (payees.length > 0 && !payees.some((payee) => payee.toLowerCase() === payment.to.toLowerCase()))
    return bad("The mandate does not name this address.");
  const [from, until] = [cap("validFrom"), cap("validUntil")];
  if (BigInt(payment.signedAt) < from || BigInt(payment.signedAt) >= until)
    return bad("It was signed outside the mandate's validity.");
  return good(
    "Amount, token, host, address and time are what you signed. The sum of all payments is not checked here.",
  );
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

async function ofAuthorization({
  typedData,
  signature,
  payer,
}: NonNullable<Evidence["authorization"]>): Promise<Result> {
  if (signature === null)
    return unknown(
      "The seller settled it elsewhere, so we hold no copy. The transaction shows whether USDC accepted it.",
    );
  if (await isBy(payer, digestOf(typedData), signature))
    return good("Made by the paying account's key, over exactly this payment.");
  return unknown(
    "The payer is a contract, which judges its signatures when USDC moves. The transaction shows whether it accepted this one.",
  );
}

const USDC = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
]);

async function ofTransaction(evidence: Evidence, chain: NonNullable<Reader> | string): Promise<Result> {
  const { txHash, usdc, payment, label } = evidence;
  if (txHash === null) return unknown("There is none yet.");
  if (typeof chain === "string") return unknown(chain);
  const receipt = await chain.request({ method: "eth_getTransactionReceipt", params: [txHash] }).catch(() => undefined);
  if (receipt === undefined) return unknown("Your wallet does not read transactions.");
  if (receipt === null) return unknown(`The node of your wallet does not know this transaction on ${label}.`);
  const { status, logs } = receipt as { status: unknown; logs: Parameters<typeof parseEventLogs>[0]["logs"] };
  if (Number(status) !== 1) return bad("It failed: no money moved.");
  const ofUsdc = logs.filter(({ address }) => isAddressEqual(address, usdc));
  const events = parseEventLogs({ abi: USDC, logs: ofUsdc });
  const isUsed = events.some(
    ({ eventName, args }) =>
      eventName === "AuthorizationUsed" &&
      isAddressEqual(args.authorizer, payment.from) &&
      args.nonce === payment.nonce.toLowerCase(),
  );
  const isMade = events.some(
    ({ eventName, args }) =>
      eventName === "Transfer" &&
      isAddressEqual(args.from, payment.from) &&
      isAddressEqual(args.to, payment.to) &&
      args.value === BigInt(payment.value),
  );
  if (!isUsed) return bad("It does not use this authorization.");
  return isMade
    ? good(`USDC on ${label} used this authorization and moved exactly this amount to this address.`)
    : bad("It used the authorization, and did not make this transfer.");
}

async function ofReceipt(evidence: Evidence, jws: string, keys: Keys): Promise<Result> {
  const [head = "", body = "", signature = ""] = jws.split(".");
  const { kid, alg } = jsonOf(head);
  const jwk = (await keys()).find((key) => key.kid === kid);
  if (alg !== "RS256" || !jwk) return unknown("The key that signed it is no longer published.");
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!(await crypto.subtle.verify(algorithm, key, bytesOf(signature), signed)))
    return bad("The service's signature does not match it.");
  const claims = jsonOf(body);
  const { payment, txHash } = evidence;
  const isSame = claims.txHash === txHash && claims.payee === payment.to && claims.amount === payment.value;
  return isSame
    ? good("Signed by the service, and about this transaction, address and amount.")
    : bad("It is about another payment.");
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
const jsonOf = (text: string): Record<string, unknown> => JSON.parse(new TextDecoder().decode(bytesOf(text)));
