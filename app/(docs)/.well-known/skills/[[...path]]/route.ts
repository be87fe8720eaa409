import { skillAt } from "@/lib/docs/skills";
import { system } from "@/lib/wiring";

export async function GET(_: Request, { params }: { params: Promise<{ path?: string[] }> }) {
  const { path = [] } = await params;
  return skillAt("skills", path, system().config.baseUrl);
}
