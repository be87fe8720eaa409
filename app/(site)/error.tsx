"use client";

import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import { Wordmark } from "@/components/ui/wordmark";

/** Shown when rendering fails. Rendering never moves money, and the page says so. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const reference = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid max-w-130 gap-8 px-5 py-8">
      <Wordmark />
      <div role="alert">
        <PageHeader
          title="This page could not be shown"
          description="Something went wrong on our side. Loading a page moves no money. If you were paying or signing, check your payments before you try again."
        />
      </div>
      <div className="flex flex-wrap gap-2.5">
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
        <ButtonLink href="/dashboard/payments">See your payments</ButtonLink>
      </div>
      {reference !== undefined && (
        <p className="text-small text-ink-2">
          Reference for support: <span className="mono">{reference}</span>
        </p>
      )}
    </main>
  );
}
