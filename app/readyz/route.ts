import { publicReadiness } from "@/lib/wiring";

export async function GET(): Promise<Response> {
  const report = await publicReadiness();
  return Response.json(report, {
    status: report.status === "ok" ? 200 : 503,
    headers: { "Cache-Control": "no-store" },
  });
}
