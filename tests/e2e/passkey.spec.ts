import type { BrowserContext, Page } from "@playwright/test";
import { type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { makeLink, newPayee, newPerson } from "./support/api";
import { heading, mint, PAY, payment } from "./support/checkout";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

/** The world of these tests does not offer it: this plays a service that does. */
async function offerPasskeys(page: Page): Promise<void> {
  await page.route("**/*", async (route) => {
    const request = route.request();
    // The wallet's code also requests the page's headers.
    if (request.resourceType() !== "document" && request.method() !== "HEAD") return route.fallback();
    const response = await route.fetch({ maxRedirects: 0 });
    const { "content-encoding": _, "content-length": __, ...given } = response.headers();
    const headers = { ...given, "cross-origin-opener-policy": "same-origin-allow-popups" };
    const body = (await response.text()).replace("<html ", '<html data-wallets="passkey" ');
    return route.fulfill({ response: response, headers, body });
  });
}

/** keys.coinbase.com, with an account that signs every request. */
async function playWallet(context: BrowserContext, account: LocalAccount, sign = signer(account)): Promise<void> {
  await context.exposeFunction("playSign", sign);
  await context.route("https://keys.coinbase.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><title>Wallet</title><script>${WINDOW}</script>` }),
  );
}

const signer =
  (account: LocalAccount) =>
  async (method: string, params: string[]): Promise<unknown> => {
    if (method === "eth_requestAccounts") return [account.address];
    if (method === "personal_sign") return account.signMessage({ message: { raw: params[0] as `0x${string}` } });
    if (method === "eth_signTypedData_v4") return account.signTypedData(JSON.parse(params[1] ?? "{}"));
    return null;
  };

/** The window's side of the protocol: keys are exchanged, then requests and answers are encrypted. */
const WINDOW = `
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => new Uint8Array(text.match(/../g).map((byte) => parseInt(byte, 16)));
const ECDH = { name: "ECDH", namedCurve: "P-256" };
const keys = crypto.subtle.generateKey(ECDH, true, ["deriveKey"]);
const post = (message) => window.opener.postMessage({ id: crypto.randomUUID(), ...message }, "*");
async function secretWith(sender) {
  const peer = await crypto.subtle.importKey("spki", unhex(sender), ECDH, true, []);
  const { privateKey } = await keys;
  return crypto.subtle.deriveKey({ name: "ECDH", public: peer }, privateKey, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
window.addEventListener("message", async ({ data }) => {
  if (data.event === "selectSignerType") return post({ requestId: data.id, data: "scw" });
  if (!data.content) return;
  const secret = await secretWith(data.sender);
  let request = data.content.handshake;
  if (!request) {
    const { iv, cipherText } = data.content.encrypted;
    request = JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, secret, cipherText))).action;
  }
  const value = await window.playSign(request.method, request.params ?? []);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify({ result: { value } }));
  const cipherText = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, secret, text);
  const sender = hex(await crypto.subtle.exportKey("spki", (await keys).publicKey));
  post({ requestId: data.id, sender, content: { encrypted: { iv, cipherText } }, timestamp: new Date() });
});
post({ event: "PopupLoaded" });
`;

test("a passkey wallet is offered only if the operator enabled it", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson(), false);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Choose a wallet" }).click();
  await expect(page.getByRole("button", { name: /Tessera test wallet/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /Passkey wallet/ })).toHaveCount(0);
});

test("a person signs in with a passkey wallet, whose code is loaded only when it is chosen (axe)", async ({
  page,
  context,
}) => {
  const person = await newPerson();
  const account = privateKeyToAccount(person.key);
  await offerPasskeys(page);
  await playWallet(context, account);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Choose a wallet" }).click();
  const choice = page.getByRole("button", { name: /Passkey wallet/ });
  await expect(choice).toContainText("keys.coinbase.com");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: `test-results/passkey-${test.info().project.name}.png` });
  await choice.click();
  await page.getByRole("button", { name: "Use Passkey wallet anyway" }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("an account that is not deployed on the chain cannot sign in, and sees why", { tag: "@once" }, async ({
  page,
  context,
}) => {
  const account = privateKeyToAccount((await newPerson()).key);
  const sign = signer(account);
  await offerPasskeys(page);
  await playWallet(context, account, async (method, params) => {
    const signature = await sign(method, params);
    return method === "personal_sign" ? `${String(signature)}${"6492".repeat(16)}` : signature;
  });
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Choose a wallet" }).click();
  await page.getByRole("button", { name: /Passkey wallet/ }).click();
  await page.getByRole("button", { name: "Use Passkey wallet anyway" }).click();
  await expect(page.getByText("This account is not on the network yet")).toBeVisible();
});

test("a checkout of a service without wallet factories says before signing that the account is not deployed, and accepts its payment once it is (axe)", async ({
  page,
  context,
}) => {
  const account = privateKeyToAccount((await newPerson()).key);
  await mint(account.address, "5000000");
  const link = await makeLink(await newPayee());
  await offerPasskeys(page);
  await playWallet(context, account);
  let isDeployed = false;
  await page.route("**/balances/*?code=true", async (route) => {
    const response = await route.fetch();
    const body: Record<string, unknown> = await response.json();
    expect(body).toMatchObject({ hasCode: false, takesUndeployed: true });
    return route.fulfill({ response: response, json: { ...body, hasCode: isDeployed, takesUndeployed: false } });
  });
  await page.goto(link.url);
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await page.getByRole("button", { name: /Passkey wallet/ }).click();
  await page.getByRole("button", { name: "Use Passkey wallet anyway" }).click();
  await expect(payment(page).getByText("This account is not on Base yet")).toBeVisible();
  await expect(page.getByRole("button", { name: PAY })).toBeDisabled();
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: `test-results/undeployed-${test.info().project.name}.png`, fullPage: true });
  isDeployed = true;
  await expect(page.getByRole("button", { name: PAY })).toBeEnabled({ timeout: 15_000 });
  await page.getByRole("button", { name: PAY }).click();
  await expect(heading(page, "You paid 1.25 USDC")).toBeVisible({ timeout: 30_000 });
});
