import { type Address, isAddressText, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

export type AddressReading =
  | { type: "valid"; address: Address; warning: string | undefined }
  | { type: "invalid"; problem: string };

/** Checks a typed receiving address. `ownAddresses` are the owner's own addresses. */
export function readReceivingAddress(text: string, ownAddresses: readonly Address[]): AddressReading {
  const typed = text.trim();
  if (!isAddressText(typed))
    return { type: "invalid", problem: "An address is 0x and 40 characters from 0 to 9 and a to f." };
  const address = toAddress(typed);
  const digits = typed.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && address !== typed) {
    return {
      type: "invalid",
      problem: "The capitals do not match this address: a character is mistyped. Copy it again.",
    };
  }
  if (LOST.includes(address))
    return { type: "invalid", problem: "Money sent there would be lost. Choose another address." };
  const twin = ownAddresses.find((ownAddress) => ownAddress !== address && looksLike(address, ownAddress));
  const warning = twin && `It begins and ends like your own address ${twin} but is another one. Compare all of it.`;
  return { type: "valid", address, warning };
}

const LOST: readonly Address[] = [ZERO_ADDRESS, ...NETWORK_NAMES.map((name) => NETWORKS[name].usdc)];

/** Poisoned addresses imitate the first and last characters, which people compare. */
const looksLike = (a: Address, b: Address) =>
  a.slice(0, 6).toLowerCase() === b.slice(0, 6).toLowerCase() &&
  a.slice(-4).toLowerCase() === b.slice(-4).toLowerCase();
