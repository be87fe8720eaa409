import { DEFAULT_LANGUAGE, type Language, LOCALES, UNIT_SPACES } from "@/lib/core/language";

/** A size for people: 10 MB, 1.2 MB, 34 KB, 7 bytes. Rounded up, so that nothing reads as smaller than it is. */
export function bytesText(bytes: number, language: Language = DEFAULT_LANGUAGE): string {
  if (bytes < 1_000) {
    return new Intl.NumberFormat(LOCALES[language], { style: "unit", unit: "byte", unitDisplay: "long" }).format(bytes);
  }
  const [size, unit] = bytes < 1_024 * 1_000 ? [bytes / 1_024, "KB"] : [Math.ceil((bytes / 1_048_576) * 10) / 10, "MB"];
  const digits = unit === "KB" ? Math.ceil(size) : size;
  return `${new Intl.NumberFormat(LOCALES[language]).format(digits)}${UNIT_SPACES[language]}${unit}`;
}
