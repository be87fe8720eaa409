import { headers } from "next/headers";
import { wordsOf } from "@/components/texts/words";
import type { Language } from "@/lib/core/language";
import { requestedLanguage } from "@/lib/http/language";

export const pageLanguage = async (): Promise<Language> => requestedLanguage(await headers());

/** Texts of an area in the language of the page that is requested. */
export const pageWords = async <Area extends Parameters<typeof wordsOf>[1]>(area: Area) =>
  wordsOf<Area>(await pageLanguage(), area);
