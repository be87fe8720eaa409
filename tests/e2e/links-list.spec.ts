import { type Agent, call, makeLink, newPerson } from "./support/api";
import { rows, seller } from "./support/links";
import { become, expect, expectAccessible, test } from "./support/test";

test("a long list of links is searched, filtered, sorted and paged by its URL", async ({ page }, { project }) => {
  test.skip(project.name === "phone", "none of it depends on the screen");
  test.slow();
  const { agents } = await seller(page, "Atlas Research", "Corner shop");
  // The same number as there were names.
  const [atlas, corner] = agents as [Agent, Agent];
  for (let index = 1; index <= 22; index++) {
    await makeLink(index % 2 ? atlas : corner, { amount: `${index}000000`, description: `Report ${index}` });
  }
  const off = await makeLink(corner, { amount: "500000", description: "Tip jar 100%" });
  await call("PATCH", `/api/payment-links/${off.linkId}`, { jwt: corner.jwt, json: { status: "disabled" } });
  const first = (text: string) => expect(rows(page).first()).toContainText(text);
  await page.goto("/dashboard/links");

  await test.step("the pages are sorted newest first", async () => {
    await expect(rows(page)).toHaveCount(20);
    await first("Tip jar");
    await expect(page.getByRole("columnheader", { name: "Link" })).not.toHaveAttribute("aria-sort");
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await expect(rows(page)).toHaveCount(3);
    await first("Report 3");
    await expect(page.getByRole("navigation", { name: "Pages" })).toContainText("21–23 of 23");
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(rows(page)).toHaveCount(20);
  });

  await test.step("the list can be sorted by a column, ascending or descending", async () => {
    const price = page.getByRole("columnheader", { name: "USDC" });
    await price.getByRole("link").click();
    await expect(price).toHaveAttribute("aria-sort", "descending");
    await first("Report 22");
    await price.getByRole("link").click();
    await expect(price).toHaveAttribute("aria-sort", "ascending");
    await first("Tip jar");
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await first("Report 20");
    await page.getByRole("columnheader", { name: "Link" }).getByRole("link").click();
    await first("Report 1");
  });

  await test.step("the / key starts a search, and its results can be filtered", async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox")).toBeFocused();
    await page.keyboard.type("corner");
    await page.keyboard.press("Enter");
    await expect(rows(page)).toHaveCount(12);
    await expect(page.getByRole("searchbox")).toBeFocused();
    await expect(page.getByRole("link", { name: "All 12" })).toHaveAttribute("aria-current", "true");
    await page.getByRole("link", { name: "Disabled 1" }).click();
    await expect(rows(page)).toHaveCount(1);
    await first("Tip jar");
    await page.getByRole("searchbox").fill("100%");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/q=100%25/);
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole("link", { name: "Sold out 0" }).click();
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Any status" }).click();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole("searchbox").fill("nothing like it");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Clear the search" }).click();
    await expect(rows(page)).toHaveCount(20);
    await expect(page.getByRole("searchbox")).toHaveValue("");
  });

  await test.step("invalid parameters in the URL are ignored", async () => {
    for (const query of [
      "q=%00",
      "sort=evil&after=1.x",
      "sort=price&after=9.1e9",
      "after=9",
      "state=deleted&agent=x",
    ]) {
      await page.goto(`/dashboard/links?${query}`);
      await expect(rows(page)).toHaveCount(20);
    }
  });

  await test.step("another account sees none of the links", async () => {
    await page.context().clearCookies();
    await become(page, await newPerson());
    await page.goto(`/dashboard/links?agent=${corner.agentId}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Links");
    expect(await page.locator("main").innerHTML()).not.toMatch(/Corner|Report/);
    for (const path of [`/${off.linkId}/edit`, `/new?from=${off.linkId}`]) {
      await page.goto(`/dashboard/links${path}`);
      await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(/Edit|Duplicate/);
      expect(await page.content()).not.toContain("Tip jar");
    }
  });
});
