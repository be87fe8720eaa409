import type { Page } from "@playwright/test";
import { makeLink, newPerson } from "./support/api";
import { connect, heading, visitor } from "./support/checkout";
import { linked } from "./support/links";
import { answerWallet, become, expect, expectFits, test } from "./support/test";
import { balanceOf } from "./support/vaults";

type Case = {
  of: string;
  sold: string;
  link: object;
  choose: (page: Page) => Promise<void>;
  shown: string;
  atomic: string;
};

/** Amounts with six decimals: whatever rounds or adds as floating point shows another one. */
const CASES: readonly Case[] = [
  {
    of: "a quantity",
    sold: "Forecast × 3",
    link: { amount: "1234567", maxQuantity: 5, title: "Forecast" },
    choose: (page) => page.getByLabel("Quantity").fill("3"),
    shown: "3.703701",
    atomic: "3703701",
  },
  {
    of: "an amount that the payer chooses",
    sold: "Report",
    link: { amount: "5000000", customAmount: { min: "1000000", max: "50000000", presets: ["5000000"] } },
    choose: (page) => page.getByRole("textbox", { name: "Amount" }).fill("7.654321"),
    shown: "7.654321",
    atomic: "7654321",
  },
];

for (const { of, sold, link, choose, shown, atomic } of CASES) {
  test(`${of}: the displayed amount is signed, settled, on the receipt and in the seller's CSV`, async ({ page }) => {
    const owner = await newPerson();
    const agent = await linked(owner, "Weather shop");
    const { linkId } = await makeLink(agent, { description: "Report", ...link });
    const buyer = await visitor(page);

    await test.step("the amount is displayed", async () => {
      await page.goto(`/pay/${linkId}`);
      await choose(page);
      await expect(page.getByRole("status").filter({ hasText: "Total" })).toHaveText(`Total${shown} USDC`);
      await expectFits(page);
    });

    let payTo = "";
    await test.step("the amount is signed", async () => {
      await connect(page);
      await page.getByRole("button", { name: `Pay ${shown} USDC` }).click();
      const dialog = page.getByRole("dialog", { name: /^Sign: / });
      await expect(dialog).toContainText(`Pay ${shown} USDC to 0x`);
      const message = (await dialog.textContent()) ?? "";
      expect(message).toMatch(new RegExp(`\\bvalue\\W*${atomic}(?!\\d)`));
      payTo = /USDC to (0x[0-9a-fA-F]{40})/.exec(message)?.[1] ?? "";
      expect(await balanceOf(payTo)).toBe("0");
      await answerWallet(page, "Sign");
    });

    let settlementId = "";
    await test.step("the amount is settled and on the receipt", async () => {
      await expect(heading(page, `You paid ${shown} USDC`)).toBeVisible();
      expect(await balanceOf(payTo)).toBe(atomic);
      expect(await balanceOf(buyer.account.address)).toBe(String(40_000_000n - BigInt(atomic)));
      await page.getByRole("link", { name: "See the receipt" }).click();
      await expect(page.getByRole("main")).toContainText(`Amount paid${shown} USDC`);
      await expect(page.getByRole("main")).toContainText(`What for“${sold}”`);
      await expectFits(page);
      settlementId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      const json = await page.request.get(`/receipt/${settlementId}`, { headers: { Accept: "application/json" } });
      expect(await json.json()).toMatchObject({ settlementStatus: "settled", amount: atomic, payee: payTo });
    });

    await test.step("the amount is displayed to the seller, and in the CSV", async () => {
      await become(page, owner);
      await page.goto("/dashboard/payments?side=received");
      const row = page.getByRole("row").filter({ hasText: "Settled" });
      await expect(row).toHaveCount(1);
      await expect(row).toContainText(`+in ${shown}`);
      await expect(row.getByRole("link", { name: sold, exact: true })).toBeVisible();
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download CSV" }).click();
      const csv = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString("utf8");
      const [head = "", line = "", ...others] = csv.trim().split(/\r?\n/);
      expect(others).toEqual([]);
      const names = head.replace("\uFEFF", "").split(",");
      // No text of this sale has a comma.
      const sale = Object.fromEntries(line.split(",").map((cell, index) => [names[index], cell]));
      expect(sale).toMatchObject({ settlement_id: settlementId, amount_atomic: atomic, amount: shown });
    });
  });
}
