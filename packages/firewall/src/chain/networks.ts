/** A network on which x402 payments in USDC are judged in full. */
export type Network = {
  /** As x402 version 1 names it. */
  name: string;
  chainId: number;
  /** CAIP-2, as x402 version 2 names it. */
  caip2: string;
  /** The USDC contract, checksummed. */
  usdc: string;
};

export const NETWORKS: readonly Network[] = [
  { name: "base", chainId: 8453, caip2: "eip155:8453", usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" },
  { name: "base-sepolia", chainId: 84532, caip2: "eip155:84532", usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" },
];

/** The network with this x402 v1 name or CAIP-2 id, or null. */
export const networkNamed = (text: string): Network | null =>
  NETWORKS.find(({ name, caip2 }) => name === text || caip2 === text) ?? null;
