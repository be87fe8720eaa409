import { compactVerify, createRemoteJWKSet } from "jose";

/**
 * Verifies signed receipts in your own service. `service` is the origin that signs them. Create one verifier at startup and
 * keep it: it caches the published keys.
 *
 *   const verify = receiptVerifier("https://tessera.example");
 *   const { payee, amount, network, sub } = await verify(jws);
 *
 * Throws if the receipt is not valid or the keys could not be fetched.
 */
export function receiptVerifier(service: string) {
  const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", service), { cacheMaxAge: 300_000 });
  return async (jws: string): Promise<Receipt> => {
    const { protectedHeader, payload } = await compactVerify(jws, keys, { algorithms: ["RS256"] });
    // The same keys sign login JWTs and credentials, which can contain text that an agent chose.
    if (protectedHeader.typ !== "receipt+jwt") throw new Error("the service signed this, but as no receipt");
    // Everything that the service signs with this type has these claims.
    const receipt = JSON.parse(new TextDecoder().decode(payload)) as Receipt;
    if (receipt.iss !== service) throw new Error("the receipt is of another service");
    return receipt;
  };
}

export type Receipt = {
  /** The origin of the service; `sub` is the settlement's id. */
  iss: string;
  sub: string;
  /** Time of settlement, in Unix seconds and in ISO 8601. */
  iat: number;
  settledAt: string;
  txHash: string;
  blockNumber: string;
  network: "base" | "base-sepolia";
  asset: string;
  payer: string;
  payee: string;
  /** Atomic units: "1250000" is 1.25 USDC. */
  amount: string;
  currency: "USDC";
  description: string;
  resource: string;
  linkId: string | null;
};
