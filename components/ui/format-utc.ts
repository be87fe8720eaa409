import { type Language, UNIT_SPACES } from "@/lib/core/language";
import { formatClock, formatDay } from "./format-time";

// Separate from format-time.ts, which every visitor of a checkout loads.

/** An absolute time in UTC: "2026-12-03 14:05 UTC", "3. Dezember 2026, 14:05 UTC"; with seconds: "14:05:09". */
export function formatUtc(time: Date, language: Language, hasSeconds = false): string {
  if (language === "en") {
    const text = time.toISOString().slice(0, hasSeconds ? 19 : 16);
    return `${text.replace("T", " ")} UTC`;
  }
  const form = { language, timeZone: "UTC" };
  return `${formatDay(time, form)}, ${formatClock(time, { ...form, hasSeconds })}${UNIT_SPACES[language]}UTC`;
}
