/** An EIP-712 payload as our API sends it. */
export type TypedDataPayload = {
  domain: { name?: string; version?: string; chainId?: number | string; verifyingContract?: string; salt?: string };
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};
export type TypedDataRequest = {
  /** The address that must sign. */
  owner: string;
  chainId: number;
  typedData: TypedDataPayload;
  /** Aborted: a wallet that was silent so far is not asked to sign anymore. */
  signal?: AbortSignal;
  /** Whether the server takes the signature of an account that is not deployed yet (ERC-6492), or says why not. */
  takesUndeployed?: boolean;
};
export type TypedDataResult =
  | { type: "signed"; signature: `0x${string}` }
  | { type: "rejected" }
  | { type: "failed"; reason: string };
