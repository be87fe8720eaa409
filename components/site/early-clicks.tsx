declare global {
  interface Window {
    /** Called when React has attached to a marked element. Returns what repeats the click that came before, if there was one. */
    onAttached?: (marked: HTMLElement | null) => (() => void) | undefined;
  }
}

/** Remembers a click on a marked element until the next click, or until the page is left: components/ui/use-early-click.ts. */
export const EarlyClicks = ({ nonce }: { nonce: string | undefined }) => (
  // Browsers hide the nonce from React.
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
    // Captured: React stops the propagation of a click on an element that it cannot attach to yet.
    addEventListener(type, remember, true);
  }
  window.onAttached = (marked) => {
    marked?.removeAttribute("data-early");
    const click = earlyClick;
    if (!click || !marked?.contains(click.target as Node)) return undefined;
    // A click that is still dispatched made React attach at once, and React handles it next.
    if (click.eventPhase !== Event.NONE) earlyClick = undefined;
    const repeat = () => {
      if (earlyClick !== click || performance.now() - click.timeStamp >= patienceMs) return;
      earlyClick = undefined;
      click.target?.dispatchEvent(new MouseEvent("click", click));
    };
    // After the effects of the whole page, on which a handler may depend.
    return () => queueMicrotask(repeat);
  };
}
