import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { type Agent, call, newAgent, newPerson, type Person, propose, sign } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const HOSTILE = '=1+1;"<img src=x onerror=alert(1)>", and a word without an end: ';

const credentialFor = (agent: Agent, audience: string, ttl_seconds = 900) =>
  call("POST", "/agent/vc/issue", { jwt: agent.jwt, json: { challenge: "c".repeat(32), audience, ttl_seconds } });

/** An owner of two agents: each signed up, each with credentials. */
async function ownerOfTwo(): Promise<{ person: Person; first: Agent; second: Agent }> {
  const person = await newPerson();
  const [first, second] = [await newAgent("Research agent"), await newAgent("Second agent")];
  await sign(person, await propose(first));
  await sign(person, await propose(second));
  await credentialFor(first, "https://vendor.example");
  await credentialFor(second, "https://other.example", 90);
  return { person, first, second };
}

const items = (page: Page) => page.getByRole("list", { name: "What happened, newest first" }).getByRole("listitem");

async function download(page: Page): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  const text = await readFile(await file.path(), "utf8");
  return { name: file.suggestedFilename(), lines: text.trimEnd().split("\r\n") };
}

test("the filters by agent, kind and type are in the URL, and the download uses them", { tag: "@once" }, async ({
  page,
}) => {
  const { person, first, second } = await ownerOfTwo();
  await become(page, person);
  await page.goto("/dashboard/activity");
  await expect(
    items(page).filter({ hasText: "Research agent got a credential for https://vendor.example" }),
  ).toHaveCount(1);

  await page.getByLabel("Agent", { exact: true }).selectOption(first.agentId);
  await page.getByLabel("Type", { exact: true }).selectOption("Mandate signed");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(new RegExp(`agent=${first.agentId}&type=mandate.signed`));
  await expect(items(page)).toHaveCount(1);
  await expect(items(page)).toContainText("You signed a mandate of up to 25.00 USDC for Research agent");
  const one = await download(page);
  expect(one.name).toMatch(/^tessera-activity-\d{4}-\d\d-\d\d\.csv$/);
  expect(one.lines).toHaveLength(2);
  expect(one.lines[0]).toBe("\ufefftime,type,agent_id,agent_name,subject,details,id");
  expect(one.lines[1]).toContain(`,mandate.signed,${first.agentId},Research agent,mand_`);

  const kinds = page.getByRole("navigation", { name: "Filter by kind" });
  await kinds.getByRole("link", { name: "Credentials" }).click();
  await expect(page).toHaveURL(/kind=credential/);
  await expect(kinds.getByRole("link", { name: "Credentials" })).toHaveAttribute("aria-current", "true");
  await expect(page.getByLabel("Agent", { exact: true })).toHaveValue(first.agentId);
  await expect(page.getByLabel("Type", { exact: true }).getByRole("option")).toHaveText([
    "All types",
    "Credential issued",
  ]);
  await expect(items(page)).toHaveCount(1);
  await page.getByLabel("Agent", { exact: true }).selectOption("");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(items(page)).toHaveCount(2);
  await expect(items(page).first()).toContainText("Second agent got a credential for https://other.example");
  const { lines } = await download(page);
  expect(lines.slice(1).map((line) => line.split(",").slice(1, 3))).toEqual([
    ["VC_ISSUED", second.agentId],
    ["VC_ISSUED", first.agentId],
  ]);
});

test("the page says which filters to remove when they match nothing", { tag: "@once" }, async ({ page }) => {
  const { person, first } = await ownerOfTwo();
  await become(page, person);
  await page.goto(`/dashboard/activity?kind=mandate&type=mandate.revoked&agent=${first.agentId}`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expect(
    page.getByText(/matches type Mandate revoked and agent Research agent\. Remove one of them/),
  ).toBeVisible();
  await expectAccessible(page);
  expect((await download(page)).lines).toHaveLength(1);
  await page.getByRole("link", { name: "Any type" }).click();
  await expect(page).toHaveURL(new RegExp(`\\?agent=${first.agentId}&kind=mandate$`));
  await expect(items(page)).toHaveCount(3);
  await page.goto("/dashboard/activity?kind=money");
  await expect(page.getByText("Nothing that happened matches kind Money. Remove it to see more.")).toBeVisible();
  await page.getByRole("link", { name: "Any kind" }).click();
  await expect(items(page).last()).toContainText("You signed in");
});

test("event details open by keyboard, and describe a credential in plain words", { tag: "@once" }, async ({ page }) => {
  const { person } = await ownerOfTwo();
  await become(page, person);
  await page.goto("/dashboard/activity?kind=credential");
  const item = items(page).filter({ hasText: "Research agent" });
  await page.getByRole("button", { name: "Filter" }).focus();
  // The newest is the second agent's; the next line is ours.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(item.locator("summary")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(item.getByText("15 minutes (900 s)")).toBeVisible();
  await expect(item.getByText("Credential (jti)")).toBeVisible();
  await expect(item.getByText("SHA-256 of its challenge")).toBeVisible();
  await expect(item.getByText(/^[0-9a-f]{64}$/)).toBeVisible();
  await expect(item.getByRole("link", { name: "Verify a credential" })).toHaveAttribute("href", "/identity");
  await page.keyboard.press("Enter");
  await expect(item.getByText("15 minutes (900 s)")).toBeHidden();
});

test("filters are kept from one page of events to the next", { tag: "@once" }, async ({ page }) => {
  const { person, first } = await ownerOfTwo();
  for (let index = 0; index < 34; index++) await credentialFor(first, `https://shop-${index}.example`);
  await become(page, person);
  await page.goto(`/dashboard/activity?kind=credential&agent=${first.agentId}`);
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(items(page)).toHaveCount(20);
  await expect(items(page).first()).toContainText("https://shop-33.example");
  await expect(pages).toContainText("1–20 of many");
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(items(page)).toHaveCount(15);
  await expect(items(page).first()).toContainText("https://shop-13.example");
  await expect(items(page).last()).toContainText("https://vendor.example");
  await expect(pages).toContainText("21–35 of 35");
  await expect(pages.getByRole("link", { name: "Next" })).toHaveCount(0);
  expect((await download(page)).lines).toHaveLength(36);
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect(items(page)).toHaveCount(20);
  await pages.getByRole("link", { name: "50 rows a page" }).click();
  await expect(items(page)).toHaveCount(35);
  await expect(pages).toContainText("1–35 of 35");
});

for (const scheme of ["light", "dark"] as const) {
  test(`hostile audiences are shown as text that fits, and axe finds no fault, ${scheme}`, {
    tag: scheme === "dark" ? "@once" : [],
  }, async ({ page }) => {
    const { person, first } = await ownerOfTwo();
    const audience = `${HOSTILE}${"x".repeat(600)}`;
    await credentialFor(first, audience);
    await page.emulateMedia({ colorScheme: scheme });
    await become(page, person);
    await page.goto("/dashboard/activity?kind=credential");
    await expect(items(page).first().locator("summary bdi").last()).toHaveText(/^=1\+1;"<img .*x…$/);
    for (const summary of await page.locator("main summary").all()) await summary.click();
    await expect(items(page).first().getByText(audience)).toBeVisible();
    await expect(page.locator("main img")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });
}
