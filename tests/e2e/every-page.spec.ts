import { appPages, examplesOf, fullOwner } from "./support/every-page";
import { become, expect, expectAccessible, expectFits, SHIFTS_MAX, shiftsOn, test, watchShifts } from "./support/test";

/** Not in the app's folder. */
const HOME = "/";

/** What colours can break. The other rules find the same in the dark as in the light. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** A line may wrap when the browser shows its own time in place of UTC. */
const PHONE_SHIFTS_MAX = 0.04;

const LISTS = /^\/dashboard\/(?:payouts|webhooks|invoices|links|payments)/;
const PARTS: readonly { name: string; includes: (page: string) => boolean }[] = [
  { name: "the dashboard's lists and their items", includes: (page) => LISTS.test(page) },
  { name: "the rest of the dashboard", includes: (page) => page.startsWith("/dashboard") && !LISTS.test(page) },
  { name: "every other page", includes: (page) => !page.startsWith("/dashboard") },
];

// The parts run in parallel, so each has a separate owner.
for (const { name, includes } of PARTS) {
  test(`${name}: each page has no fault in light and dark, fits the screen and does not move while it loads (axe)`, async ({
    page,
  }) => {
    test.slow();
    const { person, ids } = await fullOwner();
    await become(page, person);
    const pages = [HOME, ...appPages()].filter(includes).flatMap((each) => examplesOf(each, ids));
    expect(pages).not.toEqual([]);
    await watchShifts(page);
    // Loads the fonts, for which a reader waits once.
    await page.goto(HOME);
    for (const path of pages) {
      await test.step(path, async () => {
        await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
        const response = await page.goto(path);
        expect(response?.status()).toBe(200);
        await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
        await expect(page.locator("html")).toHaveClass(/light/);
        await expectAccessible(page);
        await expectFits(page);
        expect(await shiftsOn(page), "the page moves while it loads").toBeLessThanOrEqual(
          test.info().project.name === "phone" ? PHONE_SHIFTS_MAX : SHIFTS_MAX,
        );
        await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
        await expect(page.locator("html")).toHaveClass(/dark/);
        await expectAccessible(page, OF_COLOURS);
      });
    }
  });
}
