import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { signIn } from "@/lib/owners/service";
import { ambiguousCookie, authOptions, isTooLarge } from "@/lib/owners/session";
import { system } from "@/lib/wiring";

type Segments = { params: Promise<{ nextauth: string[] }> };

async function answer(req: NextRequest, { params }: Segments): Promise<Response> {
  if (isTooLarge(req)) return new Response(null, { status: 413 });
  const world = system();
  const cookie = ambiguousCookie(world, req);
  if (cookie !== null) return refuse(`The cookie ${cookie} came twice. Delete this site's cookies and sign in again`);
  return NextAuth(
    req,
    { params: await params },
    authOptions(world, (proof) => signIn(world, proof)),
  );
}

const refuse = (message: string) =>
  Response.json({ status: "error", error: message, message, code: "invalid_request" }, { status: 400 });

export { answer as GET, answer as POST };
