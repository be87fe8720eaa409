import { readFile } from "node:fs/promises";
import { imitate, remember, stranger } from "./support/addresses";
import { confirmed, fund, type Person, propose, sign } from "./support/api";
import { heading, linked, now, type Payout, requestPayout, rich } from "./support/payouts";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

const make = async (owner: Person, json: Record<string, unknown>): Promise<Payout> =>
  (await confirmed<{ payout: Payout }>(owner, "/api/wallet/payouts", json, 201)).payout;

test("payouts show addresses with their names from the address book", { tag: "@once" }, async ({ page }) => {
  const owner = await rich();
  const address = stranger();
  await become(page, owner);
  await page.goto("/dashboard/payouts/addresses");
  await expect(page.getByRole("heading", { name: "No addresses yet" })).toBeVisible();
  const dialog = page.getByRole("dialog");

  await test.step("the owner adds an address in any case, and its checksum form is shown", async () => {
    await page.getByRole("button", { name: "Add an address" }).click();
    await dialog.getByRole("button", { name: "Add address" }).click();
    await expect(dialog.getByRole("alert").first()).toBeVisible();
    await dialog.getByLabel("Address", { exact: true }).fill(address.toLowerCase());
    await expect(dialog.getByText(address, { exact: true })).toBeVisible();
    await dialog.getByLabel("Name").fill("Bo");
    await dialog.getByLabel("Name").press("Enter");
    await signAction(page, "Add to the address book");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("row", { name: /Bo/ })).toContainText(address);
  });

  await test.step("the page warns of an address that only looks like a known one", async () => {
    await page.getByRole("button", { name: "Add an address" }).click();
    await dialog.getByLabel("Address", { exact: true }).fill(imitate(address));
    await expect(dialog.getByText("“Bo” in your address book")).toBeVisible();
    await dialog.getByLabel("Name").fill("Bo too");
    await expect(dialog.getByRole("button", { name: "Add address" })).toBeDisabled();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
  });

  await test.step("the owner renames an address, finds it, and starts a payout from there", async () => {
    await page.getByRole("button", { name: "Rename Bo" }).click();
    await dialog.getByLabel("Name").fill("Bo the drummer");
    await dialog.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByRole("row", { name: /Bo the drummer/ })).toBeVisible();
    await page.getByRole("searchbox").fill("nobody");
    await page.getByRole("searchbox").press("Enter");
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
    await page.getByRole("searchbox").fill("DRUM");
    await page.getByRole("searchbox").press("Enter");
    await page.getByRole("link", { name: "Pay Bo the drummer" }).click();
    await expect(page.getByLabel("To", { exact: true })).toHaveValue(address);
    await make(owner, { toAddress: address, amount: "1000000", approve: true });
    await page.goto("/dashboard/payouts");
    await expect(page.getByRole("row", { name: /Bo the drummer/ })).toContainText("1.00");
  });

  await test.step("the owner deletes an address", async () => {
    await page.goto("/dashboard/payouts/addresses");
    await page.getByRole("button", { name: "Delete Bo the drummer" }).click();
    await dialog.getByRole("button", { name: "Delete address" }).click();
    await expect(page.getByRole("heading", { name: "No addresses yet" })).toBeVisible();
  });
});

