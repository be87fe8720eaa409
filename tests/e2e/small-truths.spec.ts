import { BASE_URL, makeLink, newPerson, payAs } from "./support/api";
import { mint } from "./support/checkout";
import { seller } from "./support/links";
import { expect, expectAccessible, expectFits, test } from "./support/test";

test("unknown records are 404, also on pages that stream", { tag: "@once" }, async ({ page }) => {
  const { agents } = await seller(page, "Weather agent");
  const [agent] = agents;
  if (!agent) throw new Error("no agent");
  const link = await makeLink(agent);
  const nobody = "000000000000000000000000";
  for (const path of [
    ...[`links/lnk_${nobody}`, `links/lnk_${nobody}/edit`, "links/x", `payouts/po_${nobody}`, "payouts/x"],
    ...["payments/999999", "payments/x", `webhooks/whk_${nobody}`, "webhooks/x", "nothing"],
  ]) {
    const response = await page.goto(`/dashboard/${path}`);
    expect([path, response?.status()]).toEqual([path, 404]);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await expectAccessible(page);
  for (const path of [
    `links/${link.linkId}`,
    `links/${link.linkId}/edit`,
    "links/new",
    "payouts/new",
    "payouts/batch",
  ]) {
    expect([path, (await page.goto(`/dashboard/${path}`))?.status()]).toEqual([path, 200]);
  }
});

test("/favicon.ico is served for browsers that request only that path", { tag: "@once" }, async ({ request }) => {
  const response = await request.get(`${BASE_URL}/favicon.ico`);
  expect([response.status(), response.headers()["content-type"]]).toEqual([200, expect.stringContaining("icon")]);
});

test("a passed scan with a minor finding says so, and suspicious wording is explained", { tag: "@once" }, async ({
  page,
}) => {
  await page.goto("/firewall?tab=transaction&example=batch");
  await expect(page.getByText("Pass, with 1 finding below the review limit.")).toBeVisible();
  await expect(page.getByText(/^No known signal matched/)).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
  await page.goto("/firewall?tab=prompt&example=security-article");
  const wording = page.getByRole("list", { name: "Wording that weighed most" });
  await expect(wording.getByRole("listitem").first()).toContainText(/\d %/);
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("explanation.png"), fullPage: true });
});

test("the most used buttons are large enough for a thumb", async ({ page }) => {
  test.skip(test.info().project.name !== "phone", "thumbs are on phones");
  const { agents } = await seller(page, "Weather agent");
  const [agent] = agents;
  if (!agent) throw new Error("no agent");
  const link = await makeLink(agent);
  for (const path of [link.url, "/", "/dashboard", "/dashboard/wallet", "/dashboard/links", "/dashboard/links/new"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeAttached();
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".bg-brand, .bg-bad, [role=tab]")]
        .filter((element) => /^(?:A|BUTTON)$/.test(element.tagName) && element.offsetParent !== null)
        .map((element) => ({ words: element.textContent, height: element.getBoundingClientRect().height }))
        .filter(({ words, height }) => words !== "Skip to content" && height < 44),
    );
    expect([path, small]).toEqual([path, []]);
  }
});

test("a sold-out link says so on one line", { tag: "@once" }, async ({ page }) => {
  const { agents } = await seller(page, "Weather agent");
  const [agent] = agents;
  if (!agent) throw new Error("no agent");
  const link = await makeLink(agent, {
    maxUses: 1,
    description: "A report with a long name, for the narrowest column",
  });
  await payAs(await payer(), link);
  await page.goto("/dashboard/links");
  const state = page.getByText("Sold out", { exact: true }).filter({ visible: true }).last();
  await expect(state).toBeVisible();
  const lines = await state.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("sold-out.png") });
});

/** Somebody with money, without a browser. */
async function payer() {
  const person = await newPerson();
  await mint(person.account.address, "2000000");
  return person;
}
