import ipaddr from "ipaddr.js";

/**
 * Whether the network at large is behind an address. Private, local, shared and reserved ones are not, in whatever form
 * IPv6 wraps them, nor is what cloud providers answer at from inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  // All that is given out to anybody is in 2000::/3: what lies beside it is ::127.0.0.1 and its like.
  if (address instanceof ipaddr.IPv6) return ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return address.toString() !== AZURE_HOST;
}

/** Where virtual machines of Azure find their host: the one such address that looks public. */
const AZURE_HOST = "168.63.129.16";

export const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";

/** The host of a URL without the brackets of IPv6 and the dot at its end. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

/** Whether a host, as `bareHost` gives it, is an IP address and no name. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host);