test("the list of payouts shows separate totals, filters by its URL, and rejects a payout", { tag: "@once" }, async ({
  page,
}) => {
  const { owner, agent } = await linked("Payroll agent");
  await fund(owner, "5000000");
  const to = stranger();
  const waiting = await requestPayout(agent, { toAddress: to, amount: "2000000", description: "Wages =1+1" });
  for (const name of ["first", "second"]) await make(owner, { toAddress: to, amount: "1", description: name });
  await become(page, owner);

  await test.step("the payouts are shown on the overview and at the top of their own page", async () => {
    await page.goto("/dashboard");
    await page.getByRole("list", { name: "Payouts waiting for your approval" }).getByRole("link").click();
    await expect(heading(page, /^Pay 2\.00 USDC/)).toBeVisible();
    await page.goto("/dashboard");
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Money" }).click();
    await page.getByRole("navigation", { name: "Money" }).getByRole("link", { name: "Payouts" }).click();
    await expect(page.getByRole("region", { name: "To pay out on Base", exact: true })).toContainText("5.00 USDC");
    await expect(page.getByText("Reserved by transfers under way")).toHaveCount(0);
    await expect(page.getByRole("region", { name: "To pay out on Base Sepolia" })).toContainText("0.00 USDC");
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(4);
  });

  await test.step("the owner filters the list by agent, text and day", async () => {
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Created by").selectOption("You");
    await page.getByLabel("Text").fill("sec");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page).toHaveURL(/agent=me&text=sec/);
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
    await page.getByRole("link", { name: "Remove the filter Text sec" }).click();
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(3);
    await page.goto("/dashboard/payouts?status=nonsense&from=2026-02-31&network=base&to=2001-01-01");
    await expect(page.getByText("Some filters were left out")).toBeVisible();
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("the owner downloads the filtered list as CSV", async () => {
    await page.goto("/dashboard/payouts?text=Wages");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(to);
  });

  await test.step("the owner pages through many payouts", async () => {
    await Promise.all(Array.from({ length: 20 }, () => make(owner, { toAddress: to, amount: "7" })));
    await page.goto("/dashboard/payouts?agent=me");
    const rows = page.getByRole("table").getByRole("row");
    await expect(rows).toHaveCount(21);
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await expect(rows).toHaveCount(3);
    await expect(page).toHaveURL(/agent=me&after=/);
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(rows).toHaveCount(21);
  });

  await test.step("the owner rejects a waiting payout", async () => {
    await page.goto("/dashboard/payouts");
    const list = page.getByRole("list", { name: "Payouts waiting for your approval" });
    await list.getByRole("button", { name: "Reject" }).click();
    await expect(list).toHaveCount(0);
    expect((await now(owner, waiting)).status).toBe("denied");
    await page.goto(waiting.approvalUrl);
    await expect(heading(page, "Rejected. Nothing moved")).toBeVisible();
  });
});

test("a mandate's page says which payouts it covers, and lists them", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linked();
  await fund(owner);
  await become(page, owner);

  const any = await propose(agent, { hostAllowlist: undefined, limitAmount: "200000000" });
  await page.goto(any.authorizationUrl);
  await expect(page.getByText("pay out to any address, up to the limit")).toBeVisible();

  const bound = await propose(agent);
  await page.goto(bound.authorizationUrl);
  await page.getByText("Details: what it cannot do, and how to stop it").click();
  await expect(page.getByText("Send a payout that you have not approved")).toBeVisible();

  const listed = await propose(agent, { hostAllowlist: ["api.example.com", "payout"], limitAmount: "150000000" });
  await page.goto(listed.authorizationUrl);
  await expect(page.getByRole("region", { name: "What it may do" })).toContainText("Payouts (to any address)");
  await expect(page.getByText("It may pay out to any address", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Sign with your wallet/ }).click();
  await expect(page.getByRole("dialog")).toContainText("Type ANY ADDRESS to continue");

  const { mandateId } = listed;
  await sign(owner, listed);
  const to = stranger();
  const paid = await requestPayout(agent, { toAddress: to, amount: "1000000", mandateId });
  expect(paid.approvalUrl).toBeNull();
  await remember(owner, to, "Alice");
  await page.goto(`/mandates/${mandateId}`);
  await expect(page.getByRole("table", { name: "Payouts under this mandate, newest first" })).toContainText("Alice");
  await expectAccessible(page);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault on the pages of payouts, ${colorScheme}`, {
    tag: colorScheme === "dark" ? "@once" : [],
  }, async ({ page }) => {
    const { owner, agent } = await linked();
    await fund(owner);
    const knownAddress = stranger();
    await remember(owner, knownAddress, "W".repeat(100));
    const long = { description: "Weekly report. ".repeat(33).trim(), bizId: "B".repeat(100) };
    const recipients = [imitate(knownAddress), knownAddress, stranger()].map((toAddress, index) => ({
      toAddress,
      shareBps: index === 0 ? 3_334 : 3_333,
    }));
    const payout = await requestPayout(agent, {
      recipients,
      amount: "79228162514264337593543950335",
      network: "base-sepolia",
      ...long,
    });
    const others = recipients.map((leg, index) => (index === 1 ? leg : { ...leg, toAddress: stranger() }));
    const paid = await make(owner, { recipients: others, amount: "1000001", approve: true });
    await page.emulateMedia({ colorScheme });
    await become(page, owner);
    for (const path of [
      payout.approvalUrl,
      `/authorize/payout/${paid.payoutRecordId}`,
      "/dashboard/payouts",
      `/dashboard/payouts/${paid.payoutRecordId}`,
      `/dashboard/payouts/new?from=${paid.payoutRecordId}`,
      "/dashboard/payouts/batch",
      "/dashboard/payouts/addresses",
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectAccessible(page);
      await expectFits(page);
    }
  });
}
