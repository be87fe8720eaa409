import { readFile } from "node:fs/promises";
import { type Page, test as unwatched } from "@playwright/test";
import postgres from "postgres";
import { imitate, remember, stranger } from "./support/addresses";
import {
  type Agent,
  call,
  claim,
  confirmed,
  fund,
  newAgent,
  newPerson,
  type Person,
  propose,
  sign,
} from "./support/api";
import { become, expect, expectAccessible, expectFits, signAction, signInHere, test } from "./support/test";

type Payout = {
  payoutId: string;
  payoutRecordId: string;
  approvalUrl: string | null;
  status: string;
  amount: string;
  legs: { toAddress: string; amount: string; settlementId: string | null }[];
};

const HOSTILE = '<img src=x onerror=alert(1)> "Approved" by Tessera</p><script>alert(1)</script>';

const ask = (agent: Agent, json: object, status = 201): Promise<Payout & { approvalUrl: string }> =>
  call("POST", "/api/payouts", { jwt: agent.jwt, json }, status);
const make = async (owner: Person, json: Record<string, unknown>): Promise<Payout> =>
  (await confirmed<{ payout: Payout }>(owner, "/api/wallet/payouts", json, 201)).payout;
const now = async ({ cookie }: Person, { payoutRecordId }: Payout): Promise<Payout> =>
  (await call<{ payout: Payout }>("GET", `/api/wallet/payouts/${payoutRecordId}`, { cookie })).payout;
const all = async ({ cookie }: Person): Promise<Payout[]> =>
  (await call<{ payouts: Payout[] }>("GET", "/api/wallet/payouts", { cookie })).payouts;
async function linked(name?: string): Promise<{ owner: Person; agent: Agent }> {
  const owner = await newPerson();
  const agent = await newAgent(name);
  await claim(owner, await propose(agent));
  return { owner, agent };
}

