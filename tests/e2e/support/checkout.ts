import type { Page } from "@playwright/test";
import { call, newPerson, type Person } from "./api";
import { become } from "./test";

export const PAY = "Pay 1.25 USDC";

export const payment = (page: Page) => page.getByRole("region", { name: "Payment", exact: true });

export const heading = (page: Page, name: string | RegExp) => payment(page).getByRole("heading", { level: 2, name });

export const mint = (address: string, amount: string, network = "base") =>
  call("POST", "/api/devnet/faucet", { json: { address, amount, network } });

/** A person with `held` in the browser's test wallet. */
export async function visitor(page: Page, held = "40000000", network = "base"): Promise<Person> {
  const person = await newPerson();
  if (held !== "0") await mint(person.account.address, held, network);
  await become(page, person, false);
  return person;
}

export async function connect(page: Page, wallet = /Tessera test wallet/): Promise<void> {
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await page.getByRole("dialog").getByRole("button", { name: wallet }).click();
}

/** Stops when the wallet requests the signature. */
export async function visitAndPay(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await connect(page);
  await page.getByRole("button", { name: PAY }).click();
}
