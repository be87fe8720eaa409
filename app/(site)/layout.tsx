import type { ReactNode } from "react";
import { Toaster } from "@/components/ui/toast";
import { Providers } from "@/components/wallet/providers";

/** Everything a page for people needs around it: wallets and toasts. */
export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <Providers mode={process.env.MODE === "production" ? "production" : "devnet"}>
      {children}
      <Toaster />
    </Providers>
  );
}
