import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { AppError } from "@/lib/core/errors";
import { callerOf } from "@/lib/http/caller";
import { signIn, takeSignInTurn } from "@/lib/owners/service";
import { authOptions, isSignIn, isTooLarge } from "@/lib/owners/session";
import { system } from "@/lib/wiring";

type Segments = { params: Promise<{ nextauth: string[] }> };

async function answer(req: NextRequest, { params }: Segments): Promise<Response> {
  if (isTooLarge(req)) return new Response(null, { status: 413 });
  const world = system();
  const caller = callerOf(req);
  if (isSignIn(req)) {
    const seconds = await takeSignInTurn(world, caller);
    if (seconds !== null) return tooMany(seconds);
  }
  // next-auth shows the text of what its callback throws: a limit is kept until it has answered.
  let retryAfterSeconds: unknown;
  const answered: Response = await NextAuth(
    req,
    { params: await params },
    authOptions(world, async (proof) => {
      try {
        return await signIn(world, proof, caller);
      } catch (thrown) {
        if (!AppError.is(thrown) || thrown.kind !== "limited") throw thrown;
        retryAfterSeconds = thrown.details?.retryAfterSeconds;
        return null;
      }
    }),
  );
  return retryAfterSeconds === undefined ? answered : tooMany(Number(retryAfterSeconds));
}

const tooMany = (seconds: number): Response => {
  const message = "Too many sign-ins; wait before the next one";
  return Response.json(
    { status: "error", error: message, message, code: "rate_limited" },
    { status: 429, headers: { "Retry-After": String(seconds), "Cache-Control": "no-store" } },
  );
};

export { answer as GET, answer as POST };
