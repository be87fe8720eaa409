import type { Hex } from "viem";
import type { TypedDataPayload } from "@/components/wallet/typed-data";

/** The data with which a browser verifies a payment. Serialisable as JSON. */
export type Evidence = {
  chainId: number;
  /** The network's label. */
  label: string;
  usdc: Hex;
  host: string;
  /** The default port of the resource's scheme. */
  defaultPort: string;
  payment: {
    from: Hex;
    to: Hex;
    value: string;
    nonce: Hex;
    /** Unix seconds. */
    signedAt: number;
  };
  /** Null for a payment that its owner approved individually. */
  mandate: {
    owner: Hex;
    hash: Hex;
    signature: Hex;
    typedData: TypedDataPayload;
    /** The transfer that was signed instead of the mandate; its nonce is the mandate hash. */
    funding: TypedDataPayload | null;
  } | null;
  /** Null if the service no longer stores it. `signature` is null if the seller settled elsewhere. */
  authorization: { payer: Hex; typedData: TypedDataPayload; signature: Hex | null } | null;
  txHash: Hex | null;
  /** The signed receipt, if it was settled here. */
  receipt: string | null;
};
