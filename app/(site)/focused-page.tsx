import type { ReactNode } from "react";
import { PublicPage, type PublicPageProps } from "@/components/site/public-page";
import { AccountChip } from "@/components/wallet/account-chip";
import { DEFAULT_LANGUAGE } from "@/lib/core/language";
import type { PageContext } from "./context";
import { LiveOwner } from "./live";

export type FocusedPageProps = Omit<PublicPageProps, "devnet" | "account"> & { ctx: PageContext; children: ReactNode };

/** The frame of a page with one decision: no navigation, and the same layout before and after its visitor signs in. */
export const FocusedPage = ({ ctx: { actor, config }, children, ...page }: FocusedPageProps) => (
  <PublicPage
    {...page}
    devnet={config.mode === "devnet"}
    account={
      actor.type === "owner" && (
        // The account's menu and its news exist only in English.
        <div lang={DEFAULT_LANGUAGE}>
          <AccountChip address={actor.address} dashboardHref="/dashboard" />
          <LiveOwner />
        </div>
      )
    }
  >
    {children}
  </PublicPage>
);
