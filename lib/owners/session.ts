import type { AuthOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import { z } from "zod";
import type { Address } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { id } from "@/lib/core/id-text";
import type { OwnerId, SessionId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { signatureHex } from "@/lib/x402/schema";
import { cookieNames, onlyCookie, repeatedCookie } from "./cookies";
import { ABSOLUTE_SECONDS } from "./rules";

/** Only this file uses next-auth. */

export type SignInProof = { message: string; signature: `0x${string}` };
/** The content of the cookie. Whether the session has ended is stored in its row. */
export type Session = { ownerId: OwnerId; address: Address; sessionId: SessionId };
type Sessions = {
  signIn: (proof: SignInProof) => Promise<Session | null>;
  signOut: (id: SessionId) => Promise<void>;
};

const proof = z.object({ message: z.string(), signature: signatureHex });
const claims = z.object({ ownerId: id("owner"), address: addressText, sessionId: id("session") });

/** The session in a `Cookie` header, or null when this service did not issue it or it has expired. */
export async function readSession({ config }: System, cookieHeader: string | null): Promise<Session | null> {
  const token = onlyCookie(cookieHeader, cookieNames(config.baseUrl).session);
  // A JWE of next-auth needs no decoding.
  if (token === null || !/^[\w.-]+$/.test(token)) return null;
  // For an invalid token next-auth throws errors of its own copy of jose.
  const decoded = await decode({ token, secret: config.sessionSecret }).catch(() => null);
  const session = claims.safeParse(decoded);
  return session.success ? session.data : null;
}

/** Whether a request submits a signature: these are counted as sign-in attempts. */
export const isSignIn = (req: Request): boolean =>
  req.method === "POST" && new URL(req.url).pathname.startsWith("/api/auth/callback/");

const BODY_BYTES_MAX = 16_384;

/** next-auth reads a body of any length into memory. */
export const isTooLarge = (req: Request): boolean =>
  req.method === "POST" && !(Number(req.headers.get("content-length") ?? Number.NaN) <= BODY_BYTES_MAX);

/** Whether next-auth can read the body of a POST: form fields, or a JSON object. It leaves the body unread. */
export async function hasReadableBody(req: Request): Promise<boolean> {
  const type = req.headers.get("content-type") ?? "";
  const text = await req.clone().text();
  if (type.includes("application/json")) return isJsonObject(text);
  return text !== "" && type.includes("application/x-www-form-urlencoded");
}

function isJsonObject(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json);
  } catch {
    return false;
  }
}

/** The next-auth cookie that a request carries twice, or null: next-auth would accept either. */
export const ambiguousCookie = ({ config }: System, req: Request): string | null =>
  repeatedCookie(req.headers.get("cookie"), cookieNames(config.baseUrl));

/** next-auth with one provider: a wallet's signature (EIP-4361). */
export function authOptions(system: System, { signIn, signOut }: Sessions): AuthOptions {
  const { baseUrl, sessionSecret } = system.config;
  const isSecure = baseUrl.startsWith("https:");
  const names = cookieNames(baseUrl);
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure } as const;
  // next-auth has no option for its own URL: it reads the environment.
  process.env.NEXTAUTH_URL ??= baseUrl;
  process.env.NEXTAUTH_SECRET ??= sessionSecret;
  return {
    secret: sessionSecret,
    useSecureCookies: isSecure,
    cookies: {
      sessionToken: { name: names.session, options },
      csrfToken: { name: names.csrf, options },
      callbackUrl: { name: names.callback, options },
    },
    session: { strategy: "jwt", maxAge: ABSOLUTE_SECONDS },
    pages: { signIn: "/sign-in" },
    providers: [
      {
        id: "siwe",
        name: "Ethereum",
        type: "credentials",
        credentials: { message: {}, signature: {} },
        authorize: async (fields) => {
          const parsed = proof.safeParse(fields);
          const owner = parsed.success ? await translated(system, () => signIn(parsed.data)) : null;
          return owner && { id: owner.ownerId, name: owner.address, sessionId: owner.sessionId };
        },
      },
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        if (!user) return token;
        // Set by `authorize`; next-auth's user type has no field for it.
        const sessionId = "sessionId" in user ? user.sessionId : undefined;
        return { ...token, ownerId: user.id, address: user.name, sessionId };
      },
    },
    events: {
      signOut: async ({ token }) => {
        const session = claims.safeParse(token);
        if (session.success) await signOut(session.data.sessionId);
      },
    },
    logger: {
      error: (code, metadata) => system.log.error({ code, err: metadata }, "session.failed"),
      warn: (code) => system.log.warn({ code }, "session.warned"),
      debug: () => {},
    },
  };
}

/** Hides the cause of a failure: next-auth sends the message of anything that `authorize` throws to the browser. */
async function translated<T>(system: System, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    system.log.error({ err: cause }, "sign_in.failed");
    throw new Error("unavailable");
  }
}
