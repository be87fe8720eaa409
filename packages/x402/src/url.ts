/**
 * Parses a URL (WHATWG URL); null if the text is none. In place of `URL.canParse`, which on Node 20 and 22 calls every URL with a
 * letter between U+0080 and U+00FF invalid once it has been compiled, after some thousand calls.
 *
 * @example
 * parseUrl("https://bücher.example/")?.host; // "xn--bcher-kva.example"
 * parseUrl("/moved", response.url);
 */
export function parseUrl(text: string | URL, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
