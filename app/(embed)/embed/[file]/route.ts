import { scriptResponse } from "@/lib/embed/script";

/** The checkout button for other sites. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  return scriptResponse((await params).file) ?? new Response("There is no such file.\n", { status: 404 });
}
