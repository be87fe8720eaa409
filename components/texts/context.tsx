"use client";

import { createContext, type ReactNode, useContext, useEffect } from "react";
import { DEFAULT_LANGUAGE, DIRECTIONS, type Language } from "@/lib/core/language";
import { type CommonTexts, common } from "./en/common";
import type { PageTexts } from "./en/page";
import type { PaymentTexts } from "./en/payment";
import type { WalletTexts } from "./en/wallet";
import type { Words } from "./template";

const CommonContext = createContext<Words<CommonTexts>>({ language: DEFAULT_LANGUAGE, texts: common });
const PageContext = createContext<Words<PageTexts> | null>(null);
const PaymentContext = createContext<Words<PaymentTexts> | null>(null);
const WalletContext = createContext<Words<WalletTexts> | null>(null);

/** Texts of small components; English by default. */
export const useCommon = (): Words<CommonTexts> => useContext(CommonContext);

export const useLanguage = (): Language => useCommon().language;

/** The texts of a checkout's payment panel. Throws outside a checkout. */
export function usePayment(): Words<PaymentTexts> {
  const translation = useContext(PaymentContext);
  if (!translation) throw new Error("the payment panel is outside of PaymentWords");
  return translation;
}

/** Null outside of a translated page; page-words.ts has the English texts. */
export const useGivenPage = (): Words<PageTexts> | null => useContext(PageContext);

/** The texts of the frame of a page for buyers. Throws on other pages. */
export function useBuyersPage(): Words<PageTexts> {
  const translation = useGivenPage();
  if (!translation) throw new Error("the page is outside of PageWords");
  return translation;
}

/** Null outside of a translated page; components/wallet/words.ts has the English texts, which are loaded with the wallet code. */
export const useGivenWallet = (): Words<WalletTexts> | null => useContext(WalletContext);

export type PageWordsProps = { common: Words<CommonTexts>; page: Words<PageTexts>; children: ReactNode };

/**
 * Provides the texts of a page for buyers. Sets the document's language in an effect: client-side navigation to or from the page does not
 * load a document.
 */
export function PageWords({ common: translation, page, children }: PageWordsProps) {
  const { language } = translation;
  useEffect(() => {
    speak(language);
    return () => speak(DEFAULT_LANGUAGE);
  }, [language]);
  return (
    <CommonContext value={translation}>
      <PageContext value={page}>{children}</PageContext>
    </CommonContext>
  );
}

function speak(language: Language): void {
  const { documentElement } = document;
  documentElement.lang = language;
  documentElement.dir = DIRECTIONS[language];
}

export type PaymentWordsProps = { payment: Words<PaymentTexts>; wallet: Words<WalletTexts>; children: ReactNode };

/** Provides the texts of a checkout. */
export const PaymentWords = ({ payment, wallet, children }: PaymentWordsProps) => (
  <PaymentContext value={payment}>
    <WalletContext value={wallet}>{children}</WalletContext>
  </PaymentContext>
);
