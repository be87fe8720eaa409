"use client";

import { useBuyersPage } from "@/components/texts/context";

/** Shown when a checkout fails to render. Kept small: every visitor downloads it. */
export default function CheckoutError({ retry }: { error: unknown; retry: () => void }) {
  const { texts } = useBuyersPage();
  return (
    <div role="alert" className="mx-auto grid max-w-130 justify-items-start gap-4 py-8">
      <h1 className="text-title">{texts.brokenTitle}</h1>
      <p className="measure text-control text-ink-2">{texts.brokenText}</p>
      <button
        type="button"
        onClick={retry}
        className="min-h-11 rounded-control border border-brand bg-brand px-4 text-control font-medium text-on-brand hover:bg-brand-2"
      >
        {texts.tryAgain}
      </button>
    </div>
  );
}
