import type { Page } from "@playwright/test";
import { type Agent, call, claim, fund, newAgent, newPerson, type Person, propose } from "./api";

export type Payout = {
  payoutId: string;
  payoutRecordId: string;
  approvalUrl: string | null;
  status: string;
  amount: string;
  legs: { toAddress: string; amount: string; settlementId: string | null }[];
};

export const requestPayout = (agent: Agent, json: object, status = 201): Promise<Payout & { approvalUrl: string }> =>
  call("POST", "/api/payouts", { jwt: agent.jwt, json }, status);

export const now = async ({ cookie }: Person, { payoutRecordId }: Payout): Promise<Payout> =>
  (await call<{ payout: Payout }>("GET", `/api/wallet/payouts/${payoutRecordId}`, { cookie })).payout;

export const all = async ({ cookie }: Person): Promise<Payout[]> =>
  (await call<{ payouts: Payout[] }>("GET", "/api/wallet/payouts", { cookie })).payouts;

export async function linked(name?: string): Promise<{ owner: Person; agent: Agent }> {
  const owner = await newPerson();
  const agent = await newAgent(name);
  await claim(owner, await propose(agent));
  return { owner, agent };
}

export async function rich(amount?: string): Promise<Person> {
  const owner = await newPerson();
  await fund(owner, amount);
  return owner;
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
