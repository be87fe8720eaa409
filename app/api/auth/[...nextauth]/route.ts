import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { AppError } from "@/lib/core/errors";
import { callerOf } from "@/lib/http/caller";
import { ownerOfRequest, signIn, takeSignInTurn } from "@/lib/owners/service";
import { ambiguousCookie, authOptions, hasReadableBody, isSignIn, isTooLarge } from "@/lib/owners/session";
import { signOut } from "@/lib/owners/sessions";
import { system } from "@/lib/wiring";

type Segments = { params: Promise<{ nextauth: string[] }> };

async function handleRequest(req: NextRequest, { params }: Segments): Promise<Response> {
  if (isTooLarge(req)) return new Response(null, { status: 413 });
  const world = system();
  const cookie = ambiguousCookie(world, req);
  if (cookie !== null)
    return refuse(`The request has two cookies named ${cookie}. Delete this site's cookies and sign in again`);
  const { nextauth } = await params;
  // next-auth writes whatever a client posts here to the log.
  if (nextauth[0] === "_log") return Response.json({}, { status: 404, headers: { "Cache-Control": "no-store" } });
  // next-auth responds with 500 to both a GET of the callback and an unreadable body.
  if (req.method === "GET" && nextauth[0] === "callback") return CALLBACK_NEEDS_POST();
  if (req.method === "POST" && !(await hasReadableBody(req))) return refuse(UNREADABLE);
  // next-auth reads only the cookie and would still return the owner of a session that was ended on another device.
  if (nextauth[0] === "session" && !(await ownerOfRequest(world, req))) {
    return Response.json({}, { headers: { "Cache-Control": "no-store" } });
  }
  const caller = callerOf(req);
  if (isSignIn(req)) {
    const seconds = await takeSignInTurn(world, caller);
    if (seconds !== null) return tooMany(seconds);
  }
  // next-auth passes error messages of this callback to the browser. The rate limit is stored here and the 429 is sent afterwards.
  let retryAfterSeconds: unknown;
  const answered: Response = await NextAuth(
    req,
    { params: { nextauth } },
    authOptions(world, {
      signIn: async (proof) => {
        try {
          return await signIn(world, proof, caller, req.headers.get("user-agent"));
        } catch (error) {
          if (!(error instanceof AppError) || error.kind !== "limited") throw error;
          retryAfterSeconds = error.details?.retryAfterSeconds;
          return null;
        }
      },
      signOut: (id) => signOut(world, id),
    }),
  );
  return retryAfterSeconds === undefined ? answered : tooMany(Number(retryAfterSeconds));
}

const tooMany = (seconds: number): Response => {
  const message = "Too many sign-in attempts. Wait before you try again";
  return Response.json(
    { status: "error", error: message, message, code: "rate_limited" },
    { status: 429, headers: { "Retry-After": String(seconds), "Cache-Control": "no-store" } },
  );
};

const UNREADABLE =
  "Send the fields, with the csrfToken of GET /api/auth/csrf, as application/x-www-form-urlencoded or as a JSON object";

const CALLBACK_NEEDS_POST = (): Response => {
  const message = "Send the signed message with POST";
  return Response.json(
    { status: "error", error: message, message, code: "method_not_allowed" },
    { status: 405, headers: { Allow: "POST", "Cache-Control": "no-store" } },
  );
};

const refuse = (message: string) =>
  Response.json({ status: "error", error: message, message, code: "invalid_request" }, { status: 400 });

export { handleRequest as GET, handleRequest as POST };
