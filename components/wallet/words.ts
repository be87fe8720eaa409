import { useGivenWallet } from "@/components/texts/context";
import { type WalletTexts, wallet } from "@/components/texts/en/wallet";
import type { Words } from "@/components/texts/template";
import { DEFAULT_LANGUAGE } from "@/lib/core/language";

export type WalletWords = Words<WalletTexts>;

const ENGLISH: WalletWords = { language: DEFAULT_LANGUAGE, texts: wallet };

export const orEnglish = (translation: WalletWords | null): WalletWords => translation ?? ENGLISH;

/** What wallets say, in the language of the page. */
export const useWalletWords = (): WalletWords => orEnglish(useGivenWallet());
