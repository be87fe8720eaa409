import { useGivenWallet } from "@/components/texts/context";
import { type WalletTexts, wallet } from "@/components/texts/en/wallet";
import type { Words } from "@/components/texts/template";
import { DEFAULT_LANGUAGE } from "@/lib/core/language";

export type WalletWords = Words<WalletTexts>;

const ENGLISH: WalletWords = { language: DEFAULT_LANGUAGE, texts: wallet };

export const orEnglish = (translation: WalletWords | null): WalletWords => translation ?? ENGLISH;

/** Texts about wallets in the page's language. */
export const useWalletWords = (): WalletWords => orEnglish(useGivenWallet());
