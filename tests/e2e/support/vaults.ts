import type { Page } from "@playwright/test";
import {
  type Agent,
  BASE_URL,
  call,
  claim,
  newAgent,
  newPerson,
  type Person,
  type Proposal,
  payUpl,
  propose,
} from "./api";
import { heading } from "./approval";
import { answerWallet, become, connectIfPrompted, expect } from "./test";

export const SIGN = /^Sign with your wallet/;
export const OPENING = { timeout: 45_000 };

export const balanceOf = async (address: string): Promise<string> =>
  (await call<{ balance: string }>("GET", `/api/networks/base/balances/${address}`)).balance;

const mint = (address: string, amount: string) => call("POST", "/api/devnet/faucet", { json: { address, amount } });

/** An owner with money in their own wallet, on the signing page of a mandate. */
export async function reviewing(page: Page, intent = {}, own = "40000000") {
  const [owner, agent] = [await newPerson(), await newAgent()];
  if (own !== "0") await mint(owner.account.address, own);
  const proposal = await propose(agent, { hostAllowlist: [new URL(BASE_URL).host], ...intent });
  await claim(owner, proposal);
  await become(page, owner);
  await page.goto(proposal.authorizationUrl);
  await expect(page.getByRole("radio", { name: "A vault of its own" })).toBeChecked();
  return { owner, agent, proposal };
}

export const vault = (page: Page) => page.getByRole("region", { name: "Vault", exact: true });

export const fact = (page: Page, label: string) =>
  vault(page)
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) });

export async function press(page: Page, isSigningNext = true) {
  await page.getByRole("button", { name: SIGN }).click();
  await connectIfPrompted(page, isSigningNext);
}

/** Opens a vault with one signature that moves `amount` into it. */
export async function openVault(page: Page, amount = "10") {
  await page.getByLabel("Amount to move in").fill(amount);
  await press(page);
  await answerWallet(page, "Sign");
  await expect(heading(page, /^Signed/)).toBeFocused();
  await expect(vault(page).getByText("Open", { exact: true })).toBeVisible(OPENING);
}

/** Pays when the vault has drawn what is missing. */
export const payWhenReady = (agent: Agent, { mandateId }: Proposal, payee: Agent, amount: string) =>
  expect(async () => void (await payUpl(agent, mandateId, payee, amount))).toPass({ timeout: 45_000 });

export const owns = ({ account }: Person, amount: string) =>
  expect(async () => expect(await balanceOf(account.address)).toBe(amount)).toPass();
