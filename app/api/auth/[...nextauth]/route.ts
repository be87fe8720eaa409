import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { ownerOfRequest, signIn } from "@/lib/owners/service";
import { ambiguousCookie, authOptions, isTooLarge } from "@/lib/owners/session";
import { signOut } from "@/lib/owners/sessions";
import { system } from "@/lib/wiring";

type Segments = { params: Promise<{ nextauth: string[] }> };

async function answer(req: NextRequest, { params }: Segments): Promise<Response> {
  if (isTooLarge(req)) return new Response(null, { status: 413 });
  const world = system();
  const cookie = ambiguousCookie(world, req);
  if (cookie !== null) return refuse(`The cookie ${cookie} came twice. Delete this site's cookies and sign in again`);
  const { nextauth } = await params;
  // next-auth reads the cookie alone, and would go on to name the owner of a session that was ended elsewhere.
  if (nextauth[0] === "session" && !(await ownerOfRequest(world, req))) {
    return Response.json({}, { headers: { "Cache-Control": "no-store" } });
  }
  return NextAuth(
    req,
    { params: { nextauth } },
    authOptions(world, {
      signIn: (proof) => signIn(world, proof, req.headers.get("user-agent")),
      signOut: (id) => signOut(world, id),
    }),
  );
}

const refuse = (message: string) =>
  Response.json({ status: "error", error: message, message, code: "invalid_request" }, { status: 400 });

export { answer as GET, answer as POST };
