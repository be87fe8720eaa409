import type { Page, Request } from "@playwright/test";
import { call, claim, newAgent, newPerson, propose, sign } from "./support/api";
import { become, expect, expectAccessible, expectFits, signInHere, test } from "./support/test";

const AUDIENCE = "https://api.example.com";
const RULES = ["Signature", "Type", "Issuer", "Audience", "Lifetime", "Challenge", "Single use"];

/** An owner with an agent that they have signed a mandate of. */
async function ownerWithAgent() {
  const person = await newPerson();
  const agent = await newAgent();
  await sign(person, await propose(agent));
  return { person, agent };
}

const credentialOf = async (jwt: string, challenge: string, ttl_seconds = 300): Promise<string> => {
  const request = { challenge, audience: AUDIENCE, ttl_seconds };
  return (await call<{ vc: string }>("POST", "/agent/vc/issue", { jwt, json: request })).vc;
};

const issuing = (page: Page) => page.locator("section").filter({ has: page.getByRole("heading", { name: "Issue a" }) });
const verifying = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Verify in this browser" }) });
const verify = (page: Page) => page.getByRole("button", { name: "Verify credential" }).click();

async function paste(page: Page, vc: string, audience = AUDIENCE, challenge = ""): Promise<void> {
  await verifying(page).getByLabel("Credential", { exact: true }).fill(vc);
  await verifying(page).getByLabel("Expected audience").fill(audience);
  await verifying(page).getByLabel("Expected challenge").fill(challenge);
}

/** How each rule came out, in the order of the list. */
async function expectOutcomes(page: Page, outcomes: Partial<Record<string, string>>, otherwise = "Passed") {
  const rows = page.getByRole("list", { name: "Rules" }).getByRole("listitem");
  await expect(rows).toHaveCount(RULES.length);
  for (const [at, rule] of RULES.entries()) {
    const outcome = outcomes[rule] ?? (rule === "Single use" ? "Not checked" : otherwise);
    await expect(rows.nth(at)).toContainText(new RegExp(`^${rule}${outcome}`));
  }
}

/** Axe and the width, by day and by night. */
async function expectSound(page: Page): Promise<void> {
  await expectFits(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page);
  }
}

