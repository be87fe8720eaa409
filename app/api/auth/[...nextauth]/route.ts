import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { signIn } from "@/lib/owners/service";
import { authOptions, isTooLarge } from "@/lib/owners/session";
import { system } from "@/lib/wiring";

type Segments = { params: Promise<{ nextauth: string[] }> };

async function answer(req: NextRequest, { params }: Segments): Promise<Response> {
  if (isTooLarge(req)) return new Response(null, { status: 413 });
  const world = system();
  return NextAuth(
    req,
    { params: await params },
    authOptions(world, (proof) => signIn(world, proof)),
  );
}

export { answer as GET, answer as POST };
