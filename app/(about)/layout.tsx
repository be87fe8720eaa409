import type { ReactNode } from "react";
import { PublicPage } from "@/components/site/public-page";
import { ButtonLink } from "@/components/ui/button-link";
import { system } from "@/lib/wiring";

export const dynamic = "force-dynamic";

/** Pages about the service and who runs it. They load no wallet code. */
export default function AboutLayout({ children }: { children: ReactNode }) {
  return (
    <PublicPage
      devnet={system().config.mode === "devnet"}
      width="middle"
      account={
        // On small phones, the devnet note takes the space of this button; the footer has the same link.
        <ButtonLink href="/dashboard" size="small" className="max-[26rem]:hidden">
          Dashboard
        </ButtonLink>
      }
    >
      {children}
    </PublicPage>
  );
}
