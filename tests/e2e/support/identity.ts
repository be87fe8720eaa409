import type { Page } from "@playwright/test";
import { newAgent, newPerson, propose, sign } from "./api";
import { expect, expectAccessible, expectFits } from "./test";

export const AUDIENCE = "https://api.example.com";

export const RULES = ["Signature", "Type", "Issuer", "Audience", "Lifetime", "Challenge", "Single use"];

/** An owner with an agent that they have signed a mandate of. */
export async function ownerWithAgent() {
  const person = await newPerson();
  const agent = await newAgent();
  await sign(person, await propose(agent));
  return { person, agent };
}

export const issuing = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Issue a" }) });

export const verifying = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Verify in this browser" }) });

export const verify = (page: Page) => page.getByRole("button", { name: "Verify credential" }).click();

/** How each rule came out, in the order of the list. */
export async function expectOutcomes(page: Page, outcomes: Partial<Record<string, string>>, otherwise = "Passed") {
  const rows = page.getByRole("list", { name: "Rules" }).getByRole("listitem");
  await expect(rows).toHaveCount(RULES.length);
  for (const [index, rule] of RULES.entries()) {
    const outcome = outcomes[rule] ?? (rule === "Single use" ? "Not checked" : otherwise);
    await expect(rows.nth(index)).toContainText(new RegExp(`^${rule}${outcome}`));
  }
}

/** Axe and the width, by day and by night. */
export async function expectSound(page: Page): Promise<void> {
  await expectFits(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page);
  }
}
