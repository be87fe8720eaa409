import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";

export const metadata: Metadata = {
  title: { default: "Tessera", template: "%s · Tessera" },
  description: "An agent wallet you can trust. You set the limit and sign it; your agents pay within it.",
  applicationName: "Tessera",
  icons: { icon: [{ url: "/icon.svg", type: "image/svg+xml" }] },
  referrer: "strict-origin-when-cross-origin",
  formatDetection: { telephone: false, address: false, email: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f7f7f4" },
    { media: "(prefers-color-scheme: dark)", color: "#0e1114" },
  ],
};

/** What components/wallet/config.ts offers beside the wallets of the browser. */
const WALLETS = process.env.PASSKEY_WALLET === "coinbase" ? "passkey" : null;

/** The document. Reading the nonce makes every page dynamic, as a strict script policy needs. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce");
  return (
    <html lang="en" suppressHydrationWarning {...(WALLETS !== null && { "data-wallets": WALLETS })}>
      <body>
        <ThemeProvider
          attribute="class"
          defaultTheme="system"
          enableSystem
          disableTransitionOnChange
          {...(nonce !== null && { nonce })}
        >
          <a
            href="#main"
            className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-brand px-4 py-2.5 font-medium text-on-brand focus:translate-y-0"
          >
            Skip to content
          </a>
          {children}
        </ThemeProvider>
      </body>
    </html>
  );
}
