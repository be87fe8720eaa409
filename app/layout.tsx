import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { EarlyClicks } from "@/components/site/early-clicks";
import { SITE } from "@/components/site/site-facts";
import { SkipLink } from "@/components/site/skip-link";
import { DIRECTIONS } from "@/lib/core/language";
import { pageWords } from "./language";

export const metadata: Metadata = {
  title: { default: SITE.name, template: `%s · ${SITE.name}` },
  description: SITE.description,
  applicationName: SITE.name,
  icons: { icon: [SITE.icon] },
  referrer: "strict-origin-when-cross-origin",
  formatDetection: { telephone: false, address: false, email: false },
};

export const viewport: Viewport = { themeColor: [...SITE.themeColors] };

/** The wallet that components/wallet/config.ts offers in addition to the browser's own wallets. */
const WALLETS = process.env.PASSKEY_WALLET === "coinbase" ? "passkey" : null;

/** The root layout. Reading the nonce makes every page dynamic, as a strict Content-Security-Policy requires. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce");
  const { language, texts } = await pageWords("page");
  return (
    <html
      lang={language}
      dir={DIRECTIONS[language]}
      suppressHydrationWarning
      {...(WALLETS !== null && { "data-wallets": WALLETS })}
    >
      <body>
        <EarlyClicks nonce={nonce ?? undefined} />
        <ThemeProvider
          attribute="class"
          defaultTheme="system"
          enableSystem
          disableTransitionOnChange
          {...(nonce !== null && { nonce })}
        >
          <SkipLink text={texts.skip} />
          {children}
        </ThemeProvider>
      </body>
    </html>
  );
}
