import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import { Lexer, Parser, Renderer, type Token, type Tokens } from "marked";
import { siteAddress } from "./links";

for (const [name, language] of Object.entries({ bash, http, json, python, typescript })) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(["ts", "js"], { languageName: "typescript" });
hljs.registerAliases(["sh", "shell"], { languageName: "bash" });
hljs.registerAliases(["py"], { languageName: "python" });

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** A code block as HTML: escaped, with highlight.js spans if the language is known. */
const highlight = (code: string, language: string): string =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);

export type Heading = { readonly id: string; readonly text: string; readonly depth: number };

/**
 * A part of a page: HTML, or a code block, which is shown with a copy button. HTML with `endsWith` ends with the heading of that
 * anchor, so that a page can insert something after it.
 */
export type Block =
  | { readonly kind: "html"; readonly html: string; readonly endsWith?: string }
  | { readonly kind: "code"; readonly code: string; readonly html: string; readonly language: string };

export type Rendered = {
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly headings: readonly Heading[];
};

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** Text as HTML: addresses and lists of codes break between their parts, names of fields not at all. */
const breakable = (text: string): string => escapeHtml(text).replace(/[/.,]+(?=[^/.,])/g, "$&<wbr>");

/** The text of tokens without their markup. */
const plain = (tokens: readonly Token[] | undefined, fallback = ""): string =>
  tokens
    ?.map((token) =>
      "tokens" in token && token.tokens ? plain(token.tokens) : "text" in token ? String(token.text) : "",
    )
    .join("") ?? fallback;

/** Assigns heading anchors as GitHub does: repeated texts are numbered. */
function anchors(): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const slug = slugOf(text);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

function rendererFor(file: string, idOf: (heading: Tokens.Heading) => string): Renderer {
  const renderer = new Renderer();
  renderer.heading = function (token) {
    const id = escapeHtml(idOf(token));
    const text = plain(token.tokens);
    const inner = /^[A-Z]+ \//.test(text) ? breakable(text) : this.parser.parseInline(token.tokens);
    const label = escapeHtml(`Link to “${text}”`);
    return `<h${token.depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="${label}">#</a></h${token.depth}>\n`;
  };
  renderer.link = function ({ href, tokens }) {
    const inner = this.parser.parseInline(tokens);
    const address = siteAddress(href, file);
    return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
  };
  renderer.image = ({ text }) => escapeHtml(text);
  const table = renderer.table;
  renderer.table = function (token) {
    // Wide tables scroll in their own box, which the keyboard can focus.
    return `<div class="table-box" role="group" aria-label="Table" tabindex="0">${table.call(this, token)}</div>\n`;
  };
  renderer.codespan = ({ text }) => `<code>${breakable(text)}</code>`;
  const cell = renderer.tablecell;
  // Screen readers would announce an empty header cell as a header without a name.
  renderer.tablecell = function (token) {
    return token.header && token.text === "" ? "<td></td>\n" : cell.call(this, token);
  };
  // HTML comments mark generated parts.
  renderer.html = ({ text }) => (text.trimStart().startsWith("<!--") ? "" : escapeHtml(text));
  renderer.code = ({ text, lang = "" }) =>
    `<pre tabindex="0"><code>${highlight(text, languageOf(lang))}</code></pre>\n`;
  return renderer;
}

/** The first word of a fence's info string; the other words are for tests. */
const languageOf = (fence: string): string => fence.split(/\s/)[0] ?? "";

/**
 * Renders a trusted page; HTML in it is escaped. `file`: its path relative to docs/, which links are resolved against. The first h1
 * becomes the title and is not in `blocks`.
 */
export function renderMarkdown(markdown: string, file: string): Rendered {
  const tokens = Lexer.lex(markdown);
  const id = anchors();
  const ids = new Map<Tokens.Heading, string>();
  for (const token of tokens) {
    if (token.type === "heading") ids.set(token as Tokens.Heading, id(plain(token.tokens)));
  }
  const idOf = (heading: Tokens.Heading) => ids.get(heading) ?? slugOf(plain(heading.tokens));
  const parser = new Parser({ renderer: rendererFor(file, idOf) });
  const title = [...ids.keys()].find(({ depth }) => depth === 1);
  const headings = [...ids]
    .filter(([{ depth }]) => depth === 2 || depth === 3)
    .map(([heading, anchor]) => ({ id: anchor, text: plain(heading.tokens), depth: heading.depth }));
  const blocks: Block[] = [];
  let pending: Token[] = [];
  const flush = (endsWith?: string) => {
    if (pending.length > 0) {
      blocks.push({ kind: "html", html: parser.parse(pending), ...(endsWith !== undefined && { endsWith }) });
    }
    pending = [];
  };
  for (const token of tokens) {
    if (token === title) continue;
    if (token.type !== "code") {
      pending.push(token);
      if (token.type === "heading" && token.depth === 2) flush(ids.get(token as Tokens.Heading));
      continue;
    }
    flush();
    const language = languageOf(token.lang ?? "");
    blocks.push({ kind: "code", code: token.text, html: highlight(token.text, language), language });
  }
  flush();
  return { title: title ? plain(title.tokens) : "", blocks, headings };
}

/** Code blocks of a page whose info string contains `tag` after the language. */
export const fences = (markdown: string, tag: string): readonly { language: string; code: string }[] =>
  Lexer.lex(markdown).flatMap((token) => {
    if (token.type !== "code") return [];
    const [language = "", ...tags] = (token.lang ?? "").split(/\s+/);
    return tags.includes(tag) ? [{ language, code: token.text as string }] : [];
  });

export type Section = { readonly id: string; readonly heading: string; readonly text: string };

/** The text of a page by section, for the search. The first section has the id "" and the page's title. */
export function sectionsOf(markdown: string): readonly Section[] {
  const id = anchors();
  const sections: { id: string; heading: string; text: string; code: string }[] = [];
  for (const token of Lexer.lex(markdown)) {
    if (token.type === "heading") {
      const heading = plain(token.tokens);
      const anchor = id(heading);
      sections.push({ id: token.depth === 1 ? "" : anchor, heading, text: "", code: "" });
    } else {
      const last = sections.at(-1);
      if (last && token.type === "code") last.code += ` ${token.text.replace(/\s+/g, " ")}`;
      else if (last) last.text += ` ${textOf(token)}`;
    }
  }
  // Code comes last, so that excerpts are prose if possible.
  return sections.map(({ id, heading, text, code }) => ({
    id,
    heading,
    text: `${text}${code}`.replace(/ +/g, " ").trim(),
  }));
}

/** The visible text of a block. */
function textOf(token: Token): string {
  const parts = (tokens: readonly Token[]) => tokens.map(textOf).join(" ");
  switch (token.type) {
    case "html":
      return "";
    case "table":
      return [...token.header, ...token.rows.flat()].map(({ tokens }: Tokens.TableCell) => plain(tokens)).join(" ");
    case "list":
      return parts(token.items);
    case "blockquote":
    case "list_item":
      return parts(token.tokens ?? []);
    case "space":
    case "hr":
      return "";
    default:
      return plain("tokens" in token ? token.tokens : undefined, "text" in token ? String(token.text) : "")
        .replace(/\s+/g, " ")
        .trim();
  }
}
