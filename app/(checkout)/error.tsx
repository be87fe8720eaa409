"use client";

/** A checkout that broke while being drawn. Of few parts, since every visitor is sent them. */
export default function CheckoutError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <div role="alert" className="mx-auto grid max-w-130 justify-items-start gap-4 py-8">
      <h1 className="text-title">This page could not be shown</h1>
      <p className="measure text-control text-ink-2">
        The fault is ours. Showing a page moves no money. If you have signed already, do not sign again: this page
        remembers what you signed and goes on with it.
      </p>
      <button
        type="button"
        onClick={retry}
        className="min-h-11 rounded-control border border-brand bg-brand px-4 text-control font-medium text-on-brand hover:bg-brand-2"
      >
        Try again
      </button>
    </div>
  );
}
