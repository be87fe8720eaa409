import { readFileSync } from "node:fs";
import { type Page, test as unwatched } from "@playwright/test";
import { type Agent, call, makeLink } from "./support/api";
import { Journey } from "./support/journey";
import { linked, rows, seller } from "./support/links";
import { expect, expectAccessible, expectFits, test } from "./support/test";

const HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>";

const row = (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text });

const state = (page: Page, word: string) => page.getByText(word, { exact: true }).filter({ visible: true });

const toast = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });

/** Opens the menu of a row, by keyboard as well as by pointer. */
async function choose(page: Page, of: string | RegExp, item: string): Promise<void> {
  await row(page, of)
    .getByRole("button", { name: /^More about/ })
    .press("Enter");
  await page.getByRole("menuitem", { name: item, exact: true }).press("Enter");
}

const wire = (agent: Agent, linkId: string) =>
  call<{ paymentLink: Record<string, unknown> }>("GET", `/api/payment-links/${linkId}`, { jwt: agent.jwt }).then(
    ({ paymentLink }) => paymentLink,
  );

test("an owner creates a link by keyboard, and then disables, edits, duplicates, finds, prints and deletes links", {
  tag: "@once",
}, async ({ page }) => {
  test.slow();
  const { person } = await seller(page);
  let agent: Agent;
  let linkId = "";

  await test.step("a new owner is led to create an agent, and then a first link", async () => {
    await page.goto("/dashboard/links");
    await expect(page.getByRole("heading", { name: "Sell something" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Link an agent" })).toHaveAttribute("href", "/dashboard/agents#link");
    await page.goto("/dashboard/links/new");
    await expect(page.getByRole("form", { name: "Create a seller" })).toBeVisible();
    await linked(person, "Atlas Research");
    agent = await linked(person, "Second shop");
    await page.goto("/dashboard/links");
    await page.getByRole("link", { name: "Create your first link" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("New payment link");
  });

  await test.step("the owner creates a link by keyboard, with an error at each invalid field", async () => {
    const { keyboard } = page;
    const form = page.getByRole("form", { name: "New payment link" });
    await form.getByLabel("Agent").focus();
    await keyboard.type("Second");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await expect(form.getByLabel("Price")).toBeFocused();
    await expect(form.getByRole("alert")).toHaveText("Enter an amount above zero, for example, 12.50.");
    await keyboard.type("1,5");
    await keyboard.press("Enter");
    await expect(form.getByRole("alert")).toHaveText("Use a point for decimals, and no comma: 12.50.");
    await form.getByLabel("Price").fill("12.345678");
    await expect(form.getByRole("alert")).toHaveCount(0);
    for (const typed of [null, "The report is at shelf 7.", null, null]) {
      await keyboard.press("Tab");
      if (typed) await keyboard.type(typed);
    }
    await keyboard.press("Enter");
    await keyboard.press("Tab");
    await keyboard.type("AI market report");
    await form.getByLabel("Your reference").fill("Order 1042");
    await form.getByLabel("Can be paid").focus();
    await keyboard.type("10");
    await keyboard.press("Tab");
    await keyboard.type("https://evil.example/thanks");
    const preview = page.getByRole("region", { name: "Preview of the checkout" });
    for (const seen of ["“Second shop”", "12.345678 USDC", "10 of 10 left", "AI market report", "the content, right"]) {
      await expect(preview).toContainText(seen);
    }
    for (const hidden of ["shelf 7", "Order 1042"]) await expect(preview).not.toContainText(hidden);
    await keyboard.press("Enter");
    await expect(form.getByLabel("Then send the buyer to")).toBeFocused();
    await expect(form.getByRole("alert")).toContainText("does not redirect to this site");
    await expect(form.getByLabel("Description")).toHaveValue("AI market report");
    await expectAccessible(page);
    await expectFits(page);
    await form.getByLabel("Then send the buyer to").fill("");
    await keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeFocused();
    const url = await page.getByRole("link", { name: "Open the checkout" }).getAttribute("href");
    linkId = url?.match(/\/pay\/(lnk_\w+)$/)?.[1] ?? "";
    await expectAccessible(page);
    await expectFits(page);
    expect(await wire(agent, linkId)).toMatchObject({
      amount: "12345678",
      network: "base",
      reference: "Order 1042",
      description: "AI market report",
      resourceContent: "The report is at shelf 7.",
      redirectUrl: null,
      expiresAt: null,
      maxUses: 10,
    });
  });

  await test.step("the owner finds the link in the table, disables it and enables it again", async () => {
    await page.getByRole("link", { name: "All links" }).click();
    await expect(row(page, "AI market report")).toContainText("12.345678");
    await expect(row(page, "AI market report").getByRole("rowheader").getByRole("link")).toHaveAttribute(
      "href",
      `/dashboard/links/${linkId}`,
    );
    await choose(page, "AI market report", "Disable link");
    await expect(state(page, "Disabled")).toBeVisible();
    await expect(page.getByRole("link", { name: "Disabled 1" })).toBeVisible();
    await call("GET", `/paymentlink/${linkId}`, {}, 410);
    await toast(page, "Link disabled").getByRole("button", { name: "Undo" }).click();
    await expect(state(page, "Active")).toBeVisible();
    await expect(toast(page, "Link enabled")).toBeVisible();
    await call("GET", `/paymentlink/${linkId}`, {}, 402);
  });

  await test.step("the owner edits the link: changed fields change, an emptied limit is removed, and the rest stays", async () => {
    await choose(page, "AI market report", "Edit");
    const form = page.getByRole("form", { name: "Edit payment link" });
    const fixed = page.getByRole("region", { name: "What cannot be changed" });
    for (const seen of ["12.345678 USDC", "Order 1042"]) await expect(fixed).toContainText(seen);
    await form.getByRole("button", { name: "Save changes" }).click();
    await expect(form.getByRole("alert")).toHaveText(/Nothing has changed/);
    await form.getByLabel("Description").fill("x".repeat(1001));
    await expect(form.getByRole("alert")).toHaveText("Shorten it by 1 character.");
    await form.getByLabel("Description").fill("Report of November");
    await form.getByLabel("Can be paid").fill("");
    await form.getByLabel("Expires").fill("2020-01-01T00:00");
    await form.getByRole("button", { name: "Save changes" }).click();
    await expect(form.getByLabel("Expires")).toBeFocused();
    await expect(form.getByRole("alert")).toContainText("in the future");
    await form.getByLabel("Expires").fill("2090-01-02T03:04");
    await expectAccessible(page);
    await expectFits(page);
    await form.getByRole("button", { name: "Save changes" }).click();
    await expect(page).toHaveURL(new RegExp(`/dashboard/links/${linkId}$`));
    const moment = await page.evaluate(() => new Date(2090, 0, 2, 3, 4).toISOString());
    expect(await wire(agent, linkId)).toMatchObject({
      description: "Report of November",
      resourceContent: "The report is at shelf 7.",
      maxUses: null,
      expiresAt: moment,
    });
  });

  await test.step("the owner duplicates the link at another price", async () => {
    await page.goto("/dashboard/links");
    await choose(page, "Report of November", "Duplicate");
    const form = page.getByRole("form", { name: "New payment link" });
    await expect(form.getByLabel("Price")).toHaveValue("12.345678");
    await expect(form.getByLabel("Agent")).toHaveValue(agent.agentId);
    await expect(form.getByLabel("Your reference")).toHaveValue("");
    await expect(form.getByLabel("What they get")).toHaveValue("The report is at shelf 7.");
    await expect(form.getByLabel("Expires")).toHaveValue("2090-01-02T03:04");
    await form.getByLabel("Price").fill("3");
    await form.getByLabel("Network").selectOption("base-sepolia");
    await form.getByLabel("Description").fill(`${HOSTILE}\n${"W".repeat(900)}`);
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeFocused();
    await page.getByRole("link", { name: "All links" }).click();
    await expect(row(page, "<script>")).toContainText("Base Sepolia");
    await expectFits(page);
  });

  await test.step("the owner saves a QR code of the link's URL as SVG and as an image", async () => {
    const [svg] = await Promise.all([
      page.waitForEvent("download"),
      choose(page, "Report of November", "Save QR code as SVG"),
    ]);
    expect(svg.suggestedFilename()).toBe(`${linkId}.svg`);
    expect(readFileSync(await svg.path(), "utf8")).toMatch(/^<svg [^>]*viewBox[\s\S]*<path[\s\S]*<\/svg>$/);
    const [png] = await Promise.all([
      page.waitForEvent("download"),
      choose(page, "Report of November", "Save QR code as PNG"),
    ]);
    expect(png.suggestedFilename()).toBe(`${linkId}.png`);
    const image = readFileSync(await png.path());
    expect(image.subarray(1, 4).toString()).toBe("PNG");
    // Its width, in the header that every PNG begins with.
    expect(image.readUInt32BE(16)).toBeGreaterThanOrEqual(1024);
  });

  await test.step("the owner deletes the link after a confirmation, and the activity lists who made each change", async () => {
    await choose(page, "Report of November", "Delete");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Deleting cannot be undone");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Delete link" }).click();
    await expect(row(page, "Report of November")).toHaveCount(0);
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByRole("main")).toBeFocused();
    await call("GET", `/paymentlink/${linkId}`, {}, 404);
    await page.goto("/dashboard/activity?kind=link");
    for (const said of [
      "You created a payment link of Second shop for 12.345678 USDC",
      "You changed a payment link of Second shop: switched from on to off",
      /You changed a payment link of Second shop: description, expiry from .*, number of payments from/,
      "You deleted a payment link of Second shop",
    ]) {
      await expect(page.getByText(said).first()).toBeVisible();
    }
  });
});

test("hostile link texts break neither the table nor the forms, and axe finds no fault in light or dark", async ({
  page,
}) => {
  test.slow();
  const { agents } = await seller(page, "A".repeat(100), "Corner shop");
  // The same number as there were names.
  const [shop, corner] = agents as [Agent, Agent];
  const most = (2n ** 256n - 1n).toString();
  const described = [HOSTILE, "W".repeat(1000), "\u00a0\n \u2003", "مرحبا\nעולם"];
  for (const description of described) await makeLink(shop, { description, maxUses: 1 });
  await makeLink(corner, { network: "base-sepolia", description: "", expiresAt: "2090-01-01T00:00:00Z" });
  const { linkId } = await makeLink(corner, {
    amount: most,
    description: `${HOSTILE} ${"W".repeat(900)}`,
    resourceContent: "x".repeat(32_768),
    maxUses: 2 ** 31 - 1,
  });
  for (const path of [`/new?from=${linkId}`, `/${linkId}/edit`, ""]) {
    await page.goto(`/dashboard/links${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await expectFits(page);
    expect(await page.locator("main img, main script").count()).toBe(0);
  }
  await expect(rows(page)).toHaveCount(6);
  await expect(rows(page).getByText("No title", { exact: true })).toHaveCount(2);
  await rows(page)
    .first()
    .getByRole("button", { name: /^More about/ })
    .click();
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
});

// Not watched: Chromium writes a console error for a request that is cut off.
unwatched(
  "after a lost connection, the form of a link keeps its values and does not suggest a blind retry",
  async ({ page }) => {
    await seller(page, "Atlas Research");
    await page.goto("/dashboard/links/new");
    await page.getByLabel("Price").fill("2.5");
    await page.getByLabel("Title").fill("Consulting hour");
    await page.route("**/payment-links", (route) => route.abort());
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("form").getByRole("alert")).toContainText("may or may not have been created");
    await expect(page.locator("[data-fault]")).toBeFocused();
    await expect(page.getByLabel("Price")).toHaveValue("2.5");
    await expect(page.getByLabel("Title")).toHaveValue("Consulting hour");
    await expectAccessible(page);
    await page.unroute("**/payment-links");
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeFocused();
  },
);

test("a new seller names a shop and has a link to share, without a token or a command (axe)", async ({ page }) => {
  const { person } = await seller(page);
  await page.goto("/dashboard/links/new");
  await page.getByRole("button", { name: "Create a seller" }).click();
  await expect(page.getByLabel("Name of your shop")).toBeFocused();
  await expect(page.getByRole("alert").filter({ hasText: "Give it a name" })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  const journey = new Journey("First link");
  await journey.type(page.getByLabel("Name of your shop"), "Lisbon guides");
  await journey.click(page.getByRole("button", { name: "Create a seller" }));
  const form = page.getByRole("form", { name: "New payment link" });
  await expect(form.getByLabel("Agent")).toHaveCount(0);
  await journey.type(form.getByLabel("Title"), "Lisbon in three days");
  await journey.type(form.getByLabel("Price"), ".5");
  const preview = page.getByRole("region", { name: "Preview of the checkout" });
  for (const seen of ["“Lisbon guides”", "Lisbon in three days", "0.50 USDC"])
    await expect(preview).toContainText(seen);
  const create = form.getByRole("button", { name: "Create link" });
  const [previewBox, buttonBox] = [await preview.boundingBox(), await create.boundingBox()];
  if (test.info().project.name === "phone") expect(previewBox?.y).toBeLessThan(buttonBox?.y ?? 0);
  else {
    expect(previewBox?.x).toBeGreaterThan(buttonBox?.x ?? 0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(create).toBeInViewport({ ratio: 1 });
  }
  await journey.click(create);
  await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeFocused();
  await journey.click(page.getByRole("button", { name: "Copy link" }));
  const url = (await page.getByRole("link", { name: "Open the checkout" }).getAttribute("href")) ?? "";
  await expect(page.getByText(url, { exact: true })).toBeInViewport();
  await expect(page.getByRole("main")).not.toContainText(/tok_|curl/);
  await expectAccessible(page);
  await expectFits(page);
  journey.end({ clicks: 3, fields: 3 });
  const { agents } = await call<{ agents: object[] }>("GET", "/api/agents", { cookie: person.cookie });
  expect(agents).toMatchObject([{ name: "Lisbon guides" }]);
});

test("a draft of a link survives leaving the page, without what buyers get, until the link is created", async ({
  page,
}) => {
  await seller(page, "Guide shop");
  await page.goto("/dashboard/links/new");
  const form = page.getByRole("form", { name: "New payment link" });
  const restored = page.getByRole("status").filter({ hasText: "Your draft is back" });
  await form.getByLabel("Title").fill("Lisbon in three days");
  await form.getByLabel("Price").fill("12.50");
  await form.getByLabel("What they get").fill("the secret page");
  await form.getByText("More", { exact: true }).click();
  await form.getByLabel("Can be paid").fill("7");
  await page.getByRole("link", { name: "Links", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Links");
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("secret page");

  await page.goto("/dashboard/links/new");
  await expect(restored).toContainText("Enter again what they get");
  await expect(form.getByLabel("Title")).toHaveValue("Lisbon in three days");
  await expect(form.getByLabel("What they get")).toHaveValue("");
  await expect(form.getByLabel("Can be paid")).toBeVisible();
  await expect(form.getByLabel("Can be paid")).toHaveValue("7");
  await expectAccessible(page);
  await restored.getByRole("button", { name: "Start over" }).click();
  await expect(form.getByLabel("Title")).toHaveValue("");
  await page.reload();
  await expect(form.getByLabel("Title")).toHaveValue("");

  await form.getByLabel("Title").fill("Porto");
  await form.getByLabel("Price").fill("3");
  await page.reload();
  await expect(form.getByLabel("Title")).toHaveValue("Porto");
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeFocused();
  await page.goto("/dashboard/links/new");
  await expect(form.getByLabel("Title")).toHaveValue("");
  await expect(restored).toHaveCount(0);
});
