import { DEFAULT_LANGUAGE } from "@/lib/core/language";
import { useGivenPage } from "./context";
import { type PageTexts, page } from "./en/page";
import type { Words } from "./template";

const ENGLISH: Words<PageTexts> = { language: DEFAULT_LANGUAGE, texts: page };

/** The texts of a page's frame; English by default. Do not use in components that every checkout loads: it bundles the English texts. */
export const usePageWords = (): Words<PageTexts> => useGivenPage() ?? ENGLISH;
