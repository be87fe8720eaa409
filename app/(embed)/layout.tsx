import type { ReactNode } from "react";
import { DevnetChip } from "@/components/site/devnet-chip";
import { PageWords } from "@/components/texts/context";
import { pageWords } from "../language";

/**
 * The layout of pages that other sites may frame (lib/http/frames.ts). These pages read no session and have no link that navigates the
 * frame within this service: browsers check frame-ancestors only on the first load of a document.
 */
export default async function EmbedLayout({ children }: { children: ReactNode }) {
  const [page, common] = [await pageWords("page"), await pageWords("common")];
  return (
    <PageWords page={page} common={common}>
      <main id="main" tabIndex={-1} className="mx-auto grid w-full max-w-120 grid-cols-1 gap-4 p-4">
        {children}
        <p className="flex flex-wrap items-center justify-between gap-2 text-tiny text-ink-2">
          {page.texts.checkoutBy}
          {process.env.MODE !== "production" && <DevnetChip texts={page.texts} />}
        </p>
      </main>
    </PageWords>
  );
}
