import { DEFAULT_LANGUAGE } from "@/lib/core/language";
import { useGivenPage } from "./context";
import { type PageTexts, page } from "./en/page";
import type { Words } from "./template";

const ENGLISH: Words<PageTexts> = { language: DEFAULT_LANGUAGE, texts: page };

/** The texts of the frame of a page. English where no page says otherwise. Not for what every checkout loads: it brings them. */
export const usePageWords = (): Words<PageTexts> => useGivenPage() ?? ENGLISH;
