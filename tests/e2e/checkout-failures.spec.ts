import { type Route, test as unwatched } from "@playwright/test";
import { stranger } from "./support/addresses";
import { BASE_URL, makeLink, newPayee, payAs, paymentsOf } from "./support/api";
import { heading, mint, PAY, payment, visitAndPay, visitor } from "./support/checkout";
import { answerWallet, expect, expectAccessible } from "./support/test";

const isPayment = (route: Route) => "x-payment" in route.request().headers();

const PRESENTED = "**/paymentlink/*";

// Not watched: Chromium writes a console error for each answer of 5xx and each broken connection.
unwatched.describe("a checkout with a failure", () => {
  unwatched(
    "when the request is lost on its way to the service, the same signature is sent again, also after a reload",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller, { resourceContent: "Yours." });
      await visitor(page);
      const presented = new Set<string>();
      await page.route(PRESENTED, (route) => {
        if (!isPayment(route)) return route.fallback();
        presented.add(route.request().headers()["x-payment"] ?? "");
        return route.abort();
      });
      await visitAndPay(page, link.url);
      await answerWallet(page, "Sign");
      await expect(heading(page, "We are checking. Do not pay again")).toBeFocused();
      await expectAccessible(page);
      await page.reload();
      await expect(heading(page, "We are checking. Do not pay again")).toBeVisible();
      await expect(page.getByRole("button", { name: PAY })).toBeHidden();
      await page.getByRole("button", { name: "Check now" }).click();
      await page.unroute(PRESENTED);
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      expect(presented.size).toBe(1);
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );

  unwatched(
    "when a list of the operator has the payer, the page says so, and where a mistake is reported",
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller, {});
      await visitor(page);
      const reportUrl = `${BASE_URL}/report?address=${stranger()}`;
      await page.route(PRESENTED, (route) => {
        if (!isPayment(route)) return route.fallback();
        const json = { error: "denied", message: "denied", code: "PAYER_DENIED", list: "ofac", appealUrl: reportUrl };
        return route.fulfill({ status: 403, json });
      });
      await visitAndPay(page, link.url);
      await answerWallet(page, "Sign");
      await expect(heading(page, "Not paid. No money moved")).toBeFocused();
      await expect(page.getByText("takes no payments from your address")).toBeVisible();
      await expect(page.getByRole("link", { name: "Report a mistake" })).toHaveAttribute("href", reportUrl);
      await expectAccessible(page);
    },
  );

  unwatched(
    "when the response is lost on its way back, this browser still gets the content, and no other does",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller, { resourceContent: '{"shelf":7}' });
      await visitor(page);
      // Not unrouted in the end: the page may be asking at that very moment.
      let isCutOff = true;
      await page.route(PRESENTED, async (route) => {
        if (!isPayment(route) || !isCutOff) return route.fallback();
        await route.fetch();
        return route.abort();
      });
      await visitAndPay(page, link.url);
      await answerWallet(page, "Sign");
      await expect(heading(page, "We are checking. Do not pay again")).toBeVisible();
      isCutOff = false;
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toContainText('"shelf": 7');
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );

  unwatched(
    "when the chain is slow, the buyer may close the page, which later shows the outcome",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller, { resourceContent: "Yours.", redirectUrl: `${BASE_URL}/` });
      await visitor(page);
      let isSlow = true;
      await page.route(PRESENTED, async (route) => {
        if (!isPayment(route)) return route.fallback();
        const response: { settlementId: string; receipt: { txHash: string } } = await (await route.fetch()).json();
        const json = { status: "pending", settlementId: response.settlementId, txHash: response.receipt.txHash };
        return route.fulfill({ status: 202, json });
      });
      await page.route("**/api/settlements/*", async (route) => {
        const response = await route.fetch();
        const json = { ...(await response.json()), ...(isSlow && { settlementStatus: "pending", content: undefined }) };
        return route.fulfill({ json });
      });
      await visitAndPay(page, link.url);
      await answerWallet(page, "Sign");
      await expect(heading(page, "1.25 USDC on the way")).toBeFocused();
      await expect(payment(page)).toContainText("You can close this page. Do not pay again");
      await expect(page.getByRole("button", { name: "Copy transaction hash" })).toBeVisible();
      await expectAccessible(page);
      await page.goto("about:blank");
      await page.goto(link.url);
      await expect(heading(page, "1.25 USDC on the way")).toBeVisible();
      isSlow = false;
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      await page.getByRole("button", { name: "Stay here" }).click();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toHaveText("Yours.");
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );

  unwatched(
    "when the chain refuses a payment, the page says until when it can be used, and retries with the same signature",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller);
      const otherLink = await makeLink(seller, { amount: "1000000" });
      const person = await visitor(page, "1500000");
      await visitAndPay(page, link.url);
      // The money is spent elsewhere while the wallet dialog is open.
      await payAs(person, otherLink);
      await answerWallet(page, "Sign");
      await expect(heading(page, "Not settled. Do not sign again")).toBeFocused();
      await expect(payment(page)).toContainText("Your wallet had too little USDC on this network.");
      await expect(payment(page)).toContainText("Your signed payment can still be used until");
      await expectAccessible(page);
      await mint(person.account.address, "1250000");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );
});
