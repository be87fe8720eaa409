import { test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import type { Person } from "./api";

export { expect } from "@playwright/test";

/** Every page is watched: a console error, an exception or a broken content security policy fails the test. */
export const test = base.extend<{ page: Page }>({
  page: async ({ page }, use, testInfo) => {
    testInfo.skip(Date.now() > UNTIL, "no time is left (TEST_MINUTES)");
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
    page.on("console", (message) => {
      const isExpected = EXPECTED.some((pattern) => pattern.test(message.text()));
      if (message.type() === "error" && !isExpected) faults.push(`console: ${message.text()}`);
    });
    await page.exposeFunction("reportViolation", (description: string) => faults.push(`CSP: ${description}`));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const { reportViolation } = window as unknown as { reportViolation: (what: string) => void };
        reportViolation(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    for (const opens of ["goto", "reload"] as const) {
      const open = page[opens].bind(page) as (...given: unknown[]) => ReturnType<Page["goto"]>;
      page[opens] = async (...given: unknown[]) => {
        const response = await open(...given);
        await page.evaluate(untilPressable, PRESSABLE_WITHIN_MS);
        return response;
      };
    }
    await use(page);
    expect(faults).toEqual([]);
  },
});

/** From when on tests are skipped, in milliseconds since 1970. */
const UNTIL = Number(process.env.E2E_UNTIL ?? Number.POSITIVE_INFINITY);

const PRESSABLE_WITHIN_MS = 3_000;

/**
 * Resolves once React has taken over the page's buttons: most of what is pressed before is lost, and a script is faster than people.
 * A page that takes longer is for the test to judge.
 */
async function untilPressable(withinMs: number): Promise<void> {
  const isTaken = (button: Element) => Object.keys(button).some((key) => key.startsWith("__reactProps$"));
  const end = Date.now() + withinMs;
  while (document.querySelector('script[src*="/_next/static/"]') && Date.now() < end) {
    if ([...document.querySelectorAll("header button, main button, main input")].every(isTaken)) return;
    await new Promise((next) => setTimeout(next, 10));
  }
}

const EXPECTED = [
  // Chromium writes one for each answer that is not 2xx; tests of refusals expect those.
  /Failed to load resource: the server responded with a status of 4\d\d/,
  // Only a browser that a test cut off from the network writes it.
  /Failed to load resource: net::ERR_INTERNET_DISCONNECTED/,
  // The library of passkey wallets requests a header from the page's URL, and a payment link responds to programs with 402.
  /Error checking Cross-Origin-Opener-Policy: HTTP error! status: 402/,
  // React in development, of the theme's script on a 404, which Next draws in the browser.
  /Encountered a script tag while rendering React component/,
];

/**
 * Asserts that axe finds nothing on the page in its current state. Journeys are checked in one screen size; the tests of
 * single pages check both. With `rules`, only those are checked.
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  const { project, title } = base.info();
  if (project.name === "phone" && !/\baxe\b/.test(title)) return;
  // Next's own overlay in development, which axe takes for part of the page.
  await page.evaluate(() => document.querySelector("nextjs-portal")?.remove());
  // Next streams the title in after the page.
  await expect(page).toHaveTitle(/./);
  // Once a document: bringing it takes as long as a run.
  // The title of a streamed page comes after its first content.
  await expect(page).toHaveTitle(/./);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (only) => {
    // What is still fading in has less contrast than it will have. What turns for ever has no end.
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    for (const animation of moving) animation.finish();
    const here = window as unknown as { axe: typeof axe };
    // What passes need not be described, and there are no styles of elsewhere to fetch.
    return (
      await here.axe.run(document, {
        resultTypes: ["violations"],
        preload: false,
        ...(only && { runOnly: [...only] }),
      })
    ).violations;
  }, rules);
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) }));
  expect(found).toEqual([]);
}

/** No state scrolls sideways. */
export async function expectFits(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

/** Before the page is opened: sums up the layout shifts of each page that no input caused, as browsers report them. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const watched = window as unknown as { shifts: number };
    watched.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) watched.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });

export const shiftsOn = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { shifts: number }).shifts);

/** What a reader does not notice: a fifth of what browsers call good. */
export const SHIFTS_MAX = 0.02;

/** Signs `person` in to this browser, with their key in the built-in test wallet. */
export async function become(page: Page, person: Person, isSignedIn = true): Promise<void> {
  await page.addInitScript((key) => {
    const wallet = { key, chainId: 8453, isConnected: true };
    if (!localStorage.getItem("tessera.test-wallet")) {
      localStorage.setItem("tessera.test-wallet", JSON.stringify(wallet));
    }
  }, person.key);
  if (!isSignedIn) return;
  const [name = "", value = ""] = person.cookie.split("=");
  const url = new URL(process.env.E2E_BASE_URL ?? "http://localhost:3000").origin;
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
}

/** wagmi may still be reconnecting when the button is pressed; the page then shows the choice of wallets. */
export async function connectIfPrompted(page: Page, isSigningNext = true): Promise<void> {
  const walletChoice = page.getByRole("button", { name: /Tessera test wallet/ });
  const next = page
    .getByRole("dialog")
    .filter({ hasNotText: "Connect a wallet" })
    .or(page.getByRole("alert").filter({ hasText: /./ }))
    .first();
  await walletChoice.or(next).first().waitFor();
  if (await walletChoice.isVisible()) await walletChoice.click();
  if (isSigningNext) await next.waitFor();
}

/** On the signing page: the spending wallet, and not the vault that the page proposes. */
export const chooseSpendingWallet = (page: Page): Promise<void> =>
  page.getByRole("radio", { name: "Your spending wallet" }).check();

/** Answers the test wallet's own dialog. */
export async function answerWallet(page: Page, response: "Sign" | "Reject"): Promise<void> {
  const dialog = page.getByRole("dialog", { name: /^Sign/ }).filter({ hasText: "from your wallet, not the page" });
  await dialog.getByRole("button", { name: response, exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Signs an action in the page's own dialog and in the wallet. */
export async function signAction(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: `${title}: sign with your wallet` });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await dialog.getByRole("button", { name: "Sign with your wallet" }).click();
  await answerWallet(page, "Sign");
}

/** Signs in from an anonymous page, by the page's own sign-in button. */
export async function signInHere(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("button", { name: /Tessera test wallet/ }).click();
  await answerWallet(page, "Sign");
}
