import { claim, newAgent, newPerson, propose, sign } from "./support/api";
import { become, expect, expectAccessible, test } from "./support/test";

test("a person rejects a mandate before linking the agent, and the agent stays unlinked", { tag: "@once" }, async ({
  page,
}) => {
  const proposal = await propose(await newAgent());
  await become(page, await newPerson());
  await page.goto(proposal.authorizationUrl);
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This request was rejected");
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This request was rejected");
});

test("a person rejects a mandate while reviewing it", { tag: "@once" }, async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await claim(person, proposal);
  await become(page, person);
  await page.goto(proposal.authorizationUrl);
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "This request was rejected" })).toBeFocused();
});

test("a person with another account than the agent's owner sees an explanation, and can switch accounts", {
  tag: "@once",
}, async ({ page }) => {
  const proposal = await propose(await newAgent());
  await claim(await newPerson(), proposal);
  await become(page, await newPerson());
  await page.goto(proposal.authorizationUrl);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This agent is already linked to another account");
  await expect(page.getByText("The most you can lose")).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out and switch account" }).click();
  await expect(page.getByRole("button", { name: "Connect a wallet and sign in" })).toBeVisible();
});

test("the page of a signed mandate links its owner to the mandate's page, and hides the budget from others", {
  tag: "@once",
}, async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await sign(person, proposal);
  await page.goto(proposal.authorizationUrl);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This mandate is signed already");
  await expectAccessible(page);
  await become(page, person);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You signed this mandate already");
  await expectAccessible(page);
  await page.getByRole("link", { name: "See the mandate and its payments" }).click();
  await expect(page).toHaveURL(/\/mandates\/mand_/);
});

test("the page of a mandate that was not signed in time says so", { tag: "@once" }, async ({ page }) => {
  const proposal = await propose(await newAgent(), { validForSeconds: 1 });
  await expect(async () => {
    await page.goto(proposal.authorizationUrl);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This request has expired", { timeout: 500 });
  }).toPass();
  await expectAccessible(page);
});

test("links with a wrong token, without a token and to no mandate each say what to do", { tag: "@once" }, async ({
  page,
}) => {
  const proposal = await propose(await newAgent());
  const wrong = await page.goto(`${proposal.authorizationUrl}x`);
  expect(wrong?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not open a request");
  await expectAccessible(page);

  const path = new URL(proposal.authorizationUrl).pathname;
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link is not complete");
  await expect(page.getByText("The most you can lose")).toBeHidden();
  await expectAccessible(page);

  await become(page, await newPerson());
  const none = await page.goto(path);
  expect(none?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here for you to sign");
});
