import { z } from "zod";
import { DEFAULT_LIMITS, LIMIT_NAMES, type Limit, type LimitName } from "@/lib/core/limits";

const limitText = /^(\w+)=([1-9]\d{0,6})\/([1-9]\d{0,4}[smhd]?)$/;

const WINDOW_SECONDS_MAX = 86_400;

export const limitList = z.string().transform((text, issue) => {
  const limits: Record<LimitName, Limit> = { ...DEFAULT_LIMITS };
  for (const part of text.split(",").map((entry) => entry.trim())) {
    const [, nameText, requests = "", time = ""] = limitText.exec(part) ?? [];
    const name = LIMIT_NAMES.find((candidate) => candidate === nameText);
    if (name && seconds(time) <= WINDOW_SECONDS_MAX)
      limits[name] = { requests: Number(requests), seconds: seconds(time) };
    else
      issue.addIssue(
        `must be a list of name=requests/time, for example ${LIMIT_NAMES[0]}=30/1m, within a day. The names: ${LIMIT_NAMES.join(", ")}`,
      );
  }
  return limits;
});

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** "15m" in seconds. */
export function seconds(text: string): number {
  return Number.parseInt(text, 10) * (UNIT_SECONDS[text.at(-1) ?? ""] ?? 1);
}