async function rich(amount?: string): Promise<Person> {
  const owner = await newPerson();
  await fund(owner, amount);
  return owner;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

test("a person who has no agent yet signs in, links it, adds money and approves a payout", async ({ page }) => {
  const agent = await newAgent("Payroll agent");
  const to = stranger();
  const asked = await ask(agent, { toAddress: to, amount: "1250000", description: HOSTILE, bizId: "INV-1" });
  const person = await newPerson();
  await become(page, person, false);
  const card = page.getByRole("region", { name: "Payout" });

  await test.step("sees what is asked before signing in", async () => {
    await page.goto(asked.approvalUrl);
    await expect(heading(page, /^Pay 1\.25 USDC to 0x/)).toBeVisible();
    await expect(card).toContainText(to);
    await expect(card.getByRole("figure")).toContainText(HOSTILE);
    await expect(page.locator("img")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("signs in, comes back here and links the agent", async () => {
    await signInHere(page, "Connect a wallet and sign in");
    await expect(heading(page, "Is this your agent?")).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Link Payroll agent to your account" }).click();
    await expect(heading(page, /^Pay 1\.25 USDC/)).toBeFocused();
  });

  await test.step("cannot pay it with an empty wallet, until there is money", async () => {
    await expect(card).toContainText("First payment to this address");
    await expect(page.getByText("It is short of this payout by 1.25 USDC")).toBeVisible();
    await expect(page.getByRole("button", { name: "Pay 1.25 USDC" })).toBeDisabled();
    await expectAccessible(page);
    await expectFits(page);
    await fund(person, "2000000");
    await expect(card).toContainText("Left after this");
    await expect(card).toContainText("0.75 USDC");
  });

  await test.step("approves with the keyboard, and sees it paid", async () => {
    await page.getByRole("button", { name: "Pay 1.25 USDC" }).focus();
    await page.keyboard.press("Enter");
    await signAction(page, "Approve a payout");
    await expect(heading(page, "1.25 USDC paid")).toBeFocused({ timeout: 30_000 });
    await expectAccessible(page);
    await expectFits(page);
    expect((await now(person, asked)).status).toBe("succeeded");
    await page.getByRole("link", { name: "Open the payout" }).click();
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await expect(story.getByRole("listitem").first()).toContainText("Your agent asked for it");
    for (const step of [
      "You approved it",
      "Transfers signed and stored",
      "Sent to Base",
      "Transfer made",
      "Confirmed",
    ]) {
      await expect(story).toContainText(step);
    }
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("link", { name: "Receipt" }).click();
    await expect(page.getByText("Payout", { exact: true })).toBeVisible();
  });

  await test.step("finds it in the activity", async () => {
    await page.goto("/dashboard/activity?kind=money");
    await expect(page.getByText("Payroll agent asked for a payout of 1.25 USDC")).toBeVisible();
    await expect(page.getByText("A payout of Payroll agent was paid: 1.25 USDC")).toBeVisible();
  });
});

test("an owner splits a sum by shares with the keyboard alone, to the last unit @once", async ({ page }) => {
  const owner = await rich();
  const recipients = [stranger(), stranger(), stranger()];
  await remember(owner, recipients[1] ?? "", "Bo the drummer");
  await become(page, owner);
  await page.goto("/dashboard/payouts/new");
  const { keyboard } = page;

  await test.step("types whom and how much", async () => {
    await page.getByLabel("To", { exact: true }).focus();
    await keyboard.insertText(recipients[0]?.toLowerCase() ?? "");
    await expect(page.getByText(recipients[0] ?? "", { exact: true })).toBeVisible();
    for (const to of recipients.slice(1)) {
      await page.getByRole("button", { name: "Add a recipient" }).focus();
      await keyboard.press("Enter");
      const rows = page.getByRole("group", { name: "Who is paid" }).getByRole("combobox", { name: /^To/ });
      await expect(rows.last()).toBeFocused();
      await keyboard.insertText(to);
    }
    await expect(page.locator("bdi", { hasText: "Bo the drummer" })).toBeVisible();
    await page.getByRole("radio", { name: "Amounts" }).focus();
    await keyboard.press("ArrowDown");
    await page.getByLabel("Total to split").focus();
    await keyboard.insertText("10.00001");
    for (const [at, share] of ["33.34", "33.33", "33.32"].entries()) {
      await page.getByLabel(`Share ${at + 1}`).focus();
      await keyboard.insertText(share);
    }
  });

  await test.step("is told that a hundredth of a per cent is missing", async () => {
    await expect(page.getByText("The shares come to 99.99%: 0.01% are not assigned yet.")).toBeVisible();
    await keyboard.press("Enter");
    await expect(page.getByRole("form").getByRole("alert")).toContainText("0.01% are not assigned yet");
    await expectAccessible(page);
    await expectFits(page);
    await page.getByLabel("Share 3").fill("33.33");
  });

  await test.step("sees exact amounts and who gets what rounding leaves over", async () => {
    await expect(page.getByText("Exactly 3.334004 USDC, with 0.000001 USDC that rounding leaves over")).toBeVisible();
    await expect(page.getByText("Exactly 3.333003 USDC")).toHaveCount(2);
    await expect(page.getByRole("status").filter({ hasText: "Together" })).toContainText("10.00001 USDC");
  });

  await test.step("reads it once more, and pays", async () => {
    await page.getByLabel("What it is for").fill("Royalties");
    await page.getByRole("button", { name: "Review the payout" }).focus();
    await keyboard.press("Enter");
    await expect(heading(page, "Pay 10.00001 USDC to 3 recipients?")).toBeFocused();
    const legs = page.getByRole("list", { name: "To whom" }).getByRole("listitem");
    await expect(legs).toHaveCount(3);
    await expect(legs.nth(0)).toContainText(recipients[0] ?? "");
    await expect(legs.nth(0)).toContainText("3.334004 USDC");
    await expect(legs.nth(1)).toContainText("Bo the drummer");
    await expect(legs.nth(1)).toContainText("33.33%");
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Pay 10.00001 USDC" }).focus();
    await keyboard.press("Enter");
    await signAction(page, "Pay out");
    await expect(heading(page, "10.00001 USDC paid")).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole("link", { name: "Receipt" })).toHaveCount(3);
    await expectAccessible(page);
    await expectFits(page);
    const [paid] = await all(owner);
    expect(paid?.legs.map(({ amount }) => amount)).toEqual(["3334004", "3333003", "3333003"]);
  });

  await test.step("makes it again with another recipient less, by amounts", async () => {
    await page.getByRole("link", { name: "Duplicate" }).click();
    await expect(heading(page, "Duplicate a payout")).toBeVisible();
    await expect(page.getByLabel("Share 1")).toHaveValue("33.34");
    await expect(page.getByLabel("What it is for")).toHaveValue("Royalties");
    await page.getByRole("radio", { name: "Amounts" }).click();
    await expect(page.getByLabel("Amount 1")).toHaveValue("3.334004");
    await page.getByRole("button", { name: "Remove recipient 3" }).click();
    await expect(page.getByLabel("To 2")).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "Together" })).toContainText("6.667007 USDC");
    await page.getByLabel("To 2").fill(recipients[0] ?? "");
    await page.getByRole("button", { name: "Review the payout" }).click();
    await expect(page.getByLabel("To 2")).toBeFocused();
    await expect(page.getByRole("form").getByRole("alert")).toContainText("Name each address once.");
  });
});

