import postgres from "postgres";
import { newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const { DATABASE_URL, SMTP_URL } = process.env;

test("the settings page says when there is no mail server (axe)", async ({ page }) => {
  test.skip(SMTP_URL !== undefined, "this service has a mail server");
  await become(page, await newPerson());
  await page.goto("/dashboard/settings");
  await expect(page.getByText("The operator of this service has not set up mail")).toBeVisible();
  await expect(page.getByRole("form", { name: "Mail" })).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
});

test("a person enters a mail address, confirms it, chooses kinds of notices and unsubscribes from all (axe)", async ({
  page,
}) => {
  test.skip(SMTP_URL === undefined, "this service has no mail server");
  const person = await newPerson();
  const email = `${person.account.address.toLowerCase()}@mail.example`;
  await become(page, person);
  await page.goto("/dashboard/settings");
  const form = page.getByRole("form", { name: "Mail" });
  await form.getByLabel("Email address").fill("no address");
  await form.getByRole("button", { name: "Save mail settings" }).click();
  await expect(form.getByText("email: must be an email address")).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel("Email address").fill(email);
  await form.getByLabel("Money arrived").uncheck();
  await form.getByRole("button", { name: "Save mail settings" }).click();
  await expect(form.getByText("Not confirmed yet")).toBeVisible();
  await expectFits(page);
  await page.screenshot({ path: `test-results/mail-${test.info().project.name}.png`, fullPage: true });

  const sql = postgres(DATABASE_URL ?? "", { max: 1 });
  const [mail] = await sql`select body from mails where email = ${email} and kind is null`;
  await sql.end();
  const link = /https?:\S+\/notices\/confirm\S+/.exec(mail?.body ?? "")?.[0] ?? "";
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1, name: "Confirm your address" })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole("button", { name: "Confirm the address" }).click();
  await expect(page.getByText("Confirmed. You can close this page.")).toBeVisible();
  await page.goto("/dashboard/settings");
  await expect(form.getByText("Confirmed", { exact: true })).toBeVisible();
  await expect(form.getByLabel("Money arrived")).not.toBeChecked();
});

test("an invalid link from a mail says so", { tag: "@once" }, async ({ page }) => {
  await page.goto("/notices/unsubscribe?token=own_x.y");
  await expect(page.getByRole("heading", { level: 1, name: "Unsubscribe from all e-mail" })).toBeVisible();
  await page.getByRole("button", { name: "End all mail" }).click();
  await expect(page.getByText("This link is invalid or no longer valid")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
});
