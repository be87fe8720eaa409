import { call, type Person } from "./support/api";
import { busyOwner } from "./support/dashboard";
import { become, expect, expectAccessible, signAction, test } from "./support/test";

const REDIRECT = "http://localhost:9/callback";

/** What an app opens in its user's browser. */
async function askUrl(change: Record<string, string> = {}): Promise<string> {
  const json = { client_name: "Example app\u202e", redirect_uris: [REDIRECT] };
  const { client_id } = await call<{ client_id: string }>("POST", "/oauth/register", { json }, 201);
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: REDIRECT,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    state: "s",
    ...change,
  });
  return `/oauth/authorize?${query}`;
}

const connections = async ({ cookie }: Person) =>
  (await call<{ connections: { agentName: string }[] }>("GET", "/api/connections", { cookie })).connections;

test.describe("an app that asks to use an agent", () => {
  test("gets a new agent, and the owner disconnects it", async ({ page }) => {
    const { person } = await busyOwner();
    await become(page, person);
    let returned = "";
    await page.route("http://localhost:9/**", (route) => {
      returned = route.request().url();
      return route.fulfill({ body: "back in the app" });
    });
    await page.goto(await askUrl());
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Let “Example app” use an agent?");
    await expect(page.getByText("name not verified")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Name of the new agent").fill("My helper");
    await page.getByRole("button", { name: "Connect" }).click();
    await expect(page.getByText("back in the app")).toBeVisible();
    const answer = new URL(returned).searchParams;
    expect([answer.get("state"), answer.get("code")?.slice(0, 4), answer.has("iss")]).toEqual(["s", "oac_", true]);
    expect(await connections(person)).toMatchObject([{ agentName: "My helper" }]);
    await page.goto("/dashboard/agents");
    await expect(page.getByText("not used yet")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByText("not used yet")).toBeHidden();
    expect(await connections(person)).toEqual([]);
    await page.goto("/dashboard/activity");
    await expect(page.getByText("“Example app” can no longer act as My helper")).toBeVisible();
  });

  test("acts as an agent with a mandate only after the wallet signed", async ({ page }) => {
    const { person, agent } = await busyOwner();
    await become(page, person);
    await page.route("http://localhost:9/**", (route) => route.fulfill({ body: "back in the app" }));
    await page.goto(await askUrl());
    await page.getByRole("radio", { name: agent.name }).check();
    await page.getByRole("button", { name: "Connect" }).click();
    expect(await connections(person)).toEqual([]);
    await signAction(page, "Connect an app to an agent");
    await expect(page.getByText("back in the app")).toBeVisible();
    expect(await connections(person)).toMatchObject([{ agentName: agent.name }]);
  });

  test("learns that the owner cancelled", { tag: "@once" }, async ({ page }) => {
    const { person } = await busyOwner();
    await become(page, person);
    let returned = "";
    await page.route("http://localhost:9/**", (route) => {
      returned = route.request().url();
      return route.fulfill({ body: "back in the app" });
    });
    await page.goto(await askUrl());
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page.getByText("back in the app")).toBeVisible();
    expect(new URL(returned).searchParams.get("error")).toBe("access_denied");
    expect(await connections(person)).toEqual([]);
  });

  test("is refused on the page, and nobody is sent away, if its request is wrong", { tag: "@once" }, async ({
    page,
  }) => {
    const { person } = await busyOwner();
    await become(page, person);
    for (const change of [
      { redirect_uri: "https://evil.example/" },
      { client_id: "app_unknown" },
      { code_challenge: "" },
    ]) {
      await page.goto(await askUrl(change));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("This app cannot be connected");
      expect(page.url()).toContain("/oauth/authorize");
    }
    await expectAccessible(page);
  });

  test("is shown to nobody who has not signed in", async ({ page }) => {
    await page.goto(await askUrl());
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to connect an app");
    await expect(page.getByText("Example app")).toBeHidden();
    await expectAccessible(page);
  });
});
