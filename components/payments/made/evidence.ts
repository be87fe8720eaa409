import type { Hex } from "viem";
import type { TypedDataPayload } from "@/components/wallet/typed-data";

/** What a browser needs to verify a payment, in JSON. */
export type Evidence = {
  chainId: number;
  /** Of the network. */
  label: string;
  usdc: Hex;
  host: string;
  /** Of the scheme of its resource. */
  defaultPort: string;
  payment: {
    from: Hex;
    to: Hex;
    value: string;
    nonce: Hex;
    /** Unix seconds. */
    signedAt: number;
  };
  /** Null for a payment that its owner approved by itself. */
  mandate: {
    owner: Hex;
    hash: Hex;
    signature: Hex;
    typedData: TypedDataPayload;
    /** The transfer that was signed in its place: its nonce is the mandate hash. */
    funding: TypedDataPayload | null;
  } | null;
  /** Null for one that the service's records no longer have. `signature`: null if the seller settled it elsewhere. */
  authorization: { payer: Hex; typedData: TypedDataPayload; signature: Hex | null } | null;
  txHash: Hex | null;
  /** The signed receipt, if it was settled here. */
  receipt: string | null;
};
