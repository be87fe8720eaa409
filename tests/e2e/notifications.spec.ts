import { createECDH, randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { startPushService } from "../support/push-service";
import { BASE_URL, call, newPerson } from "./support/api";
import { linkedAgent, requestApproval } from "./support/approval";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const { DATABASE_URL } = process.env;

type Browser = { answer: NotificationPermission; permission?: NotificationPermission };

/**
 * A headless browser has no push service. The page's PushManager and the answer to the browser's question are played; the service
 * worker is the real one.
 */
async function withPush(page: Page, { answer, permission = "default" }: Browser): Promise<string> {
  const ecdh = createECDH("prime256v1");
  const p256dh = ecdh.generateKeys("base64url");
  // A port where nothing answers.
  const endpoint = `http://localhost:9/push/${randomBytes(12).toString("hex")}`;
  const json = { endpoint, keys: { p256dh, auth: randomBytes(16).toString("base64url") } };
  await page.addInitScript(
    ({ json, answer, permission }) => {
      const storedSubscription = () => localStorage.getItem("played.subscription");
      const subscription = () => ({
        ...json,
        toJSON: () => json,
        unsubscribe: async () => {
          localStorage.removeItem("played.subscription");
          return true;
        },
      });
      const played = {
        getSubscription: async () => (storedSubscription() === null ? null : subscription()),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          localStorage.setItem("played.subscription", applicationServerKey);
          return subscription();
        },
      };
      Object.assign(PushManager.prototype, played);
      const storedPermission = () => localStorage.getItem("played.permission") ?? permission;
      Object.defineProperty(Notification, "permission", { get: storedPermission, configurable: true });
      Notification.requestPermission = async () => {
        localStorage.setItem("played.permission", answer);
        return answer;
      };
    },
    { json, answer, permission },
  );
  return endpoint;
}

const card = (page: Page) => page.locator("#notifications");

test("a person turns notifications on in this browser, chooses kinds and turns them off (axe) @once", async ({
  page,
}) => {
  const owner = await newPerson();
  await become(page, owner);
  const endpoint = await withPush(page, { answer: "granted" });
  await page.goto("/dashboard/settings");
  const channel = card(page).getByRole("switch", { name: "Notify me in this browser" });
  await expect(channel).not.toBeChecked();
  await expect(channel).toBeEnabled();
  await expectAccessible(page);
  await channel.click();
  await expect(channel).toBeChecked();
  const form = page.getByRole("form", { name: "Notifications in this browser" });
  await form.getByLabel("Money arrived").uncheck();
  await form.getByRole("button", { name: "Save notifications" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const stored = await call("GET", "/api/notices/browsers", { cookie: owner.cookie });
  expect(stored).toMatchObject({ browsers: [{ endpoint, isOfThisSession: true }] });
  expect(JSON.stringify(stored)).not.toContain("money_received");
  await expectAccessible(page);
  await expectFits(page);
  await card(page).screenshot({ path: `test-results/notifications-${test.info().project.name}.png` });

  await page.reload();
  await expect(channel).toBeChecked();
  await expect(form.getByLabel("Money arrived")).not.toBeChecked();
  const worker = await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL);
  expect(new URL(worker ?? "").pathname).toBe("/sw.js");

  const sql = postgres(DATABASE_URL ?? "", { max: 1 });
  await sql`update notice_browsers set last_error = 'HTTP 503' where endpoint = ${endpoint}`;
  await sql.end();
  await page.reload();
  await expect(card(page).getByText("The newest notification did not arrive")).toBeVisible();
  await expectAccessible(page);

  await channel.click();
  await expect(channel).not.toBeChecked();
  await expect(form).toHaveCount(0);
  expect(await call("GET", "/api/notices/browsers", { cookie: owner.cookie })).toMatchObject({ browsers: [] });
});

test("a notice of a waiting decision reaches the browser that the person allowed, which shows it", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  const service = await startPushService();
  try {
    // A headless browser denies notifications and has no push service: both are played, and the rest is real.
    await page.exposeFunction("subscribeAt", (publicKey: string) => service.subscribe(publicKey));
    await page.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { get: () => "granted" });
      Notification.requestPermission = async () => "granted";
      let held: object | null = null;
      const subscription = () => held && { ...held, toJSON: () => held, unsubscribe: async () => true };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => subscription(),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          const { subscribeAt } = window as unknown as { subscribeAt: (key: string) => Promise<object> };
          held = await subscribeAt(applicationServerKey);
          return subscription();
        },
      });
    });
    await page.goto("/dashboard/settings");
    const channel = card(page).getByRole("switch", { name: "Notify me in this browser" });
    await channel.click();
    await expect(channel).toBeChecked();

    const { approvalId } = await requestApproval(agent);
    const path = `/authorize/payment/${approvalId}`;
    await expect.poll(() => service.got.map(({ notice }) => notice.path)).toContain(path);
    const sent = service.got.find(({ notice }) => notice.path === path)?.notice;
    expect(sent?.title).toBeTruthy();
    expect(await shownAfter(page, JSON.stringify(sent))).toEqual({
      title: sent?.title,
      body: sent?.text,
      path,
    });
  } finally {
    await service.close();
  }
});

