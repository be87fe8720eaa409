import { decodeHeader, encodeHeader } from "./header.ts";
import { fieldsOf, textOf } from "./json.ts";
import { NETWORKS } from "./networks.ts";
import { type Challenge, type Offer, readOffer, type SignedTransfer } from "./offers.ts";

/** One part of `WWW-Authenticate` (RFC 9110, section 11): `name=value`, otherwise a scheme or what a scheme has instead of parameters. */
const PART =
  /[\s,]*(?:([\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",=]+)(?=[ \t]*(?:,|$)))|([\w!#$%&'*+.^`|~/-]+=*)(?=[\s,]|$))/y;
const CHALLENGES_MAX = 16;
const CHARACTERS_MAX = 16_384;
const NAME_CHARACTERS_MAX = 1024;

/**
 * Reads the challenges of the Machine Payments Protocol (scheme `Payment`, method `evm`, intent `charge`) in `WWW-Authenticate` into
 * offers that an EIP-3009 authorization can pay. The others are left out, and all of them if the header cannot be read. `validBefore`
 * of the authorization must not be later than `expires` of the challenge, and its nonce is the hash of `id` and `realm`.
 *
 * @example
 * const offers = findCharges(response.headers.get("www-authenticate") ?? "");
 */
export const findCharges = (header: string): Offer[] =>
  readChallenges(header).flatMap((challenge) => readCharge(challenge) ?? []);

function readChallenges(header: string): Record<string, string>[] {
  const challenges: { scheme: string; params: Map<string, string>; isRepeated: boolean }[] = [];
  if (header.length > CHARACTERS_MAX) return [];
  let end = header.length;
  while (/[\s,]/.test(header[end - 1] ?? "")) end--;
  for (let index = 0; index < end; index = PART.lastIndex) {
    PART.lastIndex = index;
    const [, name, quoted, bare, scheme] = PART.exec(header) ?? [];
    if (scheme !== undefined) challenges.push({ scheme, params: new Map(), isRepeated: false });
    const challenge = challenges.at(-1);
    if (!challenge || (name === undefined && scheme === undefined)) return [];
    if (name === undefined) continue;
    challenge.isRepeated ||= challenge.params.has(name.toLowerCase());
    challenge.params.set(name.toLowerCase(), quoted === undefined ? (bare ?? "") : unquote(quoted));
  }
  return challenges
    .filter(({ scheme, isRepeated }) => scheme.toLowerCase() === "payment" && !isRepeated)
    .slice(0, CHALLENGES_MAX)
    .map(({ params }) => Object.fromEntries(params));
}

/** Texts above Latin-1 are written as `\uXXXX` by the published servers. */
const unquote = (text: string) =>
  text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code?: string, char?: string) =>
    code === undefined ? (char ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );

function readCharge(challenge: Record<string, string>): Offer | null {
  const { id = "", realm = "", method, intent, request = "", description, expires } = challenge;
  const areNamed = [id, realm].every((name) => name !== "" && name.length <= NAME_CHARACTERS_MAX);
  // A credential in another header than `Authorization` could be one that the seller hands on.
  if (!areNamed || method !== "evm" || intent !== "charge" || challenge.header !== undefined) return null;
  if (expires !== undefined && !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(expires)) return null;
  const { amount, currency, recipient, methodDetails } = fieldsOf(decodeBase64Url(request));
  const { chainId, credentialTypes, splits = [] } = fieldsOf(methodDetails);
  const isAuthorized = Array.isArray(credentialTypes) && credentialTypes.includes("authorization");
  if (!isAuthorized || !Array.isArray(splits) || splits.length > 0) return null;
  const accepted = {
    scheme: "exact",
    network: `eip155:${textOf(chainId) ?? Number(chainId)}`,
    amount,
    asset: currency,
    payTo: recipient,
  };
  const offer = readOffer(2, accepted, { resource: { description } });
  const named = { ...challenge, id, realm };
  return (
    offer && { ...offer, challenge: named, toCredential: (payload) => credentialOf(named, offer.network, payload) }
  );
}

/** The header that answers a challenge. */
function credentialOf(
  challenge: Challenge,
  network: Offer["network"],
  { signature, authorization }: SignedTransfer,
): ReturnType<NonNullable<Offer["toCredential"]>> {
  const credential = {
    challenge,
    payload: { type: "authorization", ...authorization, signature },
    source: `did:pkh:eip155:${NETWORKS[network].chainId}:${authorization?.from}`,
  };
  return { header: "Authorization", value: `Payment ${encodeBase64Url(credential)}` };
}

const encodeBase64Url = (value: unknown): string =>
  encodeHeader(value).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const decodeBase64Url = (text: string): unknown => {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return decodeHeader(standard.padEnd(Math.ceil(standard.length / 4) * 4, "="));
};
