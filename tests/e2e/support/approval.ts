import type { Page } from "@playwright/test";
import { type Agent, call, claim, newAgent, newPerson, type Person, propose } from "./api";

export type ApprovalRequest = { approvalId: string; approvalUrl: string; json: Record<string, unknown> };

export type Outcome = { status: string; code?: string; xPaymentB64?: string; paymentRecordId?: string };

export const HOST = "api.example.com";

export const TITLE = `Pay 0.25 USDC to ${HOST}?`;

export async function requestApproval(agent: Agent, change: object = {}): Promise<ApprovalRequest> {
  const json = {
    amount: "250000",
    payTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    resource: `https://${HOST}/report?week=47`,
    description: "Weekly report",
    ...change,
  };
  const path = "/api/payment/x402V1Payment";
  const response = await call<Omit<ApprovalRequest, "json">>("POST", path, { jwt: agent.jwt, json }, 202);
  return { ...response, json };
}

/** The agent's second call. */
export const repeat = (agent: Agent, { approvalId, json }: ApprovalRequest, status: number): Promise<Outcome> =>
  call("POST", "/api/payment/x402V1Payment", { jwt: agent.jwt, json: { ...json, approvalId } }, status);

export async function linkedAgent(): Promise<{ owner: Person; agent: Agent; wallet: string }> {
  const owner = await newPerson();
  const agent = await newAgent();
  await claim(owner, await propose(agent));
  const { wallets } = await call<{ wallets: { network: string; address: string }[] }>("GET", "/api/wallet", {
    cookie: owner.cookie,
  });
  return { owner, agent, wallet: wallets.find(({ network }) => network === "base")?.address ?? "" };
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
