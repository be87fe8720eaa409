import { defineConfig } from "@playwright/test";
import { PATIENCE } from "./tests/support/patience";

/**
 * Tests in a browser, against a running devnet. `npm test` brings one up by itself. To run them against `npm run up`:
 *
 *   npm run up                                                          (one terminal)
 *   E2E_BASE_URL=http://localhost:3000 npx playwright test              (another)
 *   E2E_BASE_URL=http://localhost:3000 npx playwright test -g keyboard --project phone
 *
 * The tests sign in more often than RATE_LIMITS allows by default: raise `sign_in_per_address` and the like for that server.
 * E2E_BASE_URL must be the server's PUBLIC_BASE_URL, letter by letter: people sign in to that origin. The browser is
 * Debian's Chromium; CHROMIUM_PATH names another.
 */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 3,
  // Where nobody can start it once more by hand; the list names what passed only then.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000 * PATIENCE,
  expect: { timeout: 15_000 * PATIENCE },
  reporter: "list",
  forbidOnly: true,
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:3000",
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    // axe looks at large pages in the dark and at small ones in the light: each rule at both sizes, contrast in both schemes.
    { name: "desktop", grepInvert: /, light$/, use: { viewport: { width: 1280, height: 800 } } },
    // What does not depend on the size of the screen is tagged, and tried at one size only.
    { name: "phone", grepInvert: /@once|, dark$/, use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  ],
});
