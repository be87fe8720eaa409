import { type Hex, zeroHash } from "viem";
import { describe, expect, test } from "vitest";
import { toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { NETWORKS } from "@/lib/x402/networks";
import { isCanonical, vaultSignature } from "./payments";
import { type Terms, vaultCode } from "./terms";

const [OWNER, SIGNER, AGENT, PAYEE] = ["6", "5", "4", "3"].map((digit) => toAddress(`0x${digit.repeat(40)}`)) as [
  ...[Terms["owner"], Terms["owner"], Terms["owner"], Terms["owner"]],
];
const TERMS: Terms = {
  contractVersion: 2,
  token: NETWORKS.base.usdc,
  owner: OWNER,
  signer: SIGNER,
  agent: null,
  start: 1,
  end: 2,
  limit: toUsdc(1n),
  perPayment: null,
  release: null,
  payees: null,
  mandate: zeroHash,
};
const authorization = (to = PAYEE) => ({
  from: ZERO_ADDRESS,
  to,
  value: toUsdc(1n),
  validAfter: 0n,
  validBefore: 9n,
  nonce: zeroHash,
});
const bytes = (count: number): Hex => `0x${"ab".repeat(count)}`;
const SIGNED = { signature: bytes(65), agentSignature: null, proof: null };

const encoded = (approvals: Partial<typeof SIGNED> | object = {}, to = PAYEE) =>
  vaultSignature(authorization(to), { ...SIGNED, ...approvals });
const accepts = (terms: Partial<Terms>, signature: Hex) => isCanonical(vaultCode({ ...TERMS, ...terms }), signature);

describe("the encoded signature of a vault's payment", () => {
  test("is accepted as the service writes it, in any letter case", () => {
    expect(accepts({}, encoded())).toBe(true);
    expect(accepts({}, `0x${encoded().slice(2).toUpperCase()}`)).toBe(true);
    expect(accepts({ agent: AGENT }, encoded({ agentSignature: bytes(65) }))).toBe(true);
    expect(accepts({ payees: bytes(32) }, encoded({ proof: [bytes(32), bytes(32)] }))).toBe(true);
    // A contract of the owner may have signed what comes home.
    expect(accepts({}, encoded({ signature: bytes(300) }, OWNER))).toBe(true);
  });

  test.each([
    ["bytes after it", {}, `${encoded()}00`],
    ["a word after it", {}, `${encoded()}${"00".repeat(32)}`],
    ["bytes after it, on the way home", {}, `${encoded({}, OWNER)}ab`],
    ["a longer signature", {}, encoded({ signature: bytes(66) })],
    ["a signature of no agent", {}, encoded({ agentSignature: bytes(3_000) })],
    ["a longer signature of the agent", { agent: AGENT }, encoded({ agentSignature: bytes(3_000) })],
    ["no signature of the agent", { agent: AGENT }, encoded()],
    ["a proof for no list", {}, encoded({ proof: Array(90).fill(bytes(32)) })],
    ["bits in the padding of the signature", {}, encoded().replace(/0{4}(?=.{128}$)/, "00ff")],
    ["nothing", {}, "0x"],
    ["no payment", {}, bytes(400)],
  ] as const)("is refused with %s", (_, terms, signature) => {
    expect(accepts(terms, signature as Hex)).toBe(false);
  });
});
