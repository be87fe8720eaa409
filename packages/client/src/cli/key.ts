import { createECDH } from "node:crypto";
import { TRANSFER_TYPE_TEXT } from "../../../x402/src/transfer.ts";
import type { AgentKey, TransferTypedData } from "../agent-key.ts";
import { checksummed, concat, fromHex, type Hex, hashOf, padded, toHex } from "../vault/bytes.ts";
import { keccak256 } from "../vault/keccak.ts";

const CURVE = "secp256k1";
/** Order of the group (SEC 2, secp256k1). */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export const newPrivateKey = (): Hex => {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return toHex(padded(pair.getPrivateKey("hex"), 32));
};

/** Returns a private key as a signing account, without a dependency. Throws Error unless it is a valid private key. */
export function accountOf(privateKey: string): AgentKey {
  if (!/^0x[\da-f]{64}$/i.test(privateKey)) throw new Error("the agent's key must be 0x and 64 hexadecimal digits");
  const pair = createECDH(CURVE);
  pair.setPrivateKey(fromHex(privateKey));
  const address = checksummed(hashOf(Uint8Array.from(pair.getPublicKey().subarray(1))).replace(/^0x.{24}/, "0x"));
  const secret = BigInt(privateKey);
  return { address, signTypedData: async (data) => signDigest(digestOf(data), secret) };
}

const big = (bytes: Uint8Array): bigint => BigInt(toHex(bytes));
const modulo = (value: bigint): bigint => ((value % N) + N) % N;

/** Inverse modulo N by Fermat's little theorem: N is prime. */
function inverse(value: bigint): bigint {
  let [result, base] = [1n, modulo(value)];
  for (let exponent = N - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % N;
    base = (base * base) % N;
  }
  return result;
}

/** Signs a digest with ECDSA: r, s and v. OpenSSL generates the nonce and its point. s is in the lower half, as the token requires. */
function signDigest(digest: Uint8Array, secret: bigint): Hex {
  for (;;) {
    const ephemeralPair = createECDH(CURVE);
    ephemeralPair.generateKeys();
    const point = ephemeralPair.getPublicKey();
    const x = big(point.subarray(1, 33));
    const s = modulo(inverse(big(ephemeralPair.getPrivateKey())) * (big(digest) + x * secret));
    // Neither is expected: v cannot encode x >= N, and a signature with s = 0 is invalid.
    if (x >= N || s === 0n) continue;
    const isHigh = s > N / 2n;
    const isOdd = ((point[64] ?? 0) & 1) === 1;
    const v = isOdd === isHigh ? 27 : 28;
    return toHex(concat(padded(x, 32), padded(isHigh ? N - s : s, 32), padded(v, 1)));
  }
}

const hashText = (text: string): Uint8Array => keccak256(new TextEncoder().encode(text));

/** Returns the EIP-712 digest of a transfer. */
function digestOf({ domain, message: m }: TransferTypedData): Uint8Array {
  const domainHash = keccak256(
    concat(
      hashText("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
      ...[
        hashText(domain.name),
        hashText(domain.version),
        padded(domain.chainId, 32),
        padded(domain.verifyingContract, 32),
      ],
    ),
  );
  const messageHash = keccak256(
    concat(
      hashText(TRANSFER_TYPE_TEXT),
      ...[m.from, m.to, m.value, m.validAfter, m.validBefore, m.nonce].map((field) => padded(field, 32)),
    ),
  );
  return keccak256(concat(fromHex("1901"), domainHash, messageHash));
}
