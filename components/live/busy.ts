const EDITED_MS = 10_000;

let editedAt = Number.NEGATIVE_INFINITY;

/** Remembers when the person last typed. */
export function watchEditing(): () => void {
  const onInput = () => {
    editedAt = performance.now();
  };
  document.addEventListener("input", onInput, true);
  return () => document.removeEventListener("input", onInput, true);
}

const DIALOGS = "dialog[open], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
const FIELDS = "input, textarea, select, [contenteditable]";

/** True if a refresh would disturb: a dialog or menu is open, or the person is typing. */
export function isBusy(): boolean {
  if (document.querySelector(DIALOGS)) return true;
  const isTyping = performance.now() - editedAt < EDITED_MS;
  return isTyping && document.activeElement?.matches(FIELDS) === true;
}
