/** Marks the button that leaves everything as it is. */
export const CANCELS = { "data-cancels": "" } as const;

/** Where the focus goes when a dialog opens: never to the button that closes it, nor to one that destroys. */
export function firstFocus(content: HTMLElement): HTMLElement | null {
  for (const selector of [FIELD, "[data-cancels]"]) {
    const element = content.querySelector<HTMLElement>(selector);
    if (element) return element;
  }
  // Without a way to cancel, the text is read first.
  if (content.querySelector("[data-destroys]")) return null;
  return [...content.querySelectorAll<HTMLElement>(FOCUSABLE)].find((element) => !element.closest("header")) ?? null;
}

const FIELD = [
  "input:not([type=hidden]):not([type=radio]):not(:disabled)",
  "input[type=radio]:checked:not(:disabled)",
  "select:not(:disabled)",
  "textarea:not(:disabled)",
].join(", ");
const FOCUSABLE = "button:not(:disabled), a[href], summary, [tabindex]:not([tabindex='-1'])";

/** Where the focus returns: for an item of a menu, which is gone then, the button that opened the menu. */
export function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest("[role=menu]");
  const trigger = menu && document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
  if (trigger) return trigger;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
