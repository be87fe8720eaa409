import { call, makeLink, newAgent, payLink, propose, sign } from "./support/api";
import { busyOwner } from "./support/dashboard";
import { seller } from "./support/links";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("a payment opens beside its list, is in the URL, and can be navigated by keyboard (axe)", {
    tag: "@once",
  }, async ({ page }) => {
    const { person } = await busyOwner();
    await become(page, person);
    const asked: string[] = [];
    await page.goto("/dashboard/payments");
    const link = page.getByRole("rowheader").getByRole("link").first();
    await expect(link).toBeVisible();
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/dashboard/payments" && searchParams.has("show")) asked.push(request.url());
    });
    await link.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/dashboard\/payments\?show=pay_\w+$/);
    const pane = page.getByRole("region", { name: "The chosen payment" });
    await expect(pane.getByRole("heading", { level: 2, name: "Payment of 1.25 USDC" })).toBeVisible();
    await expect(link).toHaveAttribute("aria-current", "true");
    await expect(link).toBeFocused();
    expect(asked).toHaveLength(1);
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("payments-beside.png") });

    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/dashboard\/payments$/);
    await expect(pane).toHaveCount(0);
    await page.goBack();
    await expect(pane).toBeVisible();
    await page.reload();
    await expect(pane).toBeVisible();
    await pane.getByRole("link", { name: "Open its page" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Payment of 1.25 USDC" })).toBeVisible();
  });

  test("a link opens beside its list, while it loads, and after it is deleted (axe)", { tag: "@once" }, async ({
    page,
  }) => {
    const { agents } = await seller(page, "Weather shop");
    const [agent] = agents;
    if (!agent) throw new Error("no agent");
    const first = await makeLink(agent, { title: "First report" });
    const second = await makeLink(agent, { title: "Second report", amount: "2500000" });
    await payLink(first);
    await page.goto("/dashboard/links");
    const pane = page.getByRole("region", { name: "The chosen link" });
    const open = page.getByRole("rowheader").getByRole("link");

    await test.step("the pane says that the link loads, and then shows it with the list's other columns", async () => {
      let send = () => {};
      const sent = new Promise<void>((resolve) => {
        send = resolve;
      });
      await page.route(/[?&]show=/, (route) => sent.then(() => route.continue()));
      await open.filter({ hasText: "First report" }).focus();
      await page.keyboard.press("Enter");
      await expect(pane).toHaveAttribute("aria-busy", "true");
      await expect(page.getByRole("status").filter({ hasText: "Loading" })).toBeAttached();
      send();
      await expect(pane.getByRole("heading", { level: 2, name: "First report" })).toBeVisible();
      await expect(pane).toHaveAttribute("aria-busy", "false");
      await expect(page).toHaveURL(new RegExp(`/dashboard/links\\?show=${first.linkId}$`));
      await expect(pane.getByRole("region", { name: "Revenue" })).toContainText("Net1.25 USDC");
      await expect(open.filter({ hasText: "First report" })).toHaveAttribute("aria-current", "true");
      await expectAccessible(page);
      await expectFits(page);
      await page.screenshot({ path: test.info().outputPath("links-beside.png") });
    });

    await test.step("the keys move to another link, the browser goes back, and the pane closes", async () => {
      await expect(open.first()).toContainText("Second report");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await expect(pane.getByRole("heading", { level: 2, name: "Second report" })).toBeVisible();
      await page.goBack();
      await expect(pane.getByRole("heading", { level: 2, name: "First report" })).toBeVisible();
      await pane.getByRole("link", { name: "Close the details" }).click();
      await expect(pane).toHaveCount(0);
      await expect(page).toHaveURL(/\/dashboard\/links$/);
    });

    await test.step("the pane opens by its URL, and the list stays when the link is deleted", async () => {
      await page.goto(`/dashboard/links?show=${second.linkId}`);
      await expect(pane.getByRole("heading", { level: 2, name: "Second report" })).toBeVisible();
      await call("DELETE", `/api/payment-links/${second.linkId}`, { jwt: agent.jwt });
      await page.reload();
      await expect(pane.getByRole("heading", { name: "Not found" })).toBeVisible();
      await expect(open).toHaveText([/First report/]);
      await expectAccessible(page);
    });
  });

  test("a mandate opens beside its list, can be paused there, and is not found for another owner (axe)", {
    tag: "@once",
  }, async ({ page }) => {
    const { person, mandateId } = await busyOwner();
    const theirs = await propose(await newAgent());
    await sign((await busyOwner()).person, theirs);
    await become(page, person);
    await page.goto("/dashboard/mandates");
    const open = page.getByRole("list", { name: "Mandates" }).getByRole("link", { name: /^Up to 25/ });
    const pane = page.getByRole("region", { name: "The chosen mandate" });
    await open.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/dashboard/mandates\\?show=${mandateId}$`));
    await expect(pane.getByRole("heading", { level: 2, name: "Mandate of 25.00 USDC" })).toBeVisible();
    await expect(pane.getByText("23.75 left of 25.00 USDC")).toBeVisible();
    await expect(open).toHaveAttribute("aria-current", "true");
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("mandates-beside.png") });

    await pane.getByRole("button", { name: "Pause mandate" }).click();
    await expect(page.getByRole("list", { name: "Mandates" }).getByText("Paused", { exact: true })).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await open.focus();
    await page.keyboard.press("Escape");
    await expect(pane).toHaveCount(0);

    await page.goto(`/dashboard/mandates?show=${theirs.mandateId}`);
    await expect(pane.getByRole("heading", { name: "Not found" })).toBeVisible();
    await expect(open).toBeVisible();
    await page.goto("/dashboard/payments?show=pay_000000000000000000000000");
    await expect(page.getByRole("region", { name: "The chosen payment" })).toContainText("Not found");
    await expect(page.getByRole("heading", { level: 1, name: "Payments" })).toBeVisible();
  });
});

test("on small screens a payment has its own page", async ({ page }) => {
  const { person } = await busyOwner();
  await become(page, person);
  await page.goto("/dashboard/payments");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/dashboard\/payments\/pay_\w+$/);
  await expectFits(page);
});

test("on small screens a link and a mandate have their own pages, and the URL of a pane shows the list", async ({
  page,
}) => {
  const { person, agent, mandateId } = await busyOwner();
  const { linkId } = await makeLink(agent);
  await become(page, person);
  await page.goto("/dashboard/links");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/links/${linkId}$`));
  await expect(page.getByRole("heading", { level: 1, name: "AI market report, November" })).toBeVisible();
  await expectFits(page);
  await page.goto(`/dashboard/mandates?show=${mandateId}`);
  await expect(page.getByRole("region", { name: "The chosen mandate" })).toBeHidden();
  await page
    .getByRole("list", { name: "Mandates" })
    .getByRole("link", { name: /^Up to 25/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/mandates/${mandateId}$`));
  await expect(page.getByRole("heading", { level: 1, name: "Mandate of 25.00 USDC" })).toBeVisible();
  await expectFits(page);
});
