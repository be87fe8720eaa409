import { parseUrl } from "@tessera/x402/url";
import { z } from "zod";
import { firstCharacters, isStorable } from "@/lib/core/characters";
import { isThisDevice } from "@/lib/core/ip";
import { NAME_MAX } from "@/lib/core/lengths";
import { isVisible, withoutInvisible } from "@/lib/core/shown";

/** Lifetimes in seconds. */
export const CODE_SECONDS = 60;
export const ACCESS_SECONDS = 3_600;
/** Of a refresh token that is not used. Each use returns a new one (RFC 9700, section 4.14.2). */
export const REFRESH_SECONDS = 30 * 86_400;
/**
 * For this long a used refresh token gives tokens again: hosts refresh once for each of their requests at the same time, and an answer can
 * be lost. A theft within it is not noticed.
 */
export const REFRESH_AGAIN_SECONDS = 30;
/** After this long an app that no owner connected is deleted. */
export const UNUSED_APP_SECONDS = 30 * 86_400;

/** The only scope: what the agent may do with tools. It is implied, and no client has to name it. */
export const SCOPE = "agent";

const URI_CHARACTERS_MAX = 500;
/** Some hosts keep a whole signed session in it. */
const STATE_CHARACTERS_MAX = 4_000;
const REDIRECT_URIS_MAX = 10;

/** A client id that is the URL of the app's metadata document (OAuth Client ID Metadata Document). */
export const isDocumentUrl = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/** Schemes that a browser, the system or a wallet acts on itself. A program's own scheme is none of them. */
const ACTING_SCHEMES = new Set(
  [
    "about android-app blob chrome chrome-extension data edge facetime file filesystem ftp http intent jar javascript mailto",
    "moz-extension resource search search-ms shell sms ssh tel telnet urn vbscript view-source ws wss",
    "bitcoin ethereum lightning solana wc web3",
  ].flatMap((line) => line.split(" ")),
);
/** ms-msdt:, ms-officecmd: and others have run commands. */
const isActing = (scheme: string): boolean => ACTING_SCHEMES.has(scheme) || scheme.startsWith("ms-");

/**
 * A URI that an owner's browser may be sent back to: https, a program on the owner's device (RFC 8252, 7.1 and 7.3), or null. No
 * fragment (RFC 6749, 3.1.2) and no credentials, which would disguise the host.
 */
export function readRedirectUri(text: string): URL | null {
  if (text.length > URI_CHARACTERS_MAX || !/^[\x21-\x7e]+$/.test(text)) return null;
  const url = parseUrl(text);
  if (url?.hash !== "" || text.includes("#") || url.username !== "" || url.password !== "") return null;
  const scheme = url.protocol.slice(0, -1);
  if (scheme === "https") return url;
  if (scheme === "http") return isThisDevice(url) ? url : null;
  return isActing(scheme) ? null : url;
}

/** Where a person returns to, in words they can check. */
export function describeReturn(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (url.protocol === "https:") return url.host;
  return url.protocol === "http:" ? "a program on this device" : `the program that opens ${url.protocol}// links`;
}

/** Whether the app registered this redirect URI. On the loopback interface the port may differ (RFC 8252, 7.3). */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  if (registered.includes(redirectUri)) return true;
  const url = readRedirectUri(redirectUri);
  if (url?.protocol !== "http:") return false;
  return registered.some((text) => {
    const own = readRedirectUri(text);
    if (own?.protocol !== "http:") return false;
    own.port = url.port;
    return own.href === url.href;
  });
}

const redirectUris = z
  .array(z.string().refine((text) => readRedirectUri(text) !== null))
  .min(1)
  .max(REDIRECT_URIS_MAX);

/** What an app says about itself (RFC 7591, section 2). Members that are not listed are ignored. */
const appMetadata = z.looseObject({
  client_name: z.string().max(2_000).optional(),
  redirect_uris: redirectUris,
});

export type AppMetadata = { name: string; redirectUris: readonly string[] };
export type MetadataProblem = "invalid_redirect_uri" | "invalid_client_metadata";

export function readMetadata(value: unknown): AppMetadata | MetadataProblem {
  const result = appMetadata.safeParse(value);
  if (!result.success) {
    const isOfUris = result.error.issues.some(({ path }) => path[0] === "redirect_uris");
    return isOfUris ? "invalid_redirect_uri" : "invalid_client_metadata";
  }
  const { client_name = "", redirect_uris } = result.data;
  return { name: nameOf(client_name), redirectUris: redirect_uris };
}

/** A stranger's name, as far as it can be shown. */
function nameOf(text: string): string {
  const name = firstCharacters(withoutInvisible(text).replace(/\s+/g, " ").trim(), NAME_MAX);
  return isVisible(name) ? name : "App without a name";
}

/** A metadata document. It must name its own URL, or anybody could present another app's (draft, section 4.1). */
export function readDocument(clientId: string, value: unknown): AppMetadata | MetadataProblem {
  const own = z.looseObject({ client_id: z.literal(clientId) }).safeParse(value);
  return own.success ? readMetadata(value) : "invalid_client_metadata";
}

/** S256 only: 32 bytes of base64url (RFC 7636, section 4.2). */
export const codeChallenge = z.string().regex(/^[\w-]{43}$/, "must be an S256 challenge");

const parameters = z.object({
  response_type: z.literal("code"),
  client_id: z.string().min(1).max(URI_CHARACTERS_MAX).refine(isStorable),
  redirect_uri: z.string().refine(isStorable),
  code_challenge: codeChallenge,
  code_challenge_method: z.literal("S256"),
  state: z
    .string()
    .max(STATE_CHARACTERS_MAX)
    .regex(/^[\x20-\x7e]*$/)
    .optional(),
  resource: z.string().optional(),
});

export type AuthorizationRequest = {
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  state: string | null;
};

/** The parameter that is missing or wrong. */
export type RequestProblem = { parameter: string };

/** Parses the query of an authorization request (RFC 6749 4.1.1, RFC 7636 4.3, RFC 8707). Whether the app exists is not decided here. */
export function readRequest(query: unknown, baseUrl: string): AuthorizationRequest | RequestProblem {
  const result = parameters.safeParse(query);
  if (!result.success) return { parameter: String(result.error.issues[0]?.path[0] ?? "query") };
  const { client_id, redirect_uri, code_challenge, state = null, resource } = result.data;
  if (readRedirectUri(redirect_uri) === null) return { parameter: "redirect_uri" };
  if (resource !== undefined && !isOwnResource(resource, baseUrl)) return { parameter: "resource" };
  return { clientId: client_id, redirectUri: redirect_uri, codeChallenge: code_challenge, state };
}

/** Tokens are for /mcp alone. Some clients name the endpoint at which they were refused, or add a slash. */
const isOwnResource = (resource: string, baseUrl: string): boolean =>
  ["/mcp", "/mcp/oauth"].some((path) => resource.replace(/\/$/, "") === `${baseUrl}${path}`);

/** A refusal of the protocol (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
export const protocolError = z.object({ error: z.string(), error_description: z.string() });

/** A successful response of the token endpoint (RFC 6749, section 5.1). */
export const issuedTokens = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string(),
  scope: z.string(),
});

export type IssuedTokens = z.output<typeof issuedTokens>;

export type Decision = { code: string } | { error: "access_denied" };

/** Where the browser goes with the owner's decision. `iss` tells the app which server decided (RFC 9207). */
export function returnUrl({ redirectUri, state }: AuthorizationRequest, decision: Decision, baseUrl: string): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(decision)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  url.searchParams.set("iss", baseUrl);
  return url.href;
}
