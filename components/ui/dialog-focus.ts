/** Marks the button that cancels. */
export const CANCELS = { "data-cancels": "" } as const;

/** The element to focus when a dialog opens. Never the close button or a destructive one. */
export function firstFocus(content: HTMLElement): HTMLElement | null {
  for (const selector of [FIELD, "[data-cancels]"]) {
    const element = content.querySelector<HTMLElement>(selector);
    if (element) return element;
  }
  // A destructive dialog without a cancel button: focus the dialog itself, so that its text is read first.
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

/** The element to focus when a dialog closes. For a menu item, which is gone by then: the button that opened the menu. */
export function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest("[role=menu]");
  const trigger = menu && document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
  if (trigger) return trigger;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
