import { expect, type Locator, type Page, test } from "@playwright/test";

/** What a person does on a page, and how long it takes. A journey has one, whatever number of people take part. */
export class Journey {
  private clicks = 0;
  private fields = 0;
  private readonly startedAt = Date.now();

  constructor(private readonly name: string) {}

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }

  /** One field, whatever number of letters. */
  async type(target: Locator, text: string): Promise<void> {
    await target.fill(text);
    this.fields++;
  }

  /** Writes the figures into the test's output. The time is that of a script, so only what a person does has a bound. */
  end(atMost: { clicks: number; fields: number }): void {
    const { clicks, fields } = this;
    const seconds = ((Date.now() - this.startedAt) / 1_000).toFixed(1);
    const { annotations, project } = test.info();
    annotations.push(
      { type: "clicks", description: String(clicks) },
      { type: "typed fields", description: String(fields) },
      { type: "seconds", description: seconds },
    );
    console.log(`${this.name}, ${project.name}: ${clicks} clicks, ${fields} typed fields, ${seconds} s`);
    expect(clicks, "clicks").toBeLessThanOrEqual(atMost.clicks);
    expect(fields, "typed fields").toBeLessThanOrEqual(atMost.fields);
  }
}

/** Connects the wallet that a devnet offers, and signs the message of the sign-in. */
export async function signIn(journey: Journey, page: Page, label: string): Promise<void> {
  await journey.click(page.getByRole("button", { name: label }));
  await journey.click(page.getByRole("button", { name: /Tessera test wallet/ }));
  await signInWallet(journey, page);
}

/** In the test wallet's own dialog. */
export async function signInWallet(journey: Journey, page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: /^Sign/ }).filter({ hasText: "from your wallet, not the page" });
  await journey.click(dialog.getByRole("button", { name: "Sign", exact: true }));
  await expect(dialog).toBeHidden();
}
