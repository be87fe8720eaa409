import { parseUrl } from "@tessera/x402/url";
import { filled } from "@/components/texts/filled";
import type { Template } from "@/components/texts/template";

/** Untrusted text with its URLs as links. After each URL, shows the host that it opens, which the text may try to disguise. */
export const LinkedText = ({ text, opens }: { text: string; opens: Template<"host"> }) =>
  splitUrls(text).map((part, index) =>
    part.href === undefined ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same text always has the same parts
      <span key={index}>
        <a
          href={part.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          <bdi>{part.text}</bdi>
        </a>
        <span className="text-tiny text-ink-2 select-none"> {filled(opens, { host: <bdi>{part.host}</bdi> })}</span>
      </span>
    ),
  );

/** A part of a text. A URL has `href`; `host` is its host in ASCII. */
type TextPart = { text: string; href?: undefined } | { text: string; href: string; host: string };

const LINKS_MAX = 100;
const URL_MAX = 2_048;

// Excludes quotes, angle brackets and backslashes, which end a URL in JSON or HTML, and invisible characters, which could hide a part of
// it.
const CANDIDATE = /https?:\/\/[^\s"'<>`\\^{}|\p{Cc}\p{Cf}]{1,4096}/giu;
/** Characters that more often end the sentence around a URL than the URL itself. */
const TAIL = new Set(".,;:!?)]*_~…");

/** Splits untrusted text at its http and https URLs. The joined parts equal the text. */
export function splitUrls(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let position = 0;
  let links = 0;
  for (const { 0: candidate, index } of text.matchAll(CANDIDATE)) {
    if (links === LINKS_MAX) break;
    const link = linkOf(candidate);
    if (!link) continue;
    if (index > position) parts.push({ text: text.slice(position, index) });
    parts.push(link);
    links++;
    position = index + link.text.length;
  }
  if (position < text.length) parts.push({ text: text.slice(position) });
  return parts;
}

function linkOf(candidate: string): Extract<TextPart, { href: string }> | null {
  const text = withoutTail(candidate);
  const url = text.length > URL_MAX ? null : parseUrl(text);
  if (!url) return null;
  const { href, host, username, password } = url;
  // A user name looks like the host to a reader: https://bank.example@evil.example
  return username === "" && password === "" ? { text, href, host } : null;
}

/** Removes trailing punctuation. Keeps a closing bracket that was opened within the URL. */
function withoutTail(candidate: string): string {
  let unopened = candidate.split(")").length - candidate.split("(").length;
  let end = candidate.length;
  for (; TAIL.has(candidate.charAt(end - 1)); end--) {
    if (candidate.charAt(end - 1) !== ")") continue;
    if (unopened <= 0) break;
    unopened--;
  }
  return candidate.slice(0, end);
}
