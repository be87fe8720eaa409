declare global {
  interface Window {
    /** Called once React handles the events of a marked element. Returns a function that repeats an earlier click, if there was one. */
    onAttached?: (marked: HTMLElement | null) => (() => void) | undefined;
  }
}

/** Remembers a click on a marked element until the next click or navigation. See components/ui/use-early-click.ts. */
export const EarlyClicks = ({ nonce }: { nonce: string | undefined }) => (
  // Browsers hide the nonce from React, so hydration would report a mismatch.
  <script nonce={nonce} suppressHydrationWarning>
    {`(${watch})()`}
  </script>
);

/** Runs in the browser before all other scripts, so it uses nothing outside itself. */
function watch() {
  const patienceMs = 10_000;
  let earlyClick: Event | undefined;
  for (const type of ["click", "pagehide", "popstate"]) {
    const remember = (event: Event) => {
      earlyClick = type === "click" && (event.target as Element).closest?.("[data-early]") ? event : undefined;
    };
    // Capture phase: React stops the propagation of a click on an element that is not hydrated yet.
    addEventListener(type, remember, true);
  }
  window.onAttached = (marked) => {
    marked?.removeAttribute("data-early");
    const click = earlyClick;
    if (!click || !marked?.contains(click.target as Node)) return undefined;
    // A click that is still being dispatched has made React hydrate at once, and React handles it itself.
    if (click.eventPhase !== Event.NONE) earlyClick = undefined;
    const repeat = () => {
      if (earlyClick !== click || performance.now() - click.timeStamp >= patienceMs) return;
      earlyClick = undefined;
      click.target?.dispatchEvent(new MouseEvent("click", click));
    };
    // Runs after the effects of the whole page, which a handler may depend on.
    return () => queueMicrotask(repeat);
  };
}
