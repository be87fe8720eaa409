import { compactVerify, createRemoteJWKSet } from "jose";

/**
 * Verifies signed receipts in your own service. `service` is the origin that signs them. Make one verifier when the service
 * starts and keep it: it holds the published keys.
 *
 *   const verify = receiptVerifier("https://tessera.example");
 *   const { payee, amount, network, sub } = await verify(jws);
 *
 * It throws when the receipt is not one, or when the keys could not be read.
 */
export function receiptVerifier(service: string) {
  const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", service), { cacheMaxAge: 300_000 });
  return async (jws: string): Promise<Receipt> => {
    const { protectedHeader, payload } = await compactVerify(jws, keys, { algorithms: ["RS256"] });
    // The same keys sign login JWTs and credentials, in which anybody may have had anything written.
    if (protectedHeader.typ !== "receipt+jwt") throw new Error("the service signed this, but as no receipt");
    // The service signs nothing of this type without these claims.
    const receipt = JSON.parse(new TextDecoder().decode(payload)) as Receipt;
    if (receipt.iss !== service) throw new Error("the receipt is of another service");
    return receipt;
  };
}

export type Receipt = {
  /** The service, and the settlement's id there. */
  iss: string;
  sub: string;
  /** When it settled, in Unix seconds and in ISO 8601. */
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
