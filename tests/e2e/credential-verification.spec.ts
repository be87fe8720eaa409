import type { Page, Request } from "@playwright/test";
import { call, newAgent } from "./support/api";
import { AUDIENCE, expectOutcomes, expectSound, issuing, ownerWithAgent, verify, verifying } from "./support/identity";
import { become, expect, test } from "./support/test";

const credentialOf = async (jwt: string, challenge: string, ttl_seconds = 300): Promise<string> => {
  const request = { challenge, audience: AUDIENCE, ttl_seconds };
  return (await call<{ vc: string }>("POST", "/agent/vc/issue", { jwt, json: request })).vc;
};

async function paste(page: Page, vc: string, audience = AUDIENCE, challenge = ""): Promise<void> {
  await verifying(page).getByLabel("Credential", { exact: true }).fill(vc);
  await verifying(page).getByLabel("Expected audience").fill(audience);
  await verifying(page).getByLabel("Expected challenge").fill(challenge);
}

test("expectations that are left empty are not checked, and the verdict says so", { tag: "@once" }, async ({
  page,
}) => {
  const agent = await newAgent();
  await page.goto("/identity");
  await paste(page, `  ${await credentialOf(agent.jwt, "c")}\n`, "", "");
  await verify(page);
  await expect(page.getByText("Nothing failed, but not every rule was checked")).toBeVisible();
  await expectOutcomes(page, { Audience: "Not checked", Challenge: "Not checked" });
  await expectSound(page);
  await verifying(page).getByLabel("Expected challenge").fill("d");
  await verify(page);
  await expect(page.getByText("Refuse this credential")).toBeVisible();
  await expectOutcomes(page, { Audience: "Not checked", Challenge: "Failed" });
});

const encoded = (text: string) => Buffer.from(text).toString("base64url");

test("a changed text, invalid text and a login JWT get different errors", { tag: "@once" }, async ({ page }) => {
  test.slow();
  const agent = await newAgent();
  const vc = await credentialOf(agent.jwt, "c");
  await page.goto("/identity");
  const [header, , signature] = vc.split(".");
  const claims = { sub: "<img src=x onerror=alert(1)>", aud: AUDIENCE, exp: 1e300 };
  await paste(page, `${header}.${encoded(JSON.stringify(claims))}.${signature}`);
  await verify(page);
  await expectOutcomes(page, { Signature: "Failed" }, "Not looked at");
  await expect(page.getByText("anybody may have written this").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "the pasted payload" })).toContainText("<img src=x");
  await expectSound(page);

  const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  for (const rubbish of [
    "rubbish",
    "a.b.c",
    "<b>x</b>",
    "x".repeat(5_000),
    `${header}.${encoded(deep)}.${signature}`,
  ]) {
    await paste(page, rubbish);
    await verify(page);
    await expect(page.getByText("This is not a credential")).toBeVisible();
  }
  await expectSound(page);

  const odd = encoded('{"alg":"RS256","kid":"k","typ":{"toString":1,"valueOf":1}}');
  await paste(page, `${odd}.${vc.split(".")[1]}.${signature}`);
  await verify(page);
  await expectOutcomes(page, { Signature: "Failed" }, "Not looked at");

  await paste(page, agent.jwt);
  await verify(page);
  await expect(page.getByText("This is a login JWT, not a credential")).toBeVisible();
  await expect(page.getByText("never paste it anywhere")).toBeVisible();
  await expectSound(page);

  await paste(page, "  ");
  await verify(page);
  await expect(page.getByText("Paste a credential first.")).toBeVisible();
});

test("an expired credential fails only because of its lifetime", { tag: "@once" }, async ({ page }) => {
  const agent = await newAgent();
  const vc = await credentialOf(agent.jwt, "c", 1);
  await page.goto("/identity");
  await expect
    .poll(async () => {
      await paste(page, vc, AUDIENCE, "c");
      await verify(page);
      await expect(page.getByRole("list", { name: "Rules" })).toBeVisible();
      return page.getByText("Refuse this credential").isVisible();
    })
    .toBe(true);
  await expectOutcomes(page, { Lifetime: "Failed" });
});

test("the verification requests only the published keys", { tag: "@once" }, async ({ page }) => {
  const agent = await newAgent();
  const vc = await credentialOf(agent.jwt, "a challenge of this test");
  await page.goto("/identity");
  await expect(page.getByRole("button", { name: "Verify credential" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const requests: Request[] = [];
  page.on("request", (request) => {
    // Next prefetches the pages of visible links whenever it has time.
    if (!new URL(request.url()).searchParams.has("_rsc")) requests.push(request);
  });
  for (const text of [vc, agent.jwt, "rubbish"]) {
    await paste(page, text, AUDIENCE, "a challenge of this test");
    await verify(page);
    await expect(verifying(page).getByRole("alert").or(verifying(page).getByRole("status")).first()).toBeVisible();
  }
  await page.waitForLoadState("networkidle");
  const sent = requests.map((request) => [
    request.method(),
    new URL(request.url()).pathname + new URL(request.url()).search,
    request.postData(),
  ]);
  expect(sent).toEqual([["GET", "/.well-known/jwks.json", null]]);
  expect(new URL(page.url()).search).toBe("");
});

test("the page gives no verdict when the keys cannot be loaded", { tag: "@once" }, async ({ page }) => {
  const agent = await newAgent();
  await page.goto("/identity");
  await page.route("**/.well-known/jwks.json", (route) => route.fulfill({ status: 404, body: "{}" }));
  await paste(page, await credentialOf(agent.jwt, "c"));
  await verify(page);
  await expect(page.getByText("The published keys could not be read")).toBeVisible();
  await expect(page.getByRole("list", { name: "Rules" })).toHaveCount(0);
  await expectSound(page);
  await page.unroute("**/.well-known/jwks.json");
  await verify(page);
  await expect(page.getByText("Nothing failed, but not every rule was checked")).toBeVisible();
});

test("the page shows an error of the service, and keeps the form", { tag: "@once" }, async ({ page }) => {
  const { person, agent } = await ownerWithAgent();
  await become(page, person);
  await page.goto("/identity");
  const form = issuing(page);
  await form.getByLabel("Audience").fill(AUDIENCE);
  await form.getByRole("button", { name: "Create a challenge" }).click();
  await call("DELETE", `/api/agents/${agent.agentId}`, { cookie: person.cookie });
  await form.getByRole("button", { name: "Issue credential" }).click();
  await expect(form.getByText("No credential was issued")).toBeVisible();
  await expect(form.getByText("This agent no longer exists.")).toBeVisible();
  await expect(form.getByLabel("Audience")).toHaveValue(AUDIENCE);
  await expectSound(page);
});
