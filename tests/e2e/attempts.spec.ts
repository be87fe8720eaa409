import { type Agent, call, newAgent, newPerson, propose, sign } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

/** A host may be as long as this. */
const LONG_HOST = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.example`;

const ask = (agent: Agent, mandateId: string, host: string, amount = "10000") =>
  call(
    "POST",
    "/api/payment/x402V3Payment",
    { jwt: agent.jwt, json: { mandateId, amount, payTo: `0x${"12".repeat(20)}`, resource: `https://${host}/report` } },
    403,
  );

test("a mandate's page and the activity show refused payments, counted and without a reload (axe)", async ({
  page,
}) => {
  const person = await newPerson();
  const agent = await newAgent();
  const proposal = await propose(agent);
  const { mandateId } = proposal;
  await sign(person, proposal);
  await become(page, person);
  const connecting = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto(`/mandates/${mandateId}`);
  await connecting;
  await expect(page.getByRole("heading", { name: "Refused payments" })).toHaveCount(0);

  await ask(agent, mandateId, "shop.example.com");
  const table = page.getByRole("region", { name: "Refused payments of this mandate, newest first" });
  await expect(table).toContainText("The mandate does not allow this host");
  await expect(table).toContainText("shop.example.com");
  await ask(agent, mandateId, LONG_HOST);
  await ask(agent, mandateId, "data.example.com", "99000000");
  await expect(table.getByRole("row")).toHaveCount(4);
  await expect(table).toContainText("The budget does not cover it");
  await table.scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: `test-results/attempts-${test.info().project.name}.png` });

  await page.goto("/dashboard/activity?type=payment.refused");
  const items = page.getByRole("list", { name: "What happened, newest first" }).getByRole("listitem");
  await expect(items).toHaveCount(3);
  await expect(items.last()).toContainText(
    "A payment of Research agent was refused: 0.01 USDC to shop.example.com. The mandate does not allow this host",
  );
  await items.last().click();
  await items.last().getByRole("link", { name: "See the mandate" }).click();
  await expect(page).toHaveURL(new RegExp(`/mandates/${mandateId}$`));
});
