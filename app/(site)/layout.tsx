import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Connection } from "@/components/site/connection";
import { Toaster } from "@/components/ui/toaster";
import { Wallets } from "@/components/wallet/wallets";
import { titlePrefix } from "./live";

/** The title of a signed-in owner's page begins with the number of pending decisions. */
export async function generateMetadata(): Promise<Metadata> {
  const prefix = await titlePrefix();
  return { title: { default: `${prefix}Agent wallet`, template: `${prefix}%s · Tessera` } };
}

/** The layout of pages for people: provides wallets and toasts. */
export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <Wallets mode={process.env.MODE === "production" ? "production" : "devnet"}>
      {children}
      <Toaster />
      <Connection />
    </Wallets>
  );
}
