import { call, claim, newAgent, newPerson, propose } from "./support/api";
import { become, expect, expectAccessible, expectFits, signInHere, test } from "./support/test";

const pageOf = (agentId: string, name = "Research agent") => `/add-agent?${new URLSearchParams({ agentId, name })}`;
const message = /^Use the agent wallet at .* and show me the authorizationUrl/;

test("an agent without an owner is sent to a page that does not link it without a decision (axe)", async ({ page }) => {
  const agent = await newAgent();
  const refusal = await call<{ code: string; authorizationUrl: string }>(
    "GET",
    "/api/mandates",
    { jwt: agent.jwt },
    403,
  );
  expect(refusal.code).toBe("agent_not_authorized");
  await become(page, await newPerson(), false);
  await page.goto(refusal.authorizationUrl);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link an agent");
  await expect(page.getByText(agent.agentId)).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
  await expect(page.getByText("Link only an agent that you run")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);

  await signInHere(page, "Sign in with your wallet");
  await page.getByLabel("Authorization link").fill("https://evil.example/authorize/mandate/mand_1");
  await page.getByRole("button", { name: "Open the link" }).click();
  await expect(page.getByText("This link leads to another site.")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);

  const { authorizationUrl } = await propose(agent);
  await page.getByLabel("Authorization link").fill(authorizationUrl);
  await page.getByRole("button", { name: "Open the link" }).click();
  await expect(page.getByRole("button", { name: `Link ${agent.name} to your account` })).toBeVisible();
});

test("an owner sees that the agent is linked to them", { tag: "@once" }, async ({ page }) => {
  const [person, agent] = [await newPerson(), await newAgent()];
  await claim(person, await propose(agent));
  await become(page, person);
  await page.goto(pageOf(agent.agentId));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This agent is linked to you");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open agents" }).click();
  await expect(page).toHaveURL(/\/dashboard\/agents/);
});

test("a stranger cannot see whether the agent is linked", { tag: "@once" }, async ({ page }) => {
  const agent = await newAgent();
  await claim(await newPerson(), await propose(agent));
  await become(page, await newPerson());
  await page.goto(pageOf(agent.agentId));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link an agent");
});

test("hostile names and ids are shown as text (axe)", async ({ page }) => {
  const agent = await newAgent();
  const hostile = `<img src=x onerror="window.pwned=1">\u202e\u200b ${"W".repeat(300)}`;
  await page.goto(pageOf(agent.agentId, hostile));
  const name = page.getByRole("definition").first();
  await expect(name).toContainText('<img src=x onerror="window.pwned=1">');
  expect(await name.textContent()).toMatch(/^[^\u202e\u200b]{1,100}$/u);
  expect(await page.evaluate(() => "pwned" in window)).toBe(false);
  await expectAccessible(page);
  await expectFits(page);
  for (const path of [pageOf("<script>1</script>"), pageOf(""), "/add-agent", "/add-agent?agentId=a&agentId=b"]) {
    await page.goto(path);
    await expect(page.getByText("This address names no agent")).toBeVisible();
    await expect(page.getByText(message)).toBeVisible();
  }
  await expectAccessible(page);
  await expectFits(page);
});
