import { createServer } from "node:http";
import { call, newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

test("axe: a new owner creates a seller with one click, and the first link", async ({ page }) => {
  const person = await newPerson();
  await become(page, person);
  await page.goto("/dashboard");
  const create = page.getByRole("button", { name: "Create a seller" });
  await expect(create).toBeVisible();
  await expectAccessible(page);
  await page.goto("/dashboard/links");
  await expect(page.getByRole("heading", { name: "Sell something" })).toBeVisible();
  await expectFits(page);

  await create.click();
  const dialog = page.getByRole("dialog", { name: "Your seller is ready" });
  await expect(dialog.getByRole("region", { name: "The secret" })).toHaveText(/^tok_[0-9A-Za-z]{20,}$/);
  await dialog.getByText("Create links from a program").click();
  await expect(dialog.locator("pre")).toContainText("/api/payment-links");
  await expectAccessible(page);
  await expectFits(page);
  await dialog.getByRole("button", { name: "Create the first link" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New payment link");
  await expect(page.getByLabel("Agent")).toHaveValue(/-/);
  await page.getByLabel("Price").fill("2.50");
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeVisible();

  const { agents } = await call<{ agents: object[] }>("GET", "/api/agents", { cookie: person.cookie });
  expect(agents).toMatchObject([{ name: "My shop", isBound: true }]);
  await page.goto("/dashboard");
  await expect(page.getByRole("link", { name: "Create a payment link" })).toBeVisible();
});

test("axe: an owner proves a domain in the settings", async ({ page }) => {
  const site = createServer((_, res) => res.end(proof));
  let proof = "";
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  const address = site.address();
  const host = `localhost:${typeof address === "object" ? address?.port : ""}`;
  try {
    await become(page, await newPerson());
    await page.goto("/dashboard/settings");
    const form = page.getByRole("form", { name: "Add a domain" });
    await form.getByLabel("Domain").fill("https://shop.example.com/");
    await form.getByRole("button", { name: "Add domain" }).click();
    await expect(form.getByRole("alert")).toContainText("Enter the name of a public site");
    await form.getByLabel("Domain").fill(host);
    await form.getByRole("button", { name: "Add domain" }).click();
    const domain = page.getByRole("region", { name: host });
    await expect(domain.getByText("Not verified", { exact: true })).toBeVisible();
    await domain.getByRole("button", { name: "Verify domain" }).click();
    await expect(domain.getByRole("alert")).toContainText("the file does not contain the token");
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: "test-results/domains.png", fullPage: true });
    proof = (await domain.getByText(/^tessera-verification=/).textContent()) ?? "";
    await domain.getByRole("button", { name: "Verify domain" }).click();
    await expect(domain.getByText("Verified", { exact: true })).toBeVisible();
    await expectAccessible(page);
  } finally {
    site.close();
  }
});
