import { type CompleteSIWxInfo, createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import type { Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import { signInExtension } from "@/lib/checkout/sign-in";
import { toUsdc } from "@/lib/core/money";
import type { System } from "@/lib/platform/context";
import type { Claim } from "@/lib/settlements/service";
import type { Requirement } from "@/lib/x402/requirement";
import { type Answer, BASE_URL, call } from "./http";
import type { Json, Parties } from "./mandates";
import { paying } from "./system";

export type Challenge = CompleteSIWxInfo;

/** Returns ERC-1271's magic value for every call. */
export const YES: Hex = "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260206000f3";

/** Codes that accept no signature: zeros, a bit after the magic value, its four bytes alone, a revert, an infinite loop, none. */
export const NO_CODE: readonly Hex[] = [
  "0x60206000f3",
  "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000160005260206000f3",
  "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260046000f3",
  "0x60006000fd",
  "0x5b600056",
  "0x",
];

export const decoded = (text: string | null): Json => JSON.parse(Buffer.from(text ?? "", "base64").toString());

type Link = { path: string; payTo: string; required: Json };

/** Payment links of `seller`, as a buyer with the package from npm uses them. */
export function buyerSite(seller: Parties, amount: bigint, content: string) {
  const urlOf = (path: string) => `${BASE_URL}${path}`;

  async function newLink(fields: object = {}): Promise<Link> {
    const json = { amount: amount.toString(), resourceContent: content, ...fields };
    const created = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json });
    const path = `/paymentlink/${(created.body as Json).paymentLink.linkId}`;
    const required = decoded((await call("GET", path)).headers.get("payment-required"));
    return { path, payTo: required.accepts[0].payTo, required };
  }

  /** The challenge in a 402, or in the error of a closed link. */
  function challengeIn(response: Answer): Challenge {
    const header = response.headers.get("payment-required");
    const { extensions } = header === null ? (response.body as Json) : decoded(header);
    const { info, supportedChains } = extensions["sign-in-with-x"];
    return { ...info, ...supportedChains[0] };
  }

  const challenge = async (path: string) => challengeIn(await call("GET", path));

  /** The header that the package makes. Throws when it refuses to sign the challenge. */
  const sign = async (of: Challenge, signer: HDAccount) =>
    encodeSIWxHeader(await createSIWxPayload(of, signer, urlOf("/")));

  /** A challenge that was issued at another time. */
  async function issuedAt(system: System, { required }: Link, time: Date): Promise<Challenge> {
    const requirement = { network: "base", resource: required.resource.url, amount: toUsdc(amount) } as Requirement;
    const { info, supportedChains } = (await signInExtension({ ...system, now: () => time }, requirement))[
      "sign-in-with-x"
    ];
    return { ...info, chainId: supportedChains[0]?.chainId ?? "", type: "eip191" };
  }

  return {
    urlOf,
    newLink,
    challengeIn,
    challenge,
    sign,
    issuedAt,
    signed: async (path: string, signer: HDAccount) => sign(await challenge(path), signer),
    read: (path: string, header: string, headers: Record<string, string> = {}) =>
      call("GET", path, { headers: { ...headers, "sign-in-with-x": header } }),
    pay: ({ path }: Link, claim: Claim) => call("GET", path, { headers: paying(claim) }),
  };
}
