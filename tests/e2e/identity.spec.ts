import { claim, newAgent, newPerson, propose } from "./support/api";
import { AUDIENCE, expectOutcomes, expectSound, issuing, ownerWithAgent, verify, verifying } from "./support/identity";
import { become, expect, signInHere, test } from "./support/test";

test("an owner issues a credential, sees its content, and verifies it", async ({ page }) => {
  test.slow();
  const { person, agent } = await ownerWithAgent();
  await become(page, person);
  await page.goto("/dashboard");
  if (await page.getByRole("button", { name: "Menu" }).isVisible()) {
    await page.getByRole("button", { name: "Menu" }).click();
  }
  await page.getByRole("link", { name: "Developers" }).click();
  await page.getByRole("navigation", { name: "Developers" }).getByRole("link", { name: "Identity" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agent identity");
  await expectSound(page);

  const form = issuing(page);
  await form.getByRole("button", { name: "Issue credential" }).click();
  await expect(form.getByText("Name the service that may accept it.")).toBeVisible();
  await expect(form.getByText("Enter the challenge, or create one.")).toBeVisible();
  await expectSound(page);

  await form.getByLabel("Audience").fill(AUDIENCE);
  await form.getByLabel("Challenge", { exact: true }).fill("ü🦊");
  await expect(form.getByText("6 of 4096 bytes")).toBeVisible();
  await form.getByRole("button", { name: "Create a challenge" }).click();
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

test("an owner who has signed nothing for the agent sees what to do first", { tag: "@once" }, async ({ page }) => {
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

test("a signed-out visitor can read, verify and see the keys, and stays on the page after signing in", {
  tag: "@once",
}, async ({ page }) => {
  const person = await newPerson();
  await become(page, person, false);
  const response = await page.goto("/identity");
  expect(response?.headers()["content-security-policy"]).toContain("default-src 'none'");
  await expect(page.getByText("Agents request credentials themselves")).toBeVisible();
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

test("each verifier is shown as its file, with this service's URL", { tag: "@once" }, async ({ page }) => {
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

test("a person issues and verifies a credential with the keyboard alone", { tag: "@once" }, async ({ page }) => {
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
  await reach("Create a challenge");
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
