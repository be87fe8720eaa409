import { expect, test } from "vitest";
import { buttonSnippet, framedUrl, frameSnippet } from "./link-embed";

const SNIPPET = {
  url: "https://tessera.example/pay/lnk_1",
  label: "Pay 1.25 USDC",
  script: { url: "https://tessera.example/embed/button-1.js", integrity: "sha384-AbC+/=" },
};

test("the embed snippets contain the script with its hash, the link and its URL for frames", () => {
  expect(buttonSnippet(SNIPPET)).toBe(
    `<script src="https://tessera.example/embed/button-1.js" integrity="sha384-AbC+/=" crossorigin="anonymous" defer></script>
<a href="https://tessera.example/pay/lnk_1" data-tessera-link="https://tessera.example/pay/lnk_1">Pay 1.25 USDC</a>`,
  );
  expect(frameSnippet(SNIPPET)).toContain('<iframe src="https://tessera.example/embed/pay/lnk_1" title="Checkout"');
  for (const snippet of [buttonSnippet(SNIPPET), frameSnippet(SNIPPET)])
    expect(snippet).not.toMatch(/ (?:style|on\w+)=/);
});

test("a link's texts in an embed snippet cannot break out of their attribute", () => {
  const snippet = { ...SNIPPET, label: `"><script>alert(1)</script>&` };
  expect(buttonSnippet(snippet)).toContain(">&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;</a>");
});

test("the order of a link stays in its URL for frames", () => {
  expect(framedUrl("https://tessera.example/pay/lnk_1?quantity=3")).toBe(
    "https://tessera.example/embed/pay/lnk_1?quantity=3",
  );
});
