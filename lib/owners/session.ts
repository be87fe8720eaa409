import type { AuthOptions } from "next-auth";
import { decode } from "next-auth/jwt";
import { z } from "zod";
import { type Address, addressText } from "@/lib/core/address";
import { id, type OwnerId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { signatureHex } from "@/lib/x402/schema";

/** The only file that knows next-auth. */

export type SignInProof = { message: string; signature: `0x${string}` };
type SignIn = (proof: SignInProof) => Promise<{ ownerId: OwnerId; address: Address } | null>;

const SESSION_SECONDS = 7 * 86_400;
const proof = z.object({ message: z.string(), signature: signatureHex });
const claims = z.object({ ownerId: id("owner"), address: addressText });

/** A session is a JWE of next-auth, so its cookie needs no decoding. */
const SESSION_COOKIE = /(?:^|;)\s*(?:__Secure-)?next-auth\.session-token=([\w.-]+)\s*(?:;|$)/;

export const sessionToken = (cookieHeader: string | null): string | null =>
  SESSION_COOKIE.exec(cookieHeader ?? "")?.[1] ?? null;

/** Whose session `token` is, or null when it is not one of ours or has expired. */
export async function readSession(
  token: string,
  secret: string,
): Promise<{ ownerId: OwnerId; address: Address } | null> {
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

/** next-auth with one way in: a wallet's signature (EIP-4361). */
export function authOptions(system: System, signIn: SignIn): AuthOptions {
  const { baseUrl, sessionSecret } = system.config;
  // It has no option for its own address: only the environment tells it.
  process.env.NEXTAUTH_URL ??= baseUrl;
  process.env.NEXTAUTH_SECRET ??= sessionSecret;
  return {
    secret: sessionSecret,
    useSecureCookies: baseUrl.startsWith("https:"),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
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
          return owner && { id: owner.ownerId, name: owner.address };
        },
      },
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...token, ownerId: user.id, address: user.name } : token),
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
