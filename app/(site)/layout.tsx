import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Toaster } from "@/components/ui/toaster";
import { Wallets } from "@/components/wallet/wallets";
import { titlePrefix } from "./live";

/** Every page of a signed-in owner has the count of what waits for them in its title. */
export async function generateMetadata(): Promise<Metadata> {
  const prefix = await titlePrefix();
  return { title: { default: `${prefix}Agent wallet`, template: `${prefix}%s · Tessera` } };
}

/** Wallets and toasts, for pages for people. */
export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <Wallets mode={process.env.MODE === "production" ? "production" : "devnet"}>
      {children}
      <Toaster />
    </Wallets>
  );
}
