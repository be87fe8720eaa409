import {
  type Agent,
  BASE_URL,
  call,
  claim,
  makeLink,
  newAgent,
  newPerson,
  type Person,
  type Proposal,
  payLink,
  propose,
  sign,
} from "./support/api";
import { tryFromElsewhere } from "./support/elsewhere";
import { become, expect, test } from "./support/test";

type Case = { owner: Person; url: string; posts: string[]; expectUntouched: () => Promise<void> };

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

async function linked() {
  const owner = await newPerson();
  const agent = await newAgent();
  await claim(owner, await propose(agent));
  return { owner, agent };
}

const read = async (agent: Agent, { mandateId }: Proposal): Promise<Record<string, unknown>> =>
  (await call<{ mandate: Record<string, unknown> }>("GET", `/api/mandates/agent/${mandateId}`, { jwt: agent.jwt }))
    .mandate;

const CASES: Record<string, () => Promise<Case>> = {
  "a payout": async () => {
    const { owner, agent } = await linked();
    type Payout = { payoutId: string; payoutRecordId: string; approvalUrl: string; status: string };
    const terms = { toAddress: ADDRESS, amount: "250000" };
    const made = await call<Payout>("POST", "/api/payouts", { jwt: agent.jwt, json: terms }, 201);
    const path = `/api/wallet/payouts/${made.payoutRecordId}`;
    return {
      owner,
      url: made.approvalUrl,
      posts: ["claim", "approve", "deny", "cancel"].map((verb) => `${path}/${verb}`),
      expectUntouched: async () => {
        const { payout } = await call<{ payout: Payout }>("GET", path, { cookie: owner.cookie });
        expect(payout.status).toBe("pending_authorization");
      },
    };
  },
  "payouts of one's own": async () => {
    const owner = await newPerson();
    return {
      owner,
      url: new URL("/dashboard/payouts/new", BASE_URL).href,
      posts: [
        "/api/wallet/payouts",
        "/api/wallet/payouts/batch",
        "/api/wallet/addresses",
        "/api/wallet/approval-limit",
      ],
      expectUntouched: async () => {
        expect(await call("GET", "/api/wallet/payouts", { cookie: owner.cookie })).toMatchObject({ payouts: [] });
        expect(await call("GET", "/api/wallet/addresses", { cookie: owner.cookie })).toMatchObject({ addresses: [] });
      },
    };
  },
  "one payment": async () => {
    const { owner, agent } = await linked();
    const json = { amount: "250000", payTo: ADDRESS, resource: "https://api.example.com/report" };
    const path = "/api/payment/x402V1Payment";
    type ApprovalRequest = { approvalId: string; approvalUrl: string };
    const approval = await call<ApprovalRequest>("POST", path, { jwt: agent.jwt, json }, 202);
    return {
      owner,
      url: approval.approvalUrl,
      posts: ["claim", "approve", "deny", "mandate"].map((verb) => `/api/approvals/${approval.approvalId}/${verb}`),
      expectUntouched: async () => {
        const again = { ...json, approvalId: approval.approvalId };
        expect((await call("POST", path, { jwt: agent.jwt, json: again }, 202)).code).toBe("approval_required");
      },
    };
  },
  "a refund": async () => {
    const { owner, agent } = await linked();
    const link = await makeLink(agent);
    await payLink(link);
    const { payments } = await call<{ payments: { id: number }[] }>(
      "GET",
      `/api/payment-links/${link.linkId}/payments`,
      { jwt: agent.jwt },
    );
    const json = { paymentId: payments[0]?.id };
    type Refund = { refundId: string; refundUrl: string; status: string };
    const path = "/api/payment-links/refunds";
    const refund = await call<Refund>("POST", `${path}/initiate`, { jwt: agent.jwt, json }, 201);
    return {
      owner,
      url: refund.refundUrl,
      posts: ["approve", "reject"].map((verb) => `/api/refunds/${refund.refundId}/${verb}`),
      expectUntouched: async () => {
        const now = await call<Refund>("GET", `${path}/${refund.refundId}`, { jwt: agent.jwt });
        expect(now.status).toBe("pending");
      },
    };
  },
  "a mandate to be signed": async () => {
    const { owner, agent } = await linked();
    const proposal = await propose(agent);
    await claim(owner, proposal);
    const path = `/api/mandates/${proposal.mandateId}`;
    return {
      owner,
      url: proposal.authorizationUrl,
      posts: ["claim", "signature", "reject"].map((verb) => `${path}/${verb}`),
      expectUntouched: async () => {
        expect((await read(agent, proposal)).status).toBe("pending_signature");
      },
    };
  },
  "a mandate that is signed": async () => {
    const { owner, agent } = await linked();
    const proposal = await propose(agent);
    await sign(owner, proposal);
    const path = `/api/mandates/${proposal.mandateId}`;
    return {
      owner,
      url: new URL(`/mandates/${proposal.mandateId}`, BASE_URL).href,
      posts: ["enabled", "revoke"].map((verb) => `${path}/${verb}`),
      expectUntouched: async () => {
        expect(await read(agent, proposal)).toMatchObject({ status: "signed", isEnabled: true });
      },
    };
  },
};

for (const [name, make] of Object.entries(CASES)) {
  test(`another site's page cannot decide anything on ${name}: not by form, by fetch or in a frame`, {
    tag: "@once",
  }, async ({ page }) => {
    const { owner, url, posts, expectUntouched } = await make();
    await become(page, owner);
    await tryFromElsewhere(page, url, posts);
    await expectUntouched();
  });
}
