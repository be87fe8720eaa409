type Child = Node | string | null | false;
type Attributes = Record<string, string | boolean | (() => void)>;

/** Creates an element. Strings become text nodes, never markup; functions become click listeners. */
export function h(tag: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

export const note = (kind: "" | "good" | "warn" | "bad", ...children: Child[]): HTMLElement =>
  h("p", { class: `note ${kind}`, role: kind === "bad" ? "alert" : "status", tabindex: "-1" }, ...children);

export const mono = (text: string): HTMLElement => h("span", { class: "mono" }, text);

/** Text with a button that copies it. */
export function copyable(text: string, what: string): HTMLElement {
  const button = h(
    "button",
    {
      type: "button",
      "aria-label": `Copy ${what}`,
      click: () => {
        navigator.clipboard.writeText(text).then(
          () => button.replaceChildren("Copied"),
          // In some browsers, a page from a file may not write to the clipboard.
          () => button.replaceChildren("Select and copy"),
        );
      },
    },
    "Copy",
  );
  return h("div", { class: "field" }, h("code", { tabindex: "0", "aria-label": what }, text), button);
}
