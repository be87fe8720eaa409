import { z } from "zod";
import { type Address, toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

/** An EIP-4361 message. */
export type SignInMessage = {
  scheme: string | undefined;
  domain: string;
  address: Address;
  uri: string;
  version: string;
  chainId: number;
  nonce: string;
  issuedAt: Date;
  expirationTime: Date | undefined;
  notBefore: Date | undefined;
};

export const NONCE_SECONDS = 600;
const CLOCK_SKEW_SECONDS = 300;
const CHAIN_IDS: readonly number[] = NETWORK_NAMES.map((name) => NETWORKS[name].chainId);
const MESSAGE_CHARACTERS_MAX = 4_096;

/**
 * EIP-4361's grammar, anchored at both ends. viem's parser finds its fields anywhere in a text, but the person who signs
 * sees the whole text.
 */
const MESSAGE = new RegExp(
  [
    "^(?:(?<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://)?(?<domain>[^\\s/?#]+) wants you to sign in with your Ethereum account:",
    "(?<address>0x[0-9a-fA-F]{40})",
    "(?:\\n(?<statement>[^\\n]+)\\n|\\n)?",
    "URI: (?<uri>[^\\s]+)",
    "Version: (?<version>[^\\s]+)",
    "Chain ID: (?<chainId>[1-9][0-9]{0,15})",
    "Nonce: (?<nonce>[a-zA-Z0-9]{8,64})",
    "Issued At: (?<issuedAt>[^\\s]+)",
  ].join("\\n") +
    "(?:\\nExpiration Time: (?<expirationTime>[^\\s]+))?(?:\\nNot Before: (?<notBefore>[^\\s]+))?" +
    "(?:\\nRequest ID: [^\\n]*)?(?:\\nResources:(?:\\n- [^\\n]+)*)?$",
);

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const fields = z.object({
  scheme: z.string().optional(),
  domain: z.string(),
  address: z.string().transform(toAddress),
  uri: z.string(),
  version: z.string(),
  chainId: z.coerce.number(),
  nonce: z.string(),
  issuedAt: moment,
  expirationTime: moment.optional(),
  notBefore: moment.optional(),
});

/** The fields of an EIP-4361 message, or null when the text does not match the grammar exactly. */
export function readMessage(text: string): SignInMessage | null {
  if (text.length > MESSAGE_CHARACTERS_MAX) return null;
  const parsed = fields.safeParse(MESSAGE.exec(text)?.groups);
  if (!parsed.success) return null;
  const { scheme, expirationTime, notBefore, ...requiredFields } = parsed.data;
  return { ...requiredFields, scheme, expirationTime, notBefore };
}

/** Whether `message` was written for the sign-in page at `baseUrl` and is valid at `now`. */
export function isForThisSite(message: SignInMessage, baseUrl: string, now: Date): boolean {
  const { host, origin, protocol } = new URL(baseUrl);
  const { issuedAt, expirationTime, notBefore } = message;
  return (
    message.domain === host &&
    message.uri.replace(/\/$/, "") === origin &&
    (message.scheme === undefined || `${message.scheme}:` === protocol) &&
    message.version === "1" &&
    CHAIN_IDS.includes(message.chainId) &&
    // The browser's clock may be minutes off. The signer chose the other two times: they have no tolerance.
    issuedAt <= addSeconds(now, CLOCK_SKEW_SECONDS) &&
    addSeconds(issuedAt, NONCE_SECONDS + CLOCK_SKEW_SECONDS) >= now &&
    (!expirationTime || now < expirationTime) &&
    (!notBefore || notBefore <= now)
  );
}

export const IDLE_SECONDS = 7 * 86_400;
export const ABSOLUTE_SECONDS = 30 * 86_400;
/** The accuracy of `lastSeenAt`, in seconds. */
export const SEEN_EVERY_SECONDS = 60;
export const USER_AGENT_MAX = 300;

/** In order: most browsers also name the browsers that they are compatible with. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac(?:intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** For example, "Firefox on Linux". A User-Agent can contain anything, so no part of it is repeated. */
export function deviceOf(userAgent: string): string {
  const named = (kinds: readonly (readonly [RegExp, string])[]) =>
    kinds.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (!browser) return system ? `A program on ${system}` : "Unknown device";
  return system ? `${browser} on ${system}` : browser;
}
