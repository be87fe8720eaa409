import { type Receiver, startReceiver, verified } from "../support/receiver";
import { newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

let receiver: Receiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

const HOSTILE = "<img src=x onerror=alert(1)> evil";

test("an owner adds a webhook, tests it and sees the receiver's response (axe)", async ({ page }) => {
  const owner = await newPerson();
  await become(page, owner);
  let secret = "";

  await test.step("the owner finds the empty page, which says what webhooks are for", async () => {
    await page.goto("/dashboard");
    const menu = page.getByRole("button", { name: "Menu", exact: true });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole("link", { name: "Developers" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
    await expect(page.getByText("No webhook yet")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner sees the error of an invalid URL", async () => {
    await page.getByRole("button", { name: "Add webhook" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a webhook" });
    for (const [url, why] of [
      ["hooks", "Enter a complete URL"],
      ["http://example.com/", "must begin with https"],
      ["https://10.0.0.1/", "public internet"],
    ] as const) {
      await dialog.getByLabel("URL").fill(url);
      await dialog.getByRole("button", { name: "Add webhook" }).click();
      await expect(dialog.getByRole("alert")).toContainText(why);
    }
    await dialog.getByText("Only some").click();
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await expect(dialog.getByRole("alert").filter({ hasText: "Choose at least one" })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner adds a webhook with the keyboard, and sees the secret once", async () => {
    const dialog = page.getByRole("dialog", { name: "Add a webhook" });
    await dialog.getByLabel("Mandate signed").focus();
    await page.keyboard.press("Space");
    await dialog.getByLabel("Description").fill(HOSTILE);
    await dialog.getByLabel("Description").press("Enter");
    await signAction(page, "Send your events to a new host");
    const stored = page.getByRole("dialog", { name: "Store the secret" });
    secret = (await stored.getByRole("region", { name: "The secret" }).textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await stored.getByText("Code for your receiver").click();
    await expect(stored.getByRole("region", { name: "receiver" })).toContainText("webhook.verification");
    await expectAccessible(page);
    await expectFits(page);
    await stored.getByRole("button", { name: "I have stored it" }).click();
    await expect(stored).toBeHidden();
    await page.reload();
    await expect(page.getByText("whsec_")).toHaveCount(0);
    await expect(page.getByRole("row").filter({ hasText: receiver.url })).toContainText("Not verified");
    await expect(page.locator("img")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner sends a test event and looks at it", async () => {
    receiver.answer((_, res) => void res.writeHead(200).end(HOSTILE));
    await page.getByRole("link", { name: "<img" }).click();
    await expect(page.getByText("Verify the receiver to see how that looks")).toBeVisible();
    await page.getByRole("button", { name: "Verify receiver" }).click();
    const refusal = page.getByRole("listitem").filter({ hasText: "webhook.verification" });
    await expect(refusal.getByText("Failed")).toBeVisible();
    await refusal.locator("summary").click();
    await expect(refusal.getByText("The response did not repeat the challenge")).toBeVisible();
    await expectAccessible(page);
    receiver.answer(({ body }, res) => void res.writeHead(200).end(JSON.parse(body).data.challenge));
    await page.getByRole("button", { name: "Verify receiver" }).click();
    const send = page.getByRole("button", { name: "Send test event" });
    await expect(send).toBeVisible();
    await expect(page.getByText("Enabled", { exact: true })).toBeVisible();
    receiver.answer((_, res) => void res.writeHead(200).end(HOSTILE));
    await send.click();
    const delivery = page.getByRole("listitem").filter({ hasText: "webhook.test" });
    await expect(delivery.getByText("Delivered")).toBeVisible();
    const request = receiver.got.at(-1);
    if (!request) throw new Error("nothing arrived");
    expect(verified(secret, request)).toMatchObject({ type: "webhook.test" });
    await delivery.locator("summary").click();
    await expect(delivery.getByText("Accepted (200)")).toBeVisible();
    await expect(delivery.getByRole("region", { name: /^Body of evt_/ })).toContainText('"type": "webhook.test"');
    await expect(delivery.getByRole("region", { name: /^Reply 1/ })).toContainText(HOSTILE);
    await expect(page.locator("img")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner sends the event again", async () => {
    const delivery = page.getByRole("listitem").filter({ hasText: "webhook.test" });
    await delivery.getByRole("button", { name: "Send again" }).click();
    await expect(delivery.getByRole("region", { name: /^Reply 2/ })).toBeVisible();
    const tests = receiver.got.filter(({ body }) => JSON.parse(body).type === "webhook.test");
    expect(tests).toHaveLength(2);
    expect(tests[1]?.headers["webhook-id"]).toBe(tests[0]?.headers["webhook-id"]);
  });
});

test("an owner changes a webhook, rotates its secret, sees it disabled and deletes it (axe)", async ({ page }) => {
  const owner = await newPerson();
  await become(page, owner);
  await page.goto("/dashboard/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByLabel("Description").fill("Orders");
  await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
  await signAction(page, "Send your events to a new host");
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: "Orders" }).click();

  await test.step("the owner changes the webhook's events", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Description").fill("Sales");
    await page.getByText("Only some").click();
    await page.getByLabel("Payment link paid").check();
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Sales" })).toBeVisible();
    await expect(page.getByText("payment_link.paid")).toBeVisible();
  });

  await test.step("the owner rotates the secret", async () => {
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page
      .getByRole("dialog", { name: "Rotate the secret" })
      .getByRole("button", { name: "Rotate secret" })
      .click();
    await signAction(page, "Make a new secret for a webhook");
    const stored = page.getByRole("dialog", { name: "Store the new secret" });
    await expect(stored.getByText(/^whsec_/)).toBeVisible();
    await stored.getByRole("button", { name: "I have stored it" }).click();
    await expect(page.getByText("Old secret signs too until")).toBeVisible();
  });

  await test.step("the owner verifies the receiver", async () => {
    receiver.answer(({ body }, res) => void res.writeHead(200).end(JSON.parse(body).data.challenge));
    await page.getByRole("button", { name: "Verify receiver" }).click();
    await expect(page.getByRole("button", { name: "Send test event" })).toBeVisible();
  });

  await test.step("the owner sees the webhook disabled after its receiver responded with 410, and enables it", async () => {
    receiver.answerStatus(410);
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByText("We disabled this webhook")).toBeVisible();
    await expect(page.getByText("Disabled: receiver gone")).toBeVisible();
    await page.locator("summary").filter({ hasText: "webhook.test" }).click();
    await expect(page.getByText("Responded 410 Gone")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send again" })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Enable" }).click();
    await expect(page.getByText("We disabled this webhook")).toHaveCount(0);
    await expect(page.getByText("Enabled", { exact: true })).toBeVisible();
  });

  await test.step("the owner filters the log", async () => {
    await page.getByRole("link", { name: "Failed", exact: true }).click();
    await expect(page.locator("summary").filter({ hasText: "webhook.test" })).toBeVisible();
    await page.getByRole("link", { name: "Waiting", exact: true }).click();
    await expect(page.getByText("No delivery of the last 30 days is in this state")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("the list shows that the webhook fails while it is enabled, and when it no longer does", async () => {
    for (const [status, state] of [
      [500, "Failing"],
      [200, "Enabled"],
    ] as const) {
      receiver.answerStatus(status);
      await page.getByRole("button", { name: "Send test event" }).click();
      await expect(page.getByText(state, { exact: true })).toBeVisible();
      await page.goto("/dashboard/webhooks");
      await expect(page.getByRole("row").filter({ hasText: "Sales" })).toContainText(state);
      if (status === 500) await expect(page.getByText("Enabled", { exact: true })).toHaveCount(0);
      await expectAccessible(page);
      await expectFits(page);
      await page.getByRole("link", { name: "Sales" }).click();
    }
  });

  await test.step("the owner deletes the webhook", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).click();
    await expect(page.getByText("No webhook yet")).toBeVisible();
    await page.goto("/dashboard/activity?kind=webhook");
    for (const message of [
      "You added a webhook",
      "You gave a webhook a new secret",
      "its receiver answered 410 Gone",
      "You deleted a webhook",
    ]) {
      await expect(page.getByText(message)).toBeVisible();
    }
  });
});

test("another account's webhook is not found", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard/webhooks/whk_000000000000000000000000");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/not|nothing/i);
});