test("an owner has a credential issued, sees what it says, and verifies it", async ({ page }) => {
  test.slow();
  const { person, agent } = await ownerWithAgent();
  await become(page, person);
  await page.goto("/dashboard");
  if (await page.getByRole("button", { name: "Menu" }).isVisible()) {
    await page.getByRole("button", { name: "Menu" }).click();
  }
  await page.getByRole("link", { name: "Identity" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agent identity");
  await expectSound(page);

  const form = issuing(page);
  await form.getByRole("button", { name: "Issue credential" }).click();
  await expect(form.getByText("Name the service that may accept it.")).toBeVisible();
  await expect(form.getByText("Enter the challenge, or make one.")).toBeVisible();
  await expectSound(page);

  await form.getByLabel("Audience").fill(AUDIENCE);
  await form.getByLabel("Challenge", { exact: true }).fill("ü🦊");
  await expect(form.getByText("6 of 4096 bytes")).toBeVisible();
  await form.getByRole("button", { name: "Make a challenge" }).click();
  await expect(form.getByText("43 of 4096 bytes")).toBeVisible();
  await form.getByLabel("Lifetime").selectOption("Another time");
  for (const wrong of ["", "0", "86401", "1.5", "-1", "1e3"]) {
    await form.getByLabel("Seconds").fill(wrong);
    await form.getByRole("button", { name: "Issue credential" }).click();
    await expect(form.getByText("Whole seconds, from 1 to 86400.")).toBeVisible();
  }
  await form.getByLabel("Lifetime").selectOption("24 hours");
  await form.getByRole("button", { name: "Issue credential" }).click();

  await expect(form.getByText("Credential issued")).toBeVisible();
  await expect(form.getByText("It cannot pay")).toBeVisible();
  await expect(form.getByText("in 24 hours")).toBeVisible();
  const vc = (await form.getByRole("region", { name: "The credential" }).textContent()) ?? "";
  expect(vc.split(".")).toHaveLength(3);
  await expect(form.getByRole("region", { name: "the issued header" })).toContainText('"typ": "agent-vc"');
  await expect(form.getByRole("region", { name: "the issued payload" })).toContainText(`"sub": "${agent.agentId}"`);
  await expect(form.getByRole("region", { name: "the issued payload" })).toContainText(`"aud": "${AUDIENCE}"`);
  await expectSound(page);

  await form.getByRole("button", { name: "Verify it below" }).click();
  await expect(page.getByRole("button", { name: "Verify credential" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("This credential is good")).toBeVisible();
  await expectOutcomes(page, {});
  await expect(page.getByRole("region", { name: "the pasted payload" })).toContainText(agent.agentId);
  await expectSound(page);

  await verifying(page).getByLabel("Expected audience").fill(`${AUDIENCE}/`);
  await expect(page.getByRole("list", { name: "Rules" })).toBeHidden();
  await verify(page);
  await expect(page.getByText("Refuse this credential")).toBeVisible();
  await expectOutcomes(page, { Audience: "Failed" });
  await expect(verifying(page).getByText("It is not the audience you expect.")).toBeVisible();
  await expectSound(page);
});

test("an owner who has signed nothing for their agent sees what to do first", async ({ page }) => {
  const [person, agent] = [await newPerson(), await newAgent()];
  await claim(person, await propose(agent));
  await become(page, person);
  await page.goto("/identity");
  await expect(issuing(page).getByText("Nothing is signed yet")).toBeVisible();
  await expect(issuing(page).getByRole("link", { name: "Open mandates" })).toHaveAttribute(
    "href",
    "/dashboard/mandates",
  );
  await expect(issuing(page).getByRole("button", { name: "Issue credential" })).toBeHidden();
  await expectSound(page);
});

test("what is left out is not checked, and the verdict says so", { tag: "@once" }, async ({ page }) => {
  const agent = await newAgent();
  await page.goto("/identity");
  await paste(page, `  ${await credentialOf(agent.jwt, "c")}\n`, "", "");
  await verify(page);
  await expect(page.getByText("Good as far as it was checked")).toBeVisible();
  await expectOutcomes(page, { Audience: "Not checked", Challenge: "Not checked" });
  await expectSound(page);
  await verifying(page).getByLabel("Expected challenge").fill("d");
  await verify(page);
  await expect(page.getByText("Refuse this credential")).toBeVisible();
  await expectOutcomes(page, { Audience: "Not checked", Challenge: "Failed" });
});

const encoded = (text: string) => Buffer.from(text).toString("base64url");

test("a changed text, rubbish and a login JWT are told apart", { tag: "@once" }, async ({ page }) => {
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

test("a credential that has run out fails by its lifetime alone", { tag: "@once" }, async ({ page }) => {
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

test("nothing but the published keys is asked for while a credential is verified", { tag: "@once" }, async ({
  page,
}) => {
  const agent = await newAgent();
  const vc = await credentialOf(agent.jwt, "a challenge of this test");
  await page.goto("/identity");
  await expect(page.getByRole("button", { name: "Verify credential" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  for (const text of [vc, agent.jwt, "rubbish"]) {
    await paste(page, text, AUDIENCE, "a challenge of this test");
    await verify(page);
    await expect(verifying(page).getByRole("alert").or(verifying(page).getByRole("status")).first()).toBeVisible();
  }
  await page.waitForLoadState("networkidle");
  const asked = requests.map((request) => [
    request.method(),
    new URL(request.url()).pathname + new URL(request.url()).search,
    request.postData(),
  ]);
  expect(asked).toEqual([["GET", "/.well-known/jwks.json", null]]);
  expect(new URL(page.url()).search).toBe("");
});

test("keys that cannot be read are no verdict", { tag: "@once" }, async ({ page }) => {
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
  await expect(page.getByText("Good as far as it was checked")).toBeVisible();
});

test("a refusal of the service is told, and the form stays as it was", { tag: "@once" }, async ({ page }) => {
  const { person, agent } = await ownerWithAgent();
  await become(page, person);
  await page.goto("/identity");
  const form = issuing(page);
  await form.getByLabel("Audience").fill(AUDIENCE);
  await form.getByRole("button", { name: "Make a challenge" }).click();
  await call("DELETE", `/api/agents/${agent.agentId}`, { cookie: person.cookie });
  await form.getByRole("button", { name: "Issue credential" }).click();
  await expect(form.getByText("No credential was issued")).toBeVisible();
  await expect(form.getByText("This agent no longer exists.")).toBeVisible();
  await expect(form.getByLabel("Audience")).toHaveValue(AUDIENCE);
  await expectSound(page);
});

test("signed out it explains, verifies and shows the keys; signing in stays here", async ({ page }) => {
  const person = await newPerson();
  await become(page, person, false);
  const answer = await page.goto("/identity");
  expect(answer?.headers()["content-security-policy"]).toContain("default-src 'none'");
  await expect(page.getByText("Agents ask for credentials themselves")).toBeVisible();
  await expect(page.getByRole("button", { name: "Issue credential" })).toHaveCount(0);
  await expect(page.getByRole("table", { name: "Published keys" })).toContainText("Signs now");
  for (const path of [
    "/.well-known/jwks.json",
    "/.well-known/did.json",
    "/.well-known/agent-identity",
    "/public-key.pem",
  ]) {
    await expect(page.getByRole("link", { name: path })).toHaveAttribute("href", path);
    expect((await page.request.get(path)).status()).toBe(200);
  }
  await expectSound(page);
  await signInHere(page, "Sign in with your wallet");
  await expect(page.getByText("No agent is linked yet")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agent identity");
  await expect(page.getByRole("link", { name: "Link an agent" })).toHaveAttribute("href", "/dashboard/agents#link");
  await expectSound(page);
});

test("each verifier is shown as its file, with this service's address", { tag: "@once" }, async ({ page }) => {
  await page.goto("/identity");
  for (const [language, file, word] of [
    ["TypeScript", "verify-vc.ts", "createRemoteJWKSet"],
    ["Python", "verify_vc.py", "PyJWKClient"],
    ["curl", "verify-vc.sh", "expected_audience"],
  ] as const) {
    await page.getByRole("tab", { name: language }).click();
    const code = page.getByRole("region", { name: file, exact: true });
    await expect(code).toContainText(word);
    await expect(code).toContainText(new URL(page.url()).origin);
    await expect(code).not.toContainText("tessera.example");
    await expectSound(page);
  }
});

test("with the keyboard alone a person issues a credential and verifies it", { tag: "@once" }, async ({ page }) => {
  const { person } = await ownerWithAgent();
  await become(page, person);
  await page.goto("/identity");
  await expect(page.getByRole("button", { name: "Issue credential" })).toBeVisible();
  type Role = "button" | "textbox" | "combobox" | "tab";
  const reach = async (name: string, role: Role = "button") => {
    const target = page.getByRole(role, { name, exact: true });
    for (let presses = 0; presses < 80; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab never reached ${name}`);
  };
  await reach("Audience", "textbox");
  await page.keyboard.type(AUDIENCE);
  await reach("Make a challenge");
  await page.keyboard.press("Space");
  await reach("Lifetime", "combobox");
  await page.keyboard.press("ArrowDown");
  await reach("Issue credential");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Credential issued")).toBeVisible();
  await expect(page.getByText(/in 1[45] minutes/)).toBeVisible();
  await reach("Verify it below");
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Verify credential" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByText("This credential is good")).toBeVisible();
  await expectOutcomes(page, {});
  await reach("TypeScript", "tab");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("region", { name: "verify_vc.py", exact: true })).toBeVisible();
});
