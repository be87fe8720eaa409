import { claim, newAgent, newPayee, newPerson, payUpl, propose } from "./support/api";
import {
  answerWallet,
  become,
  chooseSpendingWallet,
  connectIfPrompted,
  expect,
  expectAccessible,
  expectFits,
  signInHere,
  test,
} from "./support/test";

const SIGN = /^Sign with your wallet/;

test("a new person gets a mandate signed in one visit, and sees the agent's payment arrive", async ({ page }) => {
  const agent = await newAgent();
  const proposal = await propose(agent);

  await test.step("the person sees the request before signing in", async () => {
    await page.goto(proposal.authorizationUrl);
    await expect(page.getByText("The most you can lose")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Step 1 of 4: Sign in" })).toBeVisible();
    await expect(page.getByRole("figure")).toContainText("The agent says");
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person connects the test wallet and signs in", async () => {
    await signInHere(page, "Connect a wallet and sign in");
    await expect(page.getByRole("heading", { level: 1, name: "Is this your agent?" })).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "Step 2 of 4" })).toBeAttached();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person links the agent", async () => {
    await page.getByRole("button", { name: "Link Research agent to your account" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /Let it spend on its own/ })).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person narrows the amount, cap, time and hosts", async () => {
    const limit = page.getByLabel("The most you can lose");
    await limit.fill("30");
    await limit.press("Enter");
    await expect(page.getByText("You can only lower the limit.")).toBeVisible();
    await limit.fill("5");
    await page.getByLabel("Per month").fill("4");
    await page.getByLabel("Per day").fill("3");
    await page.getByLabel("Per payment").fill("2.50");
    await page.getByLabel("Ends").selectOption({ label: "1 day from now" });
    await page.getByRole("checkbox", { name: "data.example.com" }).uncheck();
    await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
    const card = page.getByRole("region", { name: "What it may do" });
    await expect(limit).toHaveValue("5.00");
    await expect(page.getByLabel("Per payment")).toHaveValue("2.50");
    await expect(page.getByLabel("Per day")).toHaveValue("3.00");
    await expect(card).toContainText("You lowered it from 25.00 USDC.");
    await expect(card).toContainText("in 24 hours");
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person undoes the changes, with the amount in view, and narrows again", async () => {
    const figure = page.getByLabel("The most you can lose");
    await page.getByRole("button", { name: "Reset" }).click();
    await expect(page.getByRole("checkbox", { name: "data.example.com" })).toBeChecked();
    await expect(figure).toHaveValue("25.00");
    await expect(page.getByLabel("Per day")).toHaveValue("");
    await expect(figure).toBeInViewport();
    await page.getByLabel("The most you can lose").fill("5");
    await page.getByLabel("Per day").fill("3");
    await page.getByRole("checkbox", { name: "data.example.com" }).uncheck();
    await expect(page.getByText("Days and months are in UTC.")).toBeVisible();
    await expect(page.getByText("You lowered it from 25.00 USDC.")).toBeVisible();
    await expect(figure).toBeInViewport();
  });

  await test.step("the person signs exactly what is displayed", async () => {
    await chooseSpendingWallet(page);
    await page.getByText("Exactly what you sign").click();
    await expect(page.getByRole("region", { name: "typed data" })).toContainText('"limitAmount": "5000000"');
    await page.getByRole("button", { name: SIGN }).click();
    await expect(page.getByRole("dialog")).toContainText("5000000");
    await answerWallet(page, "Sign");
    await expect(page.getByRole("heading", { level: 1, name: "Signed. Add money so that it can pay" })).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person gets test USDC into the spending wallet", async () => {
    await expect(page.getByText("Your spending wallet holds 0.00 USDC")).toBeVisible();
    await page.getByRole("button", { name: "Get test USDC" }).click();
    await expect(page.getByText("holds 100.00 USDC", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Get test USDC" })).toBeHidden();
    await expect(page.locator(":focus")).toContainText("The test USDC has arrived");
  });

  await test.step("the person sees the agent's payment arrive", async () => {
    await page.getByRole("link", { name: "See the mandate and its payments" }).click();
    await expect(page.getByText("Nothing was paid yet")).toBeVisible();
    await expectAccessible(page);
    const { receiptUrl } = await payUpl(agent, proposal.mandateId, await newPayee(), "1000000");
    expect(receiptUrl).toContain("/receipt/stl_");
    const row = page.getByRole("row").filter({ hasText: "Settled" });
    await expect(row).toContainText("1.00");
    await expect(page.getByText("4.00 left of 5.00 USDC")).toBeVisible();
    await expect(page.getByRole("region", { name: "Today" })).toContainText("2.00 USDC left");
    await expect(page.getByRole("status").filter({ hasText: "Settled. 4.00 USDC left." })).toBeAttached();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person opens the receipt", async () => {
    await page.getByRole("link", { name: "Receipt" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Paid" })).toBeVisible();
    await expect(page.getByText("Payment to Data seller", { exact: true })).toBeVisible();
    await expect(page.getByText("no public explorer shows it")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });
});

test("a person signs in, links, narrows and signs with the keyboard alone", { tag: "@once" }, async ({ page }) => {
  const proposal = await propose(await newAgent());
  await page.goto(proposal.authorizationUrl);
  const reach = async (name: string | RegExp, role: "button" | "textbox" = "button") => {
    const target = page.getByRole(role, { name });
    await expect(target).toBeVisible();
    for (let presses = 0; presses < 60; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab never reached ${name}`);
  };
  const press = async (name: string | RegExp) => {
    await reach(name);
    await page.keyboard.press("Enter");
  };

  await press("Connect a wallet and sign in");
  await press(/Tessera test wallet/);
  await press(/^Sign$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Is this your agent?");
  await press(/^Link Research agent/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Let it spend/);
  await reach("The most you can lose", "textbox");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  const vault = page.getByRole("radio", { name: "A vault of its own" });
  for (let presses = 0; presses < 30 && !(await vault.evaluate((e) => e === document.activeElement)); presses++) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Your spending wallet" })).toBeChecked();
  await press(/^Sign with your wallet: up to 1.00 USDC/);
  await press(/^Sign$/);
  await expect(page.getByRole("heading", { level: 1, name: "Signed. Add money so that it can pay" })).toBeFocused();
});

test("after a rejection in the wallet nothing is signed, and the same button requests the signature again", {
  tag: "@once",
}, async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await claim(person, proposal);
  await become(page, person);
  await page.goto(proposal.authorizationUrl);
  await chooseSpendingWallet(page);
  await page.getByRole("button", { name: SIGN }).click();
  await page
    .getByRole("button", { name: /Tessera test wallet/ })
    .or(page.getByRole("button", { name: "Reject" }).last())
    .first()
    .waitFor();
  await connectIfPrompted(page);
  await answerWallet(page, "Reject");
  await expect(page.getByRole("alert").filter({ hasText: "You did not sign" })).toContainText("Nothing is allowed");
  await expectAccessible(page);
  await page.getByRole("button", { name: SIGN }).click();
  await answerWallet(page, "Sign");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Signed/);
});

test("the page reports a wallet with another account before it requests a signature", { tag: "@once" }, async ({
  page,
}) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await claim(person, proposal);
  await become(page, { ...person, key: (await newPerson()).key });
  await page.goto(proposal.authorizationUrl);
  await chooseSpendingWallet(page);
  await page.getByRole("button", { name: SIGN }).click();
  await connectIfPrompted(page);
  await expect(page.getByText("Your wallet is on another account")).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "It is not signed" })).toContainText(
    "This needs a signature by",
  );
  await expectAccessible(page);
});

test("any host with a large limit requires a typed confirmation, which disappears when hosts are named @once", async ({
  page,
}) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent(), { hostAllowlist: [], limitAmount: "100000000" });
  await claim(person, proposal);
  await become(page, person);
  await page.goto(proposal.authorizationUrl);
  await expect(page.getByText("It may pay anyone")).toBeVisible();
  await chooseSpendingWallet(page);
  await page.getByRole("button", { name: SIGN }).click();
  await connectIfPrompted(page);
  const dialog = page.getByRole("dialog", { name: "It may pay anyone" });
  await expect(dialog.getByRole("button", { name: "Continue to the wallet" })).toBeDisabled();
  await dialog.getByLabel(/Type ANY HOST/).fill("ANY HOST");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Continue to the wallet" }).click();
  await answerWallet(page, "Reject");

  await page.getByLabel("Only these hosts").fill("http://nope");
  await page.getByRole("button", { name: "Save these limits and sign" }).click();
  await expect(page.getByText('"http://nope" is not a host').first()).toBeVisible();
  await expect(page.getByLabel("Only these hosts")).toBeFocused();
  await page.getByLabel("Only these hosts").fill("api.example.com");
  await page.getByLabel("Only these hosts").blur();
  await expect(page.getByText("It may pay anyone")).toBeHidden();
  await page.getByRole("button", { name: SIGN }).click();
  await answerWallet(page, "Sign");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Signed/);
});

test("a mandate that changed after the owner loaded it is not signed", { tag: "@once" }, async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await claim(person, proposal);
  await become(page, person);
  await page.goto(proposal.authorizationUrl);
  // Otherwise the page may show the change before the signature, and then requests the right one.
  let show = () => {};
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  const isRefresh = (url: URL) => url.searchParams.has("_rsc");
  await page.route(isRefresh, (route) => shown.then(() => route.continue()));
  const other = await page.context().newPage();
  await other.goto(proposal.authorizationUrl);
  await other.getByLabel("The most you can lose").fill("7");
  await other.getByLabel("The most you can lose").press("Enter");
  await expect(other.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await other.close();
  await chooseSpendingWallet(page);
  await page.getByRole("button", { name: SIGN }).click();
  await connectIfPrompted(page, false);
  await expect(page.getByRole("alert").filter({ hasText: "Read it again" })).toBeVisible();
  show();
  await expect(page.getByLabel("The most you can lose")).toHaveValue("7.00");
  await expect(page.getByRole("button", { name: "Sign with your wallet: up to 7.00 USDC" })).toBeVisible();
});

test("exactly the typed limits are sent to the wallet and stored", async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await claim(person, proposal);
  await become(page, person);
  await page.goto(proposal.authorizationUrl);
  await chooseSpendingWallet(page);
  await page.getByLabel("The most you can lose").fill("2");
  await page.getByRole("button", { name: "Save these limits and sign" }).click();
  await page
    .getByRole("button", { name: /Tessera test wallet/ })
    .or(page.getByRole("button", { name: "Sign", exact: true }))
    .first()
    .waitFor();
  await connectIfPrompted(page);
  await expect(page.getByLabel("The most you can lose")).toHaveValue("2.00");
  await expect(page.getByRole("dialog")).toContainText("2000000");
  await answerWallet(page, "Sign");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Signed/);
  await expect(page.getByText("It can still spend").locator("..")).toContainText("of 2.00 USDC");
});

test("an invalid limit is reported at its field, and the wallet is not opened", {
  tag: "@once",
}, async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await claim(person, proposal);
  await become(page, person);
  await page.goto(proposal.authorizationUrl);
  await chooseSpendingWallet(page);
  await page.getByLabel("The most you can lose").fill("99");
  await page.getByRole("button", { name: "Save these limits and sign" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Nothing was signed" })).toContainText("only lower the limit");
  await expect(page.getByLabel("The most you can lose")).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
});
