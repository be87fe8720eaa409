import { createServer } from "node:http";
import { call, makeLink, newPerson } from "./support/api";
import { linked } from "./support/links";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

test("a new owner names a shop and creates a first link, without a token (axe)", async ({ page }) => {
  const person = await newPerson();
  await become(page, person);
  await page.goto("/dashboard/links");
  await expect(page.getByRole("heading", { name: "Sell something" })).toBeVisible();
  await expectFits(page);
  await page.goto("/dashboard");
  const create = page.getByRole("button", { name: "Create a seller" });
  await expect(create).toBeVisible();
  await expectAccessible(page);
  await create.click();
  const name = page.getByLabel("Name of your shop");
  await expect(name).toBeFocused();
  await expect(page.getByRole("alert").filter({ hasText: "Give it a name" })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await name.fill("Zoë's bakery");
  await create.click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New payment link");
  await expect(page.getByRole("region", { name: "Preview of the checkout" })).toContainText("Zoë's bakery");
  await page.getByLabel("Price").fill("2.50");
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeVisible();

  const { agents } = await call<{ agents: object[] }>("GET", "/api/agents", { cookie: person.cookie });
  expect(agents).toMatchObject([{ name: "Zoë's bakery", isBound: true }]);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Get your first payment" })).toBeVisible();
  await expect(page.getByRole("link", { name: "See your links" })).toHaveAttribute("href", "/dashboard/links");
});

test("an owner makes a seller's token under Developers (axe)", async ({ page }) => {
  const person = await newPerson();
  await become(page, person);
  await page.goto("/dashboard/keys");
  await expect(page.getByText("No sellers or agents yet")).toBeVisible();
  await call("POST", "/api/agents", { cookie: person.cookie, json: { name: "Corner shop" } }, 201);
  await page.reload();
  await expect(page.getByRole("region", { name: "commands" })).toContainText("/api/payment-links");
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole("button", { name: "New token for Corner shop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make new token" }).click();
  await signAction(page, "Make a new token for an agent");
  const dialog = page.getByRole("dialog", { name: "Store the new token" });
  await expect(dialog.getByRole("region", { name: "The token" })).toHaveText(/^tok_[0-9A-Za-z]{20,}$/);
});

test("an owner verifies a domain in the settings (axe)", async ({ page }) => {
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

test("an owner fills in a seller's profile, and buyers see it (axe)", async ({ page }) => {
  const person = await newPerson();
  const agent = await linked(person, "Agent name");
  const { linkId } = await makeLink(agent);
  await become(page, person);
  await page.goto("/dashboard/settings");
  const form = page.getByRole("form", { name: "Seller profile" });
  await form.getByLabel("Name").fill("Zoë's shop");
  await form.getByLabel("Support contact").fill("call me");
  await form.getByRole("button", { name: "Save profile" }).click();
  await expect(form.getByRole("alert")).toContainText("Enter an e-mail address");
  await form.getByLabel("Support contact").fill("help@shop.example");
  await form.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved")).toBeVisible();
  const chooser = page.locator("input[type=file]");
  await chooser.setInputFiles({
    name: "a.png",
    mimeType: "image/png",
    buffer: Buffer.from("<script>alert(1)</script>"),
  });
  await expect(page.getByText("This file is not a PNG, JPEG or WebP")).toBeVisible();
  await chooser.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: PNG });
  await expect(page.getByRole("img", { name: "Your logo" })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: "test-results/profile.png", fullPage: true });

  await page.goto(`/pay/${linkId}`);
  const offer = page.getByRole("region", { name: "What you pay for" });
  await expect(offer).toContainText("“Zoë's shop”");
  await expect(offer.locator("img")).toHaveJSProperty("complete", true);
  await expect(page.getByRole("link", { name: "help@shop.example" })).toHaveAttribute(
    "href",
    "mailto:help@shop.example",
  );
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: "test-results/profile-checkout.png", fullPage: true });
});

/** One grey pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);
