import type { AuthOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import { z } from "zod";
import { type Address, addressText } from "@/lib/core/address";
import { id, type OwnerId, type SessionId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { signatureHex } from "@/lib/x402/schema";
import { cookieNames, onlyCookie, repeatedCookie } from "./cookies";
import { ABSOLUTE_SECONDS } from "./rules";

/** The only file that knows next-auth. */

export type SignInProof = { message: string; signature: `0x${string}` };
/** What the cookie says; whether the session has ended stands in its row. */
export type Session = { ownerId: OwnerId; address: Address; sessionId: SessionId };
type Sessions = {
  signIn: (proof: SignInProof) => Promise<Session | null>;
  signOut: (id: SessionId) => Promise<void>;
};

const proof = z.object({ message: z.string(), signature: signatureHex });
const claims = z.object({ ownerId: id("owner"), address: addressText, sessionId: id("session") });

/** A session is a JWE of next-auth, so its cookie needs no decoding. */
export const sessionToken = (cookieHeader: string | null, baseUrl: string): string | null => {
  const token = onlyCookie(cookieHeader, cookieNames(baseUrl).session);
  return token !== null && /^[\w.-]+$/.test(token) ? token : null;
};

/** Whose session `token` is, or null when it is not one of ours or has expired. */
export async function readSession(token: string, secret: string): Promise<Session | null> {
  // next-auth throws its own copy of jose's errors for whatever is wrong with the token.
  const decoded = await decode({ token, secret }).catch(() => null);
  const session = claims.safeParse(decoded);
  return session.success ? session.data : null;
}

/** Whether a request presents a signature, which is what sign-ins are counted by. */
export const isSignIn = (req: Request): boolean =>
  req.method === "POST" && new URL(req.url).pathname.startsWith("/api/auth/callback/");

const BODY_BYTES_MAX = 16_384;

/** next-auth reads a body whole, however long it is. */
export const isTooLarge = (req: Request): boolean =>
  req.method === "POST" && !(Number(req.headers.get("content-length") ?? Number.NaN) <= BODY_BYTES_MAX);

/** The cookie of next-auth's that a request carries twice, or null: next-auth would trust either. */
export const ambiguousCookie = ({ config }: System, req: Request): string | null =>
  repeatedCookie(req.headers.get("cookie"), cookieNames(config.baseUrl));

/** next-auth with one way in: a wallet's signature (EIP-4361). */
export function authOptions(system: System, { signIn, signOut }: Sessions): AuthOptions {
  const { baseUrl, sessionSecret } = system.config;
  const isSecure = baseUrl.startsWith("https:");
  const names = cookieNames(baseUrl);
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure } as const;
  // It has no option for its own address: only the environment tells it.
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
          const given = proof.safeParse(fields);
          const owner = given.success ? await translated(system, () => signIn(given.data)) : null;
          return owner && { id: owner.ownerId, name: owner.address, sessionId: owner.sessionId };
        },
      },
    ],
    callbacks: {
      jwt: ({ token, user }) => {
        if (!user) return token;
        // Put there by `authorize`; next-auth's type of a user has no room for it.
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
      error: (code, metadata) => system.log.error({ code, err: metadata }, "session"),
      warn: (code) => system.log.warn({ code }, "session"),
      debug: () => {},
    },
  };
}

/** next-auth shows the text of whatever `authorize` throws to the browser. */
async function translated<T>(system: System, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    system.log.error({ err: cause }, "sign_in_failed");
    throw new Error("unavailable");
  }
}
