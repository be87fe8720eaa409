import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { renderMarkdown } from "@/lib/docs/markdown";
import { docsSite } from "@/lib/docs/service";
import { pageAt } from "@/lib/docs/site";
import { docsConfig } from "@/tests/support/docs";
import { Article } from "./article";

const SENTENCE = "On a devnet, the endpoints here have forms that send requests.";

function htmlOf(path: string, devnet: boolean): string {
  const page = pageAt(docsSite(docsConfig("https://wallet.example")), path);
  if (!page) throw new Error(`there is no ${path}`);
  const rendered = renderMarkdown(page.markdown, page.file);
  const links = { eyebrow: "", markdownHref: "", previous: undefined, next: undefined };
  return renderToStaticMarkup(createElement(Article, { rendered, calls: page.calls, devnet, ...links }));
}

test("the API reference has request forms on a devnet only, and says so elsewhere", () => {
  const [devnet, production] = [true, false].map((is) => htmlOf("/docs/reference/facilitator", is));
  expect(devnet).toContain("Try GET /facilitator/supported");
  expect(devnet).not.toContain(SENTENCE);
  expect(production).not.toContain("Try GET");
  expect(production).toContain(SENTENCE);
  expect(htmlOf("/docs/pay", false)).not.toContain(SENTENCE);
});
