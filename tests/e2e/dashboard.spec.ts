import { fund, newAgent, newPerson, type Person, payUpl, propose, sign } from "./support/api";
import { busyOwner } from "./support/dashboard";
import { become, expect, expectAccessible, expectFits, signInHere, test } from "./support/test";
import { injectWallet } from "./support/wallet";

const PAGES = ["", "/wallet", "/agents", "/mandates", "/links", "/payments", "/payments?side=received", "/activity"];

test.describe("access to the dashboard", () => {
  test("requires a sign-in on every page, and then opens the requested page", { tag: "@once" }, async ({ page }) => {
    await page.goto("/dashboard/wallet");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to your dashboard");
    await expect(page.getByText("Add money on Base")).toHaveCount(0);
    await expectAccessible(page);
    await signInHere(page, "Sign in with your wallet");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wallet");
  });

  test("is possible with a wallet that exists only as window.ethereum, and lasts over a reload", {
    tag: "@once",
  }, async ({ page }) => {
    const { account } = await injectWallet(page, { knownBy: "global" });
    await page.goto("/dashboard/wallet");
    await page.getByRole("button", { name: "Sign in with your wallet" }).click();
    await page.getByRole("button", { name: /Browser wallet/ }).click();
    await page.getByRole("button", { name: "Use Browser wallet anyway" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wallet");
    const shownText = `${account.address.slice(0, 6)}…${account.address.slice(-4)}`;
    await expect(page.getByRole("button", { name: /^Account/ })).toContainText(shownText);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wallet");
  });

  test("without a session gets none of a page's data", { tag: "@once" }, async ({ page }) => {
    const { person, agent } = await busyOwner();
    for (const path of PAGES) {
      const html = await (await page.request.get(`/dashboard${path}`)).text();
      expect(html).not.toContain(person.account.address);
      expect(html).not.toContain(agent.agentId);
    }
  });

  test("shows no records of other accounts", { tag: "@once" }, async ({ page }) => {
    test.slow();
    const { agent, mandateId } = await busyOwner();
    await become(page, await newPerson());
    for (const path of [...PAGES, `/mandates?agent=${agent.agentId}`, `/activity?agent=${agent.agentId}`]) {
      await page.goto(`/dashboard${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const html = await page.locator("main").innerHTML();
      expect(html).not.toContain(mandateId);
      expect(html).not.toContain("Data seller");
      expect(html).not.toContain("market data");
    }
  });
});

test.describe("the lists of the dashboard", () => {
  test("show spent and waiting amounts on the overview, from the stored records", async ({ page }) => {
    const { person } = await busyOwner();
    await become(page, person);
    await page.goto("/dashboard");
    const main = page.getByRole("main");
    await expect(main.getByText("98.75 USDC")).toBeVisible();
    await expect(main.getByText("1.25 USDC").first()).toBeVisible();
    await expect(main.getByRole("link", { name: /Up to 3.00 USDC/ })).toBeVisible();
    await main.getByRole("link", { name: "Review" }).click();
    await expect(page).toHaveURL(/\/authorize\/mandate\/mand_\w+$/);
    await expect(page.getByText("Buy a GPU hour.", { exact: true })).toBeVisible();
  });

  test("ask a new owner one question, and then show one list of steps", { tag: "@once" }, async ({ page, baseURL }) => {
    await become(page, await newPerson());
    await page.goto("/dashboard");
    await expect(page.getByRole("heading", { name: "What do you want to do first?" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "First steps" })).toHaveCount(0);
    await page.getByRole("link", { name: "Set up an agent" }).click();
    await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible();
    await expect(page.getByText(`Use the agent wallet at ${baseURL}.`)).toBeVisible();
    await page.getByRole("link", { name: "I want to sell" }).click();
    await expect(page.getByRole("heading", { name: "Start selling" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "First steps" })).toHaveCount(0);
  });

  test("of mandates are filtered by the server", { tag: "@once" }, async ({ page }) => {
    const { person, mandateId } = await busyOwner();
    await become(page, person);
    await page.goto("/dashboard/mandates");
    const items = page.getByRole("list", { name: "Mandates" }).getByRole("listitem");
    await expect(items).toHaveCount(2);
    await expect(items.first().getByRole("link")).toHaveAttribute("href", `/mandates/${mandateId}`);
    await expect(items.last()).toContainText("Waiting for you");
    const left = page.getByRole("region", { name: "Left to spend" });
    await expect(left).toContainText("Left to spend under 1 active mandate on Base23.75 USDC");
    await page.getByRole("link", { name: "Active 1" }).click();
    await expect(items).toHaveCount(1);
    await expect(items.getByRole("link")).toHaveAttribute("href", `/mandates/${mandateId}`);
    await page.getByRole("link", { name: /^Paused/ }).click();
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
    await page.goto("/dashboard/mandates");
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Text").fill("gpu HOUR");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await expect(items).toHaveCount(1);
    await expect(items).toContainText("Buy a GPU hour.");
    await expect(page.getByRole("link", { name: "Waiting 1" })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^tessera-mandates-.*\.csv$/);
    await page.getByRole("link", { name: /^Remove the filter/ }).click();
    await expect(items).toHaveCount(2);
  });

  test("of payments continue over pages without a gap, made and received", { tag: "@once" }, async ({ page }) => {
    test.slow();
    const buyer = await newPerson();
    const seller = await newPerson();
    const [agent, paid] = [await newAgent("Buyer"), await newAgent("Seller")];
    await fund(buyer);
    const proposal = await propose(agent);
    await sign(buyer, proposal);
    await sign(seller, await propose(paid));
    for (let cents = 1; cents <= 23; cents++) await payUpl(agent, proposal.mandateId, paid, `${cents}0000`);
    for (const [person, path] of [
      [buyer, "/payments"],
      [seller, "/payments?side=received"],
      [buyer, "/wallet"],
    ] as const) {
      await page.context().clearCookies();
      await become(page, person);
      await page.goto(`/dashboard${path}`);
      const rows = page.getByRole("row").filter({ has: page.getByText("Settled", { exact: true }) });
      await expect(rows).toHaveCount(20);
      await expect(rows.first()).toContainText("0.23");
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await expect(rows).toHaveCount(3);
      await expect(rows.first()).toContainText("0.03");
      await page.getByRole("link", { name: "Previous" }).click();
      await expect(rows).toHaveCount(20);
    }
  });

  test("of activity describe events in words, have details, and filter by kind and agent", { tag: "@once" }, async ({
    page,
  }) => {
    const { person, agent } = await busyOwner();
    const second = await newAgent("Second agent");
    await sign(person, await propose(second));
    await become(page, person);
    await page.goto("/dashboard/activity");
    const items = page.getByRole("list", { name: "What happened, newest first" }).getByRole("listitem");
    await expect(items.filter({ hasText: "Research agent paid 1.25 USDC" })).toHaveCount(1);
    const signed = items.filter({ hasText: "You signed a mandate of up to 25.00 USDC for Second agent" });
    await signed.locator("summary").click();
    await expect(signed.getByText("mandate.signed")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Mandates", exact: true }).last().click();
    await expect(page).toHaveURL(/kind=mandate/);
    await expect(items.filter({ hasText: "You signed in" })).toHaveCount(0);
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Agent", { exact: true }).selectOption(agent.agentId);
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page).toHaveURL(new RegExp(`agent=${agent.agentId}`));
    await expect(items.filter({ hasText: "Second agent" })).toHaveCount(0);
    await expect(items).not.toHaveCount(0);
  });
});

for (const scheme of ["light", "dark"] as const) {
  test(`have no fault for axe, and nothing scrolls sideways, ${scheme}`, {
    tag: scheme === "dark" ? "@once" : [],
  }, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: scheme });
    const people: [Person, string][] = [
      [(await busyOwner()).person, "busy"],
      [await newPerson(), "new"],
    ];
    for (const [person] of people) {
      await page.context().clearCookies();
      await become(page, person);
      for (const path of PAGES) {
        await page.goto(`/dashboard${path}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await page.waitForLoadState();
        for (const summary of await page.locator("main summary").all()) await summary.click();
        await expectAccessible(page);
        await expectFits(page);
      }
    }
  });
}
