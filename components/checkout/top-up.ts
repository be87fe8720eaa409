import { formatUsdc, type Usdc } from "@/lib/core/usdc";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

/** The amount that the buyer's own wallet lacks. */
export type Missing = { network: NetworkName; address: string; amount: Usdc };

/**
 * An EIP-681 URI that transfers the missing USDC to the buyer's own address. The seller has no such URI: a plain transfer would not be
 * matched to a purchase.
 */
export const topUpUri = ({ network, address, amount }: Missing): string => {
  const { usdc, chainId } = NETWORKS[network];
  return `ethereum:${usdc}@${chainId}/transfer?address=${address}&uint256=${amount}`;
};

/** Fills in the operator's URL template for buying USDC. */
export const onrampOf = (template: string, { network, address, amount }: Missing): string =>
  template
    .replaceAll("{address}", encodeURIComponent(address))
    .replaceAll("{amount}", encodeURIComponent(formatUsdc(amount)))
    .replaceAll("{network}", encodeURIComponent(network));
