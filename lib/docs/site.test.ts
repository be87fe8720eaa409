import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Lexer, type Token } from "marked";
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { docsConfig } from "@/tests/support/docs";
import { REMEDIES } from "./errors";
import { withSiteLinks } from "./links";
import { llmsFullText, llmsText } from "./llms";
import { renderMarkdown, sectionsOf } from "./markdown";
import { FILES, PUBLISHED_FILES } from "./pages";
import { search, wordsOf } from "./search";
import { docsSite, errorCatalogue, renderedPage } from "./service";
import { groupsOf, neighboursOf, type Page, pageAt } from "./site";
import { textAt } from "./text";

const BASE = "https://wallet.example";
const site = docsSite(docsConfig(BASE));
const all = [site.home, ...site.pages];
const findPage = (path: string): Page => {
  const page = pageAt(site, path);
  if (!page) throw new Error(`there is no ${path}`);
  return page;
};

/** The addresses of the links in a page. */
const linksIn = ({ markdown }: Page): string[] => {
  const found: string[] = [];
  const visit = (token: Token) => {
    if (token.type === "link") found.push(token.href);
  };
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      visit(token);
      if (token.type === "table") {
        for (const cell of [...token.header, ...token.rows.flat()]) walk(cell.tokens);
      } else if (token.type === "list") walk(token.items);
      else if ("tokens" in token && token.tokens) walk(token.tokens);
    }
  };
  walk(Lexer.lex(markdown));
  return found;
};

const anchorsOf = (page: Page): Set<string> =>
  new Set(
    renderMarkdown(page.markdown, page.file).blocks.flatMap((block) =>
      block.kind === "html" ? [...block.html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id ?? "") : [],
    ),
  );

