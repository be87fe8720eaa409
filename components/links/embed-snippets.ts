export type Snippet = {
  /** The link's URL. */
  url: string;
  /** For example "Pay 1.25 USDC". */
  label: string;
  /** The script of the button and the hash of its bytes. */
  script: { url: string; integrity: string };
};

/** HTML without inline styles or scripts: the site's Content-Security-Policy needs no exception for them. */
export const buttonSnippet = ({ url, label, script }: Snippet): string =>
  `<script src="${escaped(script.url)}" integrity="${escaped(script.integrity)}" crossorigin="anonymous" defer></script>
<a href="${escaped(url)}" data-tessera-link="${escaped(url)}">${escaped(label)}</a>`;

export const frameSnippet = ({ url }: Snippet): string =>
  `<iframe src="${escaped(framedUrl(url))}" title="Checkout" width="100%" height="760" allow="clipboard-write" referrerpolicy="origin"></iframe>`;

/** The URL of a link's checkout for frames. */
export function framedUrl(url: string): string {
  const framed = new URL(url);
  framed.pathname = `/embed${framed.pathname}`;
  return framed.href;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
