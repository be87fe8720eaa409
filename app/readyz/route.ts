import { readiness } from "@/lib/wiring";

export async function GET(): Promise<Response> {
  const report = await readiness();
  return Response.json(report, {
    status: report.status === "ok" ? 200 : 503,
    headers: { "Cache-Control": "no-store" },
  });
}
