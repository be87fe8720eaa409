// Tessera checkout button, version 1. Guide: /docs/payment-links#on-your-own-page
(() => {
  if (
    customElements.get("tessera-button") ||
    !document.adoptedStyleSheets ||
    !window.HTMLDialogElement ||
    !URL.canParse
  )
    return;
  const home = document.currentScript && new URL(document.currentScript.src).origin;
  const WAIT_MS = 4000;
  const sheet = (css) => {
    const made = new CSSStyleSheet();
    made.replaceSync(css);
    return made;
  };
  const BUTTON = sheet(
    `a{display:inline-block;padding:.7em 1.2em;border-radius:10px;background:#0b5d4e;color:#fff;font:500 1rem/1.3 system-ui,sans-serif;text-decoration:none}a:hover{background:#084a3e}a:focus-visible{outline:3px solid #0b5d4e;outline-offset:2px}`,
  );
  const OVERLAY = sheet(
    `dialog{width:min(480px,100vw);height:min(780px,100dvh);max-width:none;max-height:none;padding:0;border:0;border-radius:14px;background:Canvas;color:CanvasText;color-scheme:light dark;overflow:hidden;font:14px/1.4 system-ui,sans-serif}dialog[open]{display:flex;flex-direction:column}dialog::backdrop{background:#000a}header{display:flex;gap:8px;justify-content:space-between;align-items:center;padding:6px 8px 6px 16px;border-bottom:1px solid #8886}a{color:inherit}button{min-width:44px;min-height:44px;border:0;background:none;color:inherit;font:inherit;cursor:pointer}:focus-visible{outline:3px solid #0b5d4e;outline-offset:-3px}iframe{flex:1;width:100%;border:0}p{padding:0 16px}`,
  );

  /** The address of a link for frames; null for anything else, which stays an ordinary link. */
  const framed = (link) => {
    if (!URL.canParse(link)) return null;
    const url = new URL(link);
    if ((home && url.origin !== home) || !/^\/pay\/lnk_[0-9A-Za-z]+$/.test(url.pathname)) return null;
    url.pathname = `/embed${url.pathname}`;
    return url;
  };
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const open = (link, url, opener) => {
    const host = element("div");
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [OVERLAY];
    const frame = element("iframe", {
      src: url.href,
      title: "Checkout",
      allow: "clipboard-write",
      referrerPolicy: "origin",
    });
    const tab = element("a", { href: link, target: "_blank", rel: "noopener", textContent: "Open in a new tab" });
    const close = element("button", { type: "button", textContent: "Close" });
    const dialog = element("dialog", { ariaLabel: "Checkout" }, element("header", {}, tab, close), frame);
    const last = { status: "closed", linkId: url.pathname.split("/").pop(), settlementId: null };
    const tell = (detail) =>
      opener.dispatchEvent(new CustomEvent("tessera:payment", { bubbles: true, composed: true, detail }));
    // A frame that says nothing was refused: by the merchant's policy, or because its origin is not verified.
    const refused = () => {
      clearTimeout(timer);
      const opened = window.open(link, "_blank");
      if (opened) {
        opened.opener = null;
        dialog.close();
      } else {
        frame.replaceWith(
          element("p", { role: "alert", textContent: "The checkout cannot be shown here. Open it in a new tab." }),
        );
        tab.focus();
      }
    };
    let timer;
    let isReady = false;
    // Browsers also fire it for a frame that they refuse.
    frame.addEventListener("load", () => {
      clearTimeout(timer);
      if (!isReady) timer = setTimeout(refused, WAIT_MS);
    });
    const violated = (event) => {
      if (event.effectiveDirective === "frame-src" && event.blockedURI.startsWith(url.origin)) refused();
    };
    const hear = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== url.origin || data?.source !== "tessera") return;
      isReady = true;
      clearTimeout(timer);
      if (data.type !== "tessera.payment") return;
      last.settlementId = data.settlementId;
      if (data.status === "closed") dialog.close();
      else tell({ status: data.status, linkId: data.linkId, settlementId: data.settlementId });
    };
    dialog.addEventListener("close", () => {
      clearTimeout(timer);
      removeEventListener("message", hear);
      document.removeEventListener("securitypolicyviolation", violated);
      host.remove();
      opener.focus();
      tell(last);
    });
    close.addEventListener("click", () => dialog.close());
    addEventListener("message", hear);
    document.addEventListener("securitypolicyviolation", violated);
    root.append(dialog);
    document.body.append(host);
    dialog.showModal();
    close.focus();
  };

  /** Follows the link as usual in all cases in which an overlay is not wanted. */
  const click = (event, link, opener) => {
    const url = framed(link);
    if (
      !url ||
      event.defaultPrevented ||
      event.button ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    if (matchMedia("(max-width: 640px)").matches) window.open(link, "_blank", "noopener");
    else open(link, url, opener);
  };

  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element && event.target.closest("a[data-tessera-link]");
    if (anchor) click(event, anchor.dataset.tesseraLink, anchor);
  });
  const prepare = () => {
    for (const anchor of document.querySelectorAll("a[data-tessera-link]")) {
      // Only an address that was checked: one with javascript: would run.
      const link = anchor.dataset.tesseraLink;
      if (!framed(link)) continue;
      if (!anchor.hasAttribute("href")) anchor.href = link;
      anchor.setAttribute("aria-haspopup", "dialog");
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", prepare);
  else prepare();

  customElements.define(
    "tessera-button",
    class extends HTMLElement {
      static observedAttributes = ["link"];
      #anchor = element("a", { part: "button", ariaHasPopup: "dialog" }, element("slot", {}, "Pay with USDC"));
      constructor() {
        super();
        const root = this.attachShadow({ mode: "open", delegatesFocus: true });
        root.adoptedStyleSheets = [BUTTON];
        root.append(this.#anchor);
        this.#anchor.addEventListener("click", (event) => click(event, this.getAttribute("link"), this));
      }
      attributeChangedCallback() {
        const link = this.getAttribute("link");
        if (framed(link)) this.#anchor.href = link;
        else this.#anchor.removeAttribute("href");
      }
    },
  );
})();