describe("the documentation's pages", () => {
  test("each have an existing file, one title and a unique path", () => {
    const missing = [...FILES.map(({ file }) => file), ...PUBLISHED_FILES].filter(
      (file) => !existsSync(join("docs", file)),
    );
    expect(missing).toEqual([]);
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length);
    const untitled = all.filter(({ markdown, file }) => renderMarkdown(markdown, file).title === "");
    expect(untitled.map(({ path }) => path)).toEqual([]);
  });

  test("link only to existing pages and to existing headings there", () => {
    const anchors = new Map(all.map((page) => [page.path, anchorsOf(page)]));
    const broken = all.flatMap((page) => {
      const rendered = renderMarkdown(page.markdown, page.file).blocks.flatMap((block) =>
        block.kind === "html" ? [...block.html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? "") : [],
      );
      return rendered.filter((href) => {
        if (!href.startsWith("/docs") && !href.startsWith("#")) return false;
        const [path = "", anchor] = href.startsWith("#") ? [page.path, href.slice(1)] : href.split("#");
        if (PUBLISHED_FILES.includes(path.replace("/docs/", ""))) return false;
        const target = anchors.get(path);
        return target === undefined || (anchor !== undefined && !target.has(anchor));
      });
    });
    expect(broken).toEqual([]);
  });

  test("link only to existing files of the repository", () => {
    const broken = all.flatMap((page) =>
      linksIn(page)
        .filter((href) => page.file !== "" && !/^(?:[a-z]+:|#|\/)/.test(href))
        .map((href) => posix.join("docs", posix.dirname(page.file), href.split("#")[0] ?? ""))
        .filter((path) => !existsSync(path))
        .map((path) => `${page.file}: ${path}`),
    );
    expect(broken).toEqual([]);
  });

  test("show this service's URL in place of the example's", () => {
    expect(all.filter(({ markdown }) => markdown.includes("tessera.example")).map(({ path }) => path)).toEqual([]);
    expect(findPage("/docs/quickstart").markdown).toContain(`BASE=${BASE}`);
  });

  test("do not show which of their code our tests run", () => {
    expect(findPage("/docs/quickstart").markdown).toContain("\n```bash\nBASE=");
    expect(all.filter(({ markdown }) => markdown.includes(" runnable\n")).map(({ path }) => path)).toEqual([]);
  });

  test("have the previous and next page in the order of the navigation", () => {
    const { previous, next } = neighboursOf(site, findPage("/docs/how-it-works"));
    expect([previous?.path, next?.path]).toEqual(["/docs/quickstart", "/docs/trust"]);
    expect(neighboursOf(site, findPage("/docs/errors/rate_limited"))).toEqual({ previous: undefined, next: undefined });
  });

  test("have a summary each: one sentence that is not the beginning of another", () => {
    const summaries = all.map(({ summary }) => summary);
    expect(summaries.filter((summary) => !/^\p{Lu}[^\n]{15,110}[^.:\s]$/u.test(summary))).toEqual([]);
    expect(new Set(summaries).size).toBe(summaries.length);
    for (const page of site.pages.filter(({ isListed }) => isListed)) {
      expect(llmsText(BASE, site)).toContain(`${page.path}.md): ${page.summary}.\n`);
    }
  });

  test("begin with three entrances, and the index links to the overview of the reference instead of all its pages", () => {
    const entrances = [...site.home.markdown.matchAll(/^- \*\*(\w+)\.\*\*/gm)].map(([, name]) => name);
    expect(entrances).toEqual(["Pay", "Sell", "Run"]);
    expect(linksIn(site.home).filter((href) => href.startsWith("/docs/reference"))).toEqual(["/docs/reference"]);
  });

  test("state the prices of this service and the gas of the contracts", () => {
    const { markdown } = findPage("/docs/costs");
    expect(markdown).toContain("| a transaction | 0.50 USDC |");
    expect(markdown).toContain("| a payment requirement | 1.25 USDC |");
    expect(markdown).toContain("| a text | not offered here |");
    expect(markdown).toContain("| the limit of a mandate with a vault | 0.02 USDC |");
    const [, gas] = /^\| withdraw \|.* ([\d,]+) \|$/m.exec(readFileSync("docs/contracts.md", "utf8")) ?? [];
    expect(gas).toMatch(/^\d/);
    expect(markdown).toContain(`${gas} to withdraw`);
  });

  test("are all in llms.txt and llms-full.txt", () => {
    const listed = groupsOf(site.pages).flatMap(({ pages }) => pages);
    const [short, full] = [llmsText(BASE, site), llmsFullText(BASE, site)];
    expect(listed.filter(({ path }) => !short.includes(`(${BASE}${path}.md)`))).toEqual([]);
    expect(listed.filter(({ path }) => !full.includes(`<!-- ${BASE}${path} -->`))).toEqual([]);
    for (const path of ["/openapi.json", "/mcp", "/docs/errors.md", "/docs/retry-rules.md"]) {
      expect(short).toContain(`(${BASE}${path})`);
    }
  });
});

describe("the documentation pages of error codes", () => {
  const catalogue = errorCatalogue();

  test("include every code with its status, its retry rule and where it occurs", () => {
    const wanting = catalogue.filter(({ key, statuses }) => {
      const { markdown } = findPage(`/docs/errors/${key}`);
      return ![`HTTP ${statuses[0]}`, "## Retry rule", "## Where it occurs"].every((part) => markdown.includes(part));
    });
    expect(catalogue.length).toBeGreaterThan(120);
    expect(wanting).toEqual([]);
  });

  test("are found by a code in either case", () => {
    expect(findPage("/docs/errors/PAYMENT_ALREADY_USED")).toBe(findPage("/docs/errors/payment_already_used"));
  });

  test("have a cause and a remedy for every code, and for nothing else", () => {
    const known = catalogue.map(({ key }) => key);
    expect(Object.keys(REMEDIES).sort()).toEqual(known);
    const empty = Object.values(REMEDIES).filter(({ cause, remedy }) => !cause.endsWith(".") || !remedy.endsWith("."));
    expect(empty).toEqual([]);
  });

  test("name only existing endpoints in remedies", () => {
    const paths = new Set(ENDPOINTS.map(({ endpoint: e }) => `${e.method} ${e.path}`));
    const named = Object.values(REMEDIES).flatMap(({ cause, remedy }) => [
      ...`${cause} ${remedy}`.matchAll(/`((?:GET|POST|PATCH|PUT|DELETE) \/[^`]*)`/g),
    ]);
    expect(named.length).toBeGreaterThan(30);
    expect(named.map(([, endpoint]) => endpoint).filter((endpoint) => !paths.has(endpoint ?? ""))).toEqual([]);
  });
});

describe("the documentation's Markdown", () => {
  const html = (markdown: string) =>
    renderMarkdown(markdown, "guides/x.md")
      .blocks.map((block) => block.html)
      .join("");

  test("has HTML in text escaped, and comments removed", () => {
    expect(html("a <script>alert(1)</script> b\n\n<!-- note -->\n\n<img src=x onerror=y>")).not.toMatch(
      /<script|<img|note/,
    );
  });

  test("lets addresses in code break between their parts, and names nowhere", () => {
    expect(html("`GET /a/b.c` `paymentRecordId` `</x>`")).toBe(
      "<p><code>GET /<wbr>a/<wbr>b.<wbr>c</code> <code>paymentRecordId</code> <code>&lt;/<wbr>x&gt;</code></p>\n",
    );
  });

  test("lets the heading of an endpoint break between the parts of its address", () => {
    expect(html("## GET /a/{id}")).toContain(">GET /<wbr>a/<wbr>{id}<a ");
    expect(html("## A/B **c**")).toContain(">A/B <strong>c</strong><a ");
  });

  test("keeps code in separate blocks with its text unchanged", () => {
    const { blocks } = renderMarkdown('# T\n\ntext\n\n```bash runnable\necho "<b>" & true\n```\n', "guides/x.md");
    expect(blocks).toMatchObject([{ kind: "html" }, { kind: "code", language: "bash", code: 'echo "<b>" & true' }]);
    expect(blocks[1]?.html).not.toContain("<b>");
  });

  test("gives repeated headings different anchors", () => {
    const { headings } = renderMarkdown("# T\n\n## A b\n\n## A b\n", "guides/x.md");
    expect(headings.map(({ id }) => id)).toEqual(["a-b", "a-b-1"]);
  });

  test("links to pages of the site, and drops links to anything that the site does not show", () => {
    expect(html("[w](../webhooks.md#events) [f](../verifiers/verify-vc.ts) [e](../../.env.example)")).toBe(
      '<p><a href="/docs/webhooks#events">w</a> <a href="/docs/verifiers/verify-vc.ts">f</a> e</p>\n',
    );
    expect(withSiteLinks("[w](../webhooks.md#events) [x](https://x.example) [e](/docs/errors/a)", "guides/x.md")).toBe(
      "[w](/docs/webhooks.md#events) [x](https://x.example) [e](/docs/errors/a.md)",
    );
  });
});

describe("clients that prefer text", () => {
  const readText = async (path: string, query = "") => {
    const res = textAt(docsConfig(BASE), path.split("/").filter(Boolean), query);
    return { status: res.status, type: res.headers.get("content-type")?.split(";")[0], text: await res.text() };
  };

  test("get pages, files and search results as text, and 404 for anything else", async () => {
    expect(await readText("pay")).toMatchObject({ status: 200, type: "text/markdown" });
    expect((await readText("")).text).toMatch(/^# Documentation/);
    expect(await readText("verifiers/verify-vc.sh")).toMatchObject({ status: 200, type: "text/plain" });
    expect((await readText("search", "refund")).text).toContain("(/docs/refunds)");
    const json = await readText("search.json", "refund");
    expect(json.type).toBe("application/json");
    expect(JSON.parse(json.text)).toEqual(search(site, "refund"));
    expect(await readText("../package.json")).toMatchObject({ status: 404, type: "text/markdown" });
    expect(await readText("verifiers/../../package.json")).toMatchObject({ status: 404 });
  });
});

describe("the documentation's search", () => {
  test("finds sections that have every word, headings first", () => {
    expect(search(site, "PAYMENT_ALREADY_USED")[0]?.href).toBe("/docs/errors/payment_already_used");
    expect(search(site, "mandate zzzzzz")).toEqual([]);
  });

  test.each([
    ["pay twice", "/docs/retry-rules"],
    ["idempotency", "/docs/how-it-works#idempotency"],
    ["fees", "/docs/costs"],
    ["cost", "/docs/costs"],
    ["price", "/docs/costs"],
    ["how much does it cost", "/docs/costs"],
    ["refund", "/docs/refunds"],
    ["Payouts", "/docs/payouts"],
    ["leave without the service", "/docs/contracts#leave-without-the-service"],
  ])("answers “%s” with %s first", (query, href) => {
    expect(search(site, query)[0]?.href).toBe(href);
  });

  test("does not find the index, which repeats the pages", () => {
    for (const query of ["documentation", "quickstart", "pay"]) {
      expect(search(site, query).filter(({ href }) => href === "/docs" || href.startsWith("/docs#"))).toEqual([]);
    }
  });

  test("shows brackets and code in excerpts as they are", () => {
    const text = (markdown: string) => sectionsOf(`# T\n\n${markdown}`)[0]?.text;
    expect(text("A `^[1-9]\\d{0,28}$` in [a link](/docs), *[x]*")).toBe("A ^[1-9]\\d{0,28}$ in a link, [x]");
    expect(text("| a | b |\n|---|---|\n| `[y]` | c |\n\n- one [z]\n- two")).toBe("a b [y] c one [z] two");
    expect(
      search(site, "POST /api/payouts amount")
        .flatMap(({ excerpt }) => excerpt)
        .join(),
    ).not.toMatch(/\^ 1-9 /);
  });

  test("accepts any text as a query", () => {
    expect(search(site, "")).toEqual([]);
    expect(search(site, "(.*)+$ <b>")).toEqual(expect.any(Array));
    expect(wordsOf(`${"a b c d e f g h i j k ".repeat(20)}`).length).toBeLessThanOrEqual(8);
  });
});

test("a page is rendered once per process for all readers", () => {
  const pages = docsSite(docsConfig("https://rendered.example")).pages.slice(0, 3);
  for (const page of pages) expect(renderedPage(page)).toBe(renderedPage(page));
});
