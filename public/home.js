// All the code of the front page: the theme before anything is drawn, its buttons, the menu, and copying code.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  // The key and the values of next-themes, which the other pages use.
  const KEY = "theme";

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      // Storage is blocked: the device's theme is used.
      return null;
    }
  }

  function show(theme) {
    root.classList.remove("light", "dark");
    root.classList.add(theme);
    root.style.colorScheme = theme;
  }

  function current() {
    const chosen = stored();
    return chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
  }

  show(current());
  system.addEventListener("change", () => show(current()));

  function turn() {
    const next = root.classList.contains("dark") ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage is blocked: the choice holds until the page is left.
    }
    show(next);
  }

  async function copy(button) {
    const box = button.closest("[data-code]");
    const said = box.querySelector("[data-said]");
    const isCopied = await navigator.clipboard.writeText(box.querySelector("pre").textContent).then(
      () => true,
      () => false,
    );
    said.textContent = isCopied ? "Copied" : "Select the text to copy it";
    button.classList.toggle("text-good", isCopied);
    setTimeout(() => {
      said.textContent = "";
      button.classList.remove("text-good");
    }, 2_000);
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-turns-theme]")) turn();
    const copies = event.target.closest("[data-copies]");
    if (copies) void copy(copies);
    const menu = document.querySelector("[data-menu][open]");
    // The summary itself opens and closes it.
    if (menu && !event.target.closest("summary")) menu.open = false;
  });

  document.addEventListener("keydown", (event) => {
    const menu = document.querySelector("[data-menu][open]");
    if (event.key !== "Escape" || !menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
})();
