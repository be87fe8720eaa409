import { formatUsdc, type Usdc } from "@/lib/core/usdc";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

/** What a buyer's own wallet lacks. */
export type Missing = { network: NetworkName; address: string; amount: Usdc };

/**
 * EIP-681: a transfer of the missing USDC to the buyer's own address. There is no such address for the seller: a plain
 * transfer to them would not be matched to a purchase.
 */
export const topUpUri = ({ network, address, amount }: Missing): string => {
  const { usdc, chainId } = NETWORKS[network];
  return `ethereum:${usdc}@${chainId}/transfer?address=${address}&uint256=${amount}`;
};

/** The operator's address for buying USDC, filled in. */
export const onrampOf = (template: string, { network, address, amount }: Missing): string =>
  template
    .replaceAll("{address}", encodeURIComponent(address))
    .replaceAll("{amount}", encodeURIComponent(formatUsdc(amount)))
    .replaceAll("{network}", encodeURIComponent(network));