test("an address that looks like a known one stands out, on the page of approval and while it is typed", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent } = await linked();
  await fund(owner);
  const known = stranger();
  const fake = imitate(known);
  await remember(owner, known, "Alice <b>Example</b>");
  await become(page, owner);

  await test.step("on the page of approval", async () => {
    const asked = await ask(agent, {
      recipients: [
        { toAddress: fake, amount: "3000000" },
        { toAddress: known, amount: "1" },
      ],
    });
    await page.goto(asked.approvalUrl);
    await expect(heading(page, "Pay 3.000001 USDC to 2 recipients?")).toBeVisible();
    const [bad, good] = await page.getByRole("list", { name: "To whom" }).getByRole("listitem").all();
    if (!bad || !good) throw new Error("not two recipients");
    await expect(bad).toContainText("looks like an address you know, and is another one");
    await expect(bad.getByRole("definition").nth(0)).toHaveText(fake);
    await expect(bad.getByRole("definition").nth(1)).toHaveText(known);
    await expect(bad.locator("mark").first()).toHaveText(fake.slice(10, 30));
    await expect(good).toContainText("Alice <b>Example</b>");
    await expect(good).not.toContainText("looks like");
    await expect(page.getByRole("button", { name: /^Pay/ })).toBeDisabled();
    await expectAccessible(page);
    await page.getByRole("checkbox", { name: /compared the two addresses/ }).check();
    await expect(page.getByRole("button", { name: /^Pay/ })).toBeEnabled();
    await page.getByRole("button", { name: "Reject" }).click();
    await expect(heading(page, "Rejected. Nothing moved")).toBeFocused();
    expect((await now(owner, asked)).status).toBe("denied");
  });

  await test.step("while it is typed, and once more before it is paid", async () => {
    const { wallets } = await call<{ wallets: { address: string }[] }>("GET", "/api/wallet", { cookie: owner.cookie });
    await page.goto("/dashboard/payouts/new");
    const to = page.getByLabel("To", { exact: true });
    for (const [text, said] of [
      ["0x0000000000000000000000000000000000000000", "nobody holds the key".replace("n", "N")],
      ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "This is a token's contract"],
      [wallets[0]?.address ?? "", "This is the wallet that would pay it"],
      [
        known
          .toLowerCase()
          .replace(/[a-f]/, (letter) => letter.toUpperCase())
          .replace("0X", "0x"),
        "A character of this address is wrong",
      ],
    ] as const) {
      await to.fill(text);
      await expect(page.getByRole("alert").first()).toContainText(said);
    }
    await to.fill(fake.toLowerCase());
    await expect(page.getByText("looks like an address you know, and is another one")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Amount").fill("1");
    await page.getByRole("button", { name: "Review the payout" }).click();
    await expect(heading(page, "Pay 1.00 USDC?")).toBeFocused();
    await expect(page.getByRole("button", { name: "Pay 1.00 USDC" })).toBeDisabled();
    await page.getByRole("button", { name: "Change it" }).click();
    await expect(to).toHaveValue(fake.toLowerCase());
    expect(await all(owner)).toHaveLength(1);
  });
});

