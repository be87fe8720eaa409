import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { BASE_URL, call, newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const HOSTILE = "<img src=x onerror=alert(1)> shop";
const AMOUNT = 1_250_000n;

/** A server with this key settles a payment, by x402 v1. Returns its payer, with the given money on Base. */
async function settle(secret: string, money = AMOUNT): Promise<{ success: boolean }> {
  const payer = generatePrivateKey();
  const from = toAddress(privateKeyToAccount(payer).address);
  const to = toAddress(privateKeyToAccount(generatePrivateKey()).address);
  if (money > 0n) await call("POST", "/api/devnet/faucet", { json: { address: from, amount: money.toString() } });
  const now = BigInt(unixSeconds(new Date()));
  const times = { validAfter: now - 600n, validBefore: now + 300n };
  const nonce = `0x${generatePrivateKey().slice(2)}` as const;
  const authorization = { from, to, value: toUsdc(AMOUNT), ...times, nonce };
  const payload = {
    signature: signAuthorization("base", authorization, payer),
    authorization: toWireAuthorization(authorization),
  };
  const json = {
    paymentPayload: { x402Version: 1, scheme: "exact", network: "base", payload },
    paymentRequirements: {
      scheme: "exact",
      network: "base",
      maxAmountRequired: AMOUNT.toString(),
      resource: "https://shop.example/weather",
      description: HOSTILE,
      payTo: to,
      asset: NETWORKS.base.usdc,
    },
  };
  return call("POST", "/facilitator/settle", { jwt: secret, json });
}

test("an owner creates an API key, sees what it settled, and revokes it (axe)", async ({ page }) => {
  await become(page, await newPerson());
  let secret = "";

  await test.step("the owner finds the empty page, which says what API keys are for", async () => {
    await page.goto("/dashboard");
    const menu = page.getByRole("button", { name: "Menu", exact: true });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole("link", { name: "Developers" }).click();
    await page.getByRole("link", { name: "Facilitator" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Facilitator" })).toBeVisible();
    await expect(page.getByText("No key yet")).toBeVisible();
    await expect(page.getByText("No payment yet")).toBeVisible();
    await expect(page.getByText(`${new URL(BASE_URL).origin}/facilitator`)).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner sees the errors of an invalid key", async () => {
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a key" });
    const create = dialog.getByRole("button", { name: "Create key" });
    await create.click();
    await expect(dialog.getByText("Enter a name")).toBeVisible();
    await dialog.getByLabel("Name").fill(HOSTILE);
    await dialog.getByLabel("Requests per minute").fill("0");
    await create.click();
    await expect(dialog.getByText("Enter a whole number from 1 to 6,000.")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    await dialog.getByLabel("Requests per minute").fill("60");
  });

  await test.step("the owner creates a key with the keyboard, and sees the secret once", async () => {
    await page.getByLabel("Settlements per day").press("Enter");
    const stored = page.getByRole("dialog", { name: "Store the key" });
    secret = (await stored.getByRole("region", { name: "The secret" }).textContent()) ?? "";
    expect(secret).toMatch(/^tsk_\w{24}$/);
    await expectAccessible(page);
    await expectFits(page);
    await stored.getByRole("button", { name: "I have stored it" }).click();
    await expect(stored).toBeHidden();
    await page.reload();
    await expect(page.getByText(secret)).toHaveCount(0);
    await expect(page.getByRole("row", { name: /img src/ })).toContainText("60 requests a minute");
    await expect(page.locator("img")).toHaveCount(0);
    await expectFits(page);
  });

  await test.step("the owner sees the payment that the key settled", async () => {
    expect(await settle(secret)).toMatchObject({ success: true });
    expect(await settle(secret, 0n)).toMatchObject({ success: false, errorReason: "insufficient_funds" });
    await page.reload();
    const table = page.getByRole("region", { name: "Payments settled with your keys, newest first" });
    await expect(table.getByRole("row")).toHaveCount(2);
    await expect(table).toContainText("1.25");
    await expect(table.getByText("Settled", { exact: true }).filter({ visible: true })).toHaveCount(1);
    await expect(table).toContainText(HOSTILE);
    await expect(page.getByRole("row", { name: /img src.*tsk_/ })).not.toContainText("Never");
    await expectAccessible(page);
    await expectFits(page);
    await table.getByRole("rowheader").getByRole("link").click();
    await expect(page.getByRole("heading", { name: "Paid" })).toBeVisible();
    // Its description and its address.
    await expect(page.getByText("Words of the payer or seller, not verified")).toHaveCount(2);
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: `test-results/facilitated-${test.info().project.name}.png`, fullPage: true });
    await page.goBack();
  });

  await test.step("the owner filters the payments by key", async () => {
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("Second");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("navigation", { name: "Filter by key" }).getByRole("link", { name: "Second" }).click();
    await expect(page.getByText("No payment with this key")).toBeVisible();
    await expectFits(page);
    await page.getByRole("link", { name: "All keys" }).click();
    await expect(page.getByText("No payment with this key")).toBeHidden();
  });

  await test.step("the owner changes the key", async () => {
    await page.getByRole("button", { name: "Edit Second" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit key" });
    await dialog.getByLabel("Name").fill("Renamed");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("button", { name: "Edit Renamed" })).toBeVisible();
  });

  await test.step("the owner revokes the key", async () => {
    await page.getByRole("button", { name: /^Revoke <img/ }).click();
    const dialog = page.getByRole("dialog", { name: /^Revoke <img/ });
    await expect(dialog).toContainText("This cannot be undone");
    await expectAccessible(page);
    await expectFits(page);
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
    await call("POST", "/facilitator/verify", { jwt: secret, json: {} }, 401);
    await expectAccessible(page);
  });
});

test("the page has no fault in the dark color scheme (axe)", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  const person = await newPerson();
  const { secret } = await call<{ secret: string }>(
    "POST",
    "/api/facilitator/keys",
    { cookie: person.cookie, json: { name: "Weather API" } },
    201,
  );
  await settle(secret);
  await become(page, person);
  await page.goto("/dashboard/facilitator");
  await expect(page.getByText("Weather API").first()).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
});

test("a visitor is sent to the sign-in, @once", async ({ page }) => {
  await page.goto("/dashboard/facilitator");
  await expect(page.getByRole("heading", { name: "Facilitator" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /sign in/i }).first()).toBeVisible();
});