/** What the service worker shows after this message of the push service. */
async function shownAfter(page: Page, data: string) {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error("no service worker");
  await worker.evaluate(() => {
    const registration = (self as unknown as { registration: ServiceWorkerRegistration }).registration;
    registration.showNotification = async (title, { body, data } = {}) => {
      Object.assign(self, { shown: { title, body, path: data.path } });
    };
  });
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  await devtools.send("ServiceWorker.deliverPushMessage", { origin: new URL(BASE_URL).origin, registrationId, data });
  const shownNotice = () => worker.evaluate(() => (self as unknown as { shown?: object }).shown ?? null);
  await expect.poll(shownNotice).not.toBeNull();
  return shownNotice();
}

test("the settings say when the browser blocks notifications or has none (axe)", async ({ page }) => {
  await become(page, await newPerson());
  await withPush(page, { answer: "denied" });
  await page.goto("/dashboard/settings");
  await card(page).getByRole("switch", { name: "Notify me in this browser" }).click();
  await expect(card(page).getByText("You have blocked notifications from this site")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.reload();
  await expect(card(page).getByText("You have blocked notifications from this site")).toBeVisible();
  await page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
  await page.reload();
  await expect(card(page).getByText("This browser cannot show notifications")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
});

test("other browsers are listed and can be removed, and dismissing the permission prompt changes nothing (axe)", async ({
  page,
}) => {
  const owner = await newPerson();
  const ecdh = createECDH("prime256v1");
  const keys = { p256dh: ecdh.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") };
  const endpoint = `http://localhost:9/push/${randomBytes(12).toString("hex")}`;
  await call("POST", "/api/notices/browsers", { cookie: owner.cookie, json: { endpoint, keys } });
  await become(page, owner);
  await withPush(page, { answer: "default" });
  await page.goto("/dashboard/settings");
  const others = card(page).getByRole("region", { name: "Other browsers" }).getByRole("listitem");
  await expect(others).toHaveCount(1);
  await expectAccessible(page);
  await expectFits(page);
  await card(page).getByRole("switch", { name: "Notify me in this browser" }).click();
  await expect(card(page).getByText("You did not allow notifications")).toBeVisible();
  await others.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(others).toHaveCount(0);
});

test("the service worker is served as a script that browsers check for updates", { tag: "@once" }, async ({ page }) => {
  const response = await page.request.get("/sw.js");
  expect(response.headers()["content-type"]).toContain("javascript");
  expect(response.headers()["cache-control"]).toContain("max-age=0");
});

test("an owner chooses the balance below which a notice is sent (axe)", async ({ page }) => {
  const owner = await newPerson();
  await become(page, owner);
  await page.goto("/dashboard/settings");
  const form = page.getByRole("form", { name: "Low balance" });
  await expect(form.getByLabel("Notify me below")).toHaveValue("5.00");
  await form.getByLabel("Notify me below").fill("much");
  await form.getByRole("button", { name: "Save low balance" }).click();
  await expect(form.getByText("Enter an amount with at most six decimals")).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel("Notify me below").fill("12.5");
  await form.getByRole("button", { name: "Save low balance" }).click();
  await expect(page.getByText("Low balance saved")).toBeVisible();
  expect(await call("GET", "/api/wallet/low-balance", { cookie: owner.cookie })).toMatchObject({
    threshold: "12500000",
  });
  await expectFits(page);
});