test("a file is paid but for its bad row, and the same file again pays nothing", { tag: "@once" }, async ({ page }) => {
  const owner = await rich();
  const [first, second] = [stranger(), stranger()];
  await remember(owner, first, "Alice");
  await become(page, owner);
  const file = {
    name: "november.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      `payout_id,to_address,amount,description\r\nnov-1,${first},1.5,"Work, ""November"""\r\nnov-2,0x12,1,\r\nnov-3,${second.toLowerCase()},0.25,\r\n`,
    ),
  };
  const choose = async () => {
    await page.goto("/dashboard/payouts/batch");
    await page.getByLabel("Choose a file").setInputFiles(file);
    await expect(page.getByRole("alert").filter({ hasText: "A line cannot be paid" })).toContainText(
      "Line 3, to_address",
    );
  };
  const pay = async () => {
    await page.getByRole("button", { name: "Pay 2 payouts" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pay 2 payouts" }).click();
  };

  await test.step("offers a template", async () => {
    await page.goto("/dashboard/payouts/batch");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download a template" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("payout_id,to_address,amount,network");
  });

  await test.step("looks it through, and pays", async () => {
    await choose();
    const preview = page.getByRole("region", { name: "What the file comes to" });
    await expect(preview).toContainText("1.75 USDC");
    await expect(preview.getByRole("row", { name: /Alice/ })).toContainText('Work, "November"');
    await expect(preview.getByRole("row", { name: second })).toContainText("First payment to this address");
    await expectAccessible(page);
    await pay();
    await signAction(page, "Pay a file");
    await expect(page.getByRole("status").filter({ hasText: "2 made, 0 existed already, 0 refused." })).toBeVisible();
    await expectAccessible(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the results" }).click();
    const results = await readFile(await (await download).path(), "utf8");
    expect(results.split("\r\n")).toEqual([
      "\ufeffline,payout_id,result,reason,record_id",
      expect.stringMatching(/^2,nov-1,made,,po_\w+$/),
      expect.stringMatching(/^3,,left out,"?to_address: .*,$/),
      expect.stringMatching(/^4,nov-3,made,,po_\w+$/),
      "",
    ]);
  });

  await test.step("pays nothing twice", async () => {
    await choose();
    await pay();
    await expect(page.getByRole("status").filter({ hasText: "0 made, 2 existed already, 0 refused." })).toBeVisible();
    expect((await all(owner)).map(({ payoutId, amount }) => [payoutId, amount])).toEqual([
      ["nov-3", "250000"],
      ["nov-1", "1500000"],
    ]);
  });
});

test("an address book names addresses wherever payouts show them", { tag: "@once" }, async ({ page }) => {
  const owner = await rich();
  const address = stranger();
  await become(page, owner);
  await page.goto("/dashboard/payouts/addresses");
  await expect(page.getByRole("heading", { name: "No addresses yet" })).toBeVisible();
  const dialog = page.getByRole("dialog");

  await test.step("adds one in whatever case, with its checksum shown", async () => {
    await page.getByRole("button", { name: "Add an address" }).click();
    await dialog.getByRole("button", { name: "Add address" }).click();
    await expect(dialog.getByRole("alert").first()).toBeVisible();
    await dialog.getByLabel("Address", { exact: true }).fill(address.toLowerCase());
    await expect(dialog.getByText(address, { exact: true })).toBeVisible();
    await dialog.getByLabel("Name").fill("Bo");
    await dialog.getByLabel("Name").press("Enter");
    await signAction(page, "Add to the address book");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("row", { name: /Bo/ })).toContainText(address);
  });

  await test.step("warns of one that only looks like it", async () => {
    await page.getByRole("button", { name: "Add an address" }).click();
    await dialog.getByLabel("Address", { exact: true }).fill(imitate(address));
    await expect(dialog.getByText("“Bo” in your address book")).toBeVisible();
    await dialog.getByLabel("Name").fill("Bo too");
    await expect(dialog.getByRole("button", { name: "Add address" })).toBeDisabled();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
  });

  await test.step("renames it, finds it, and pays it from here", async () => {
    await page.getByRole("button", { name: "Rename Bo" }).click();
    await dialog.getByLabel("Name").fill("Bo the drummer");
    await dialog.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByRole("row", { name: /Bo the drummer/ })).toBeVisible();
    await page.getByRole("searchbox").fill("nobody");
    await page.getByRole("searchbox").press("Enter");
    await expect(page.getByRole("heading", { name: "None of this kind" })).toBeVisible();
    await page.getByRole("searchbox").fill("DRUM");
    await page.getByRole("searchbox").press("Enter");
    await page.getByRole("link", { name: "Pay Bo the drummer" }).click();
    await expect(page.getByLabel("To", { exact: true })).toHaveValue(address);
    await make(owner, { toAddress: address, amount: "1000000", approve: true });
    await page.goto("/dashboard/payouts");
    await expect(page.getByRole("row", { name: /Bo the drummer/ })).toContainText("1.00");
  });

  await test.step("deletes it", async () => {
    await page.goto("/dashboard/payouts/addresses");
    await page.getByRole("button", { name: "Delete Bo the drummer" }).click();
    await dialog.getByRole("button", { name: "Delete address" }).click();
    await expect(page.getByRole("heading", { name: "No addresses yet" })).toBeVisible();
  });
});

test("the list tells sums apart, narrows by its address, and says no", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linked("Payroll agent");
  await fund(owner, "5000000");
  const to = stranger();
  const waiting = await ask(agent, { toAddress: to, amount: "2000000", description: "Wages =1+1" });
  for (const name of ["first", "second"]) await make(owner, { toAddress: to, amount: "1", description: name });
  await become(page, owner);

  await test.step("on the overview, and at the top of its own page", async () => {
    await page.goto("/dashboard");
    await page.getByRole("list", { name: "Payouts that wait for your approval" }).getByRole("link").click();
    await expect(heading(page, /^Pay 2\.00 USDC/)).toBeVisible();
    await page.goto("/dashboard");
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Payouts" }).click();
    await expect(page.getByRole("region", { name: "To pay out on Base", exact: true })).toContainText("5.00 USDC");
    await expect(page.getByRole("region", { name: "To pay out on Base Sepolia" })).toContainText("0.00 USDC");
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(4);
  });

  await test.step("narrows it by agent, text and day", async () => {
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Made by").selectOption("You");
    await page.getByLabel("Text").fill("sec");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page).toHaveURL(/agent=me&text=sec/);
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
    await page.getByRole("link", { name: "Remove the filter Text sec" }).click();
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(3);
    await page.goto("/dashboard/payouts?status=nonsense&from=2026-02-31&network=base&to=2001-01-01");
    await expect(page.getByText("Some filters were left out")).toBeVisible();
    await expect(page.getByRole("heading", { name: "None of this kind" })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("downloads the same as CSV", async () => {
    await page.goto("/dashboard/payouts?text=Wages");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(to);
  });

  await test.step("goes through many, page by page", async () => {
    await Promise.all(Array.from({ length: 20 }, () => make(owner, { toAddress: to, amount: "7" })));
    await page.goto("/dashboard/payouts?agent=me");
    const rows = page.getByRole("table").getByRole("row");
    await expect(rows).toHaveCount(21);
    await page.getByRole("link", { name: "Show older" }).click();
    await expect(rows).toHaveCount(3);
    await expect(page).toHaveURL(/agent=me&after=/);
    await page.getByRole("link", { name: "Newest" }).click();
    await expect(rows).toHaveCount(21);
  });

  await test.step("rejects what waits", async () => {
    await page.goto("/dashboard/payouts");
    const list = page.getByRole("list", { name: "Payouts that wait for your approval" });
    await list.getByRole("button", { name: "Reject" }).click();
    await expect(list).toHaveCount(0);
    expect((await now(owner, waiting)).status).toBe("denied");
    await page.goto(waiting.approvalUrl);
    await expect(heading(page, "Rejected. Nothing moved")).toBeVisible();
  });
});

// Not watched: Chromium writes a console error for each answer that is lost, which is what this is about.
unwatched("an answer that is lost is told as such, and pressed again pays once", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linked();
  await fund(owner, "3000000");
  const to = stranger();
  const asked = await ask(agent, { toAddress: to, amount: "1000000" });
  // In the book, so that each press is one call: what is lost is the answer that pays.
  await remember(owner, to, "Alice");
  await become(page, owner);

  await page.goto(asked.approvalUrl);
  await page.route("**/approve", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Pay 1.00 USDC" }).click();
  await expect(heading(page, /^1\.00 USDC (approved|on the way|paid)$/)).toBeVisible();

  await page.goto("/dashboard/payouts/new");
  await page.getByLabel("To", { exact: true }).fill(to);
  await page.getByLabel("Amount").fill("1.5");
  await page.getByRole("button", { name: "Review the payout" }).click();
  let sent = 0;
  await page.route("**/api/wallet/payouts", async (route) => {
    sent += 1;
    const answer = await route.fetch();
    await (sent === 1 ? route.abort() : route.fulfill({ response: answer }));
  });
  await page.getByRole("button", { name: "Pay 1.50 USDC" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "We do not know whether it was taken" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Change it" })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Pay 1.50 USDC" }).click();
  await expect(heading(page, /^1\.50 USDC (approved|on the way|paid)$/)).toBeVisible();
  expect((await all(owner)).map(({ amount }) => amount)).toEqual(["1500000", "1000000"]);
});

test("nobody else sees it; whoever asked takes it back, or it runs out", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linked();
  const asked = await ask(agent, { toAddress: stranger(), amount: "370000" });
  const bare = asked.approvalUrl.split("?")[0] ?? "";
  await page.goto(bare);
  await expect(heading(page, "Sign in to see this payout")).toBeVisible();
  await expect(page.getByText("0.37")).toHaveCount(0);
  await expectAccessible(page);
  await become(page, await newPerson());
  for (const url of [bare, `${bare}?token=wrong`, `/authorize/payout/po_nobody`]) {
    await page.goto(url);
    await expect(heading(page, "There is no such payout for you")).toBeVisible();
  }
  await expectAccessible(page);
  await page.goto(`/dashboard/payouts/${asked.payoutRecordId}`);
  await expect(heading(page, "There is nothing here")).toBeVisible();
  await page.goto(asked.approvalUrl);
  await expect(heading(page, "This agent is already linked to another account")).toBeVisible();
  await expect(page.getByText("0.37")).toHaveCount(0);
  await expectAccessible(page);

  await become(page, owner);
  await page.goto(bare);
  await expect(heading(page, /^Pay 0\.37 USDC/)).toBeVisible();
  await call("POST", `/api/payouts/${asked.payoutId}/cancel`, { jwt: agent.jwt });
  await expect(heading(page, "Cancelled. Nothing moved")).toBeFocused();

  // The server's clock cannot be moved from here: the row is, which takes the database of `npm test`.
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL === undefined) return;
  const second = await ask(agent, { toAddress: stranger(), amount: "380000" });
  await page.goto(second.approvalUrl);
  await expect(heading(page, /^Pay 0\.38 USDC/)).toBeVisible();
  const sql = postgres(DATABASE_URL, { max: 1 });
  await sql`update payouts set expires_at = now() where id = ${second.payoutRecordId}`;
  await sql.end();
  await expect(heading(page, "This request has run out")).toBeFocused();
  await expect(page.getByRole("button", { name: /Pay|Reject/ })).toHaveCount(0);
  await expectAccessible(page);
});

test("a mandate says which payouts it covers, and lists them", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linked();
  await fund(owner);
  await become(page, owner);

  const any = await propose(agent, { hostAllowlist: undefined, limitAmount: "200000000" });
  await page.goto(any.authorizationUrl);
  await expect(page.getByText("pay out to any address, up to the limit")).toBeVisible();

  const bound = await propose(agent);
  await page.goto(bound.authorizationUrl);
  await expect(
    page.getByText("Pay out to addresses of its own choice: you approve each payout yourself"),
  ).toBeVisible();

  const listed = await propose(agent, { hostAllowlist: ["api.example.com", "payout"], limitAmount: "150000000" });
  await page.goto(listed.authorizationUrl);
  await expect(page.getByRole("region", { name: "What it may do" })).toContainText("Payouts (to any address)");
  await expect(page.getByText("It may pay out to any address", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Sign in wallet/ }).click();
  await expect(page.getByRole("dialog")).toContainText("Type any address to go on");

  const { mandateId } = listed;
  await sign(owner, listed);
  const to = stranger();
  const paid = await ask(agent, { toAddress: to, amount: "1000000", mandateId });
  expect(paid.approvalUrl).toBeNull();
  await remember(owner, to, "Alice");
  await page.goto(`/mandates/${mandateId}`);
  await expect(page.getByRole("table", { name: "Payouts under this mandate, newest first" })).toContainText("Alice");
  await expectAccessible(page);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on pages of payouts, ${colorScheme}`, { tag: colorScheme === "dark" ? "@once" : [] }, async ({
    page,
  }) => {
    const { owner, agent } = await linked();
    await fund(owner);
    const known = stranger();
    await remember(owner, known, "W".repeat(100));
    const long = { description: "Weekly report. ".repeat(33).trim(), bizId: "B".repeat(100) };
    const recipients = [imitate(known), known, stranger()].map((toAddress, at) => ({
      toAddress,
      shareBps: at === 0 ? 3_334 : 3_333,
    }));
    const asked = await ask(agent, {
      recipients,
      amount: "79228162514264337593543950335",
      network: "base-sepolia",
      ...long,
    });
    const others = recipients.map((leg, at) => (at === 1 ? leg : { ...leg, toAddress: stranger() }));
    const paid = await make(owner, { recipients: others, amount: "1000001", approve: true });
    await page.emulateMedia({ colorScheme });
    await become(page, owner);
    for (const path of [
      asked.approvalUrl,
      `/authorize/payout/${paid.payoutRecordId}`,
      "/dashboard/payouts",
      `/dashboard/payouts/${paid.payoutRecordId}`,
      `/dashboard/payouts/new?from=${paid.payoutRecordId}`,
      "/dashboard/payouts/batch",
      "/dashboard/payouts/addresses",
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectAccessible(page);
      await expectFits(page);
    }
  });
}
