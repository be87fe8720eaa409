import type { ReactNode } from "react";
import { PublicPage } from "@/components/site/public-page";
import { Note } from "@/components/ui/note";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { pageContext } from "@/lib/wiring";
import { OwnerFrame } from "../dashboard/owner-frame";

/** Public, with the dashboard's frame for signed-in owners. */
export default async function IdentityLayout({ children }: { children: ReactNode }) {
  const { actor, config } = await pageContext();
  const isDevnet = config.mode === "devnet";
  const content = (
    <>
      <noscript>
        <Note tone="warn">This tool runs in your browser: turn on JavaScript to use it.</Note>
      </noscript>
      {children}
    </>
  );
  if (actor.type !== "owner") {
    return (
      <PublicPage devnet={isDevnet} width="wide" account={<SignInButton variant="secondary" size="small" />}>
        {content}
      </PublicPage>
    );
  }
  return (
    <OwnerFrame address={actor.address} isDevnet={isDevnet}>
      {content}
    </OwnerFrame>
  );
}
