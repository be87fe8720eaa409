import type { ReactNode } from "react";
import { Toaster } from "@/components/ui/toast";
import { Providers } from "@/components/wallet/providers";

/** Wallets and toasts, for pages for people. */
export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <Providers mode={process.env.MODE === "production" ? "production" : "devnet"}>
      {children}
      <Toaster />
    </Providers>
  );
}
