import ipaddr from "ipaddr.js";

/**
 * Whether an address is on the public internet. False for private, local, shared and reserved addresses in every IPv6
 * notation, and for the metadata addresses of cloud providers.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  // All assigned IPv6 addresses are in 2000::/3. Outside it are forms such as ::127.0.0.1.
  if (address instanceof ipaddr.IPv6) return ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return address.toString() !== AZURE_HOST;
}

/** The address of the Azure host as its virtual machines see it. It is internal but lies in a public range. */
const AZURE_HOST = "168.63.129.16";

export const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";

/** A network and its prefix length. For a single address the prefix has all bits. */
export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** "203.0.113.9" or "203.0.113.0/24"; null for anything else. */
export function readRange(text: string): AddressRange | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

export function isWithin(text: string, ranges: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** The host of a URL without IPv6 brackets and without a trailing dot. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

/** Whether a URL names the device of whoever opens it. */
export const isThisDevice = (url: URL): boolean => url.hostname === "localhost" || isLoopback(bareHost(url));

/** Whether `host`, as returned by `bareHost`, is an IP address rather than a name. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host);
