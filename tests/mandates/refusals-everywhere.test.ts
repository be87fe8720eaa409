import { beforeAll, expect, test } from "vitest";
import { NETWORKS } from "@/lib/x402/networks";
import { call } from "../support/http";
import {
  freshAddress,
  linkedPair,
  owned,
  type Parties,
  pay,
  proposed,
  RESOURCE,
  signedMandate,
  v3,
} from "../support/mandates";
import { funded, outcome, payout } from "../support/payouts";
import { shareService } from "../support/service";

/** Why a mandate does not pay, at every endpoint that pays under one. */
const service = shareService();
let pair: Parties;

beforeAll(async () => {
  pair = await linkedPair();
  await funded(service.world, pair.owner);
});

const AMOUNT = "10000";
const offer = {
  scheme: "exact",
  network: "eip155:8453",
  amount: AMOUNT,
  asset: NETWORKS.base.usdc,
  payTo: freshAddress(),
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
};
const paymentRequest = { x402Version: 2, resource: { url: RESOURCE, description: "" }, accepts: [offer] };

const ENDPOINTS: Record<string, (mandateId: string) => object> = {
  "/api/payment/x402V3Payment": (mandateId) => v3(mandateId, { amount: AMOUNT }),
  "/api/v2/payment/x402-payment": (mandateId) => ({ mandateId, paymentRequest }),
  "/api/payouts": (mandateId) => payout({ mandateId, amount: AMOUNT }),
};

const signed = async (terms: object = {}) => (await signedMandate(terms, pair)).mandateId;
const sql = () => service.opened.sql;

const REFUSED: [code: string, status: number, mandate: () => Promise<string>][] = [
  ["mandate_not_found", 404, async () => "mand_000000000000000000000000"],
  [
    "mandate_not_signed",
    403,
    async () => {
      const { mandateId, token } = await proposed(pair.agent);
      await owned(pair.owner, mandateId, "claim", { token });
      return mandateId;
    },
  ],
  [
    "mandate_disabled",
    403,
    async () => {
      const mandateId = await signed();
      await owned(pair.owner, mandateId, "enabled", { isEnabled: false });
      return mandateId;
    },
  ],
  [
    "mandate_revoked",
    403,
    async () => {
      const mandateId = await signed();
      await owned(pair.owner, mandateId, "revoke");
      return mandateId;
    },
  ],
  [
    "mandate_expired",
    403,
    async () => {
      const mandateId = await signed();
      await sql()`update mandates set valid_until = now() - interval '1 second' where id = ${mandateId}`;
      return mandateId;
    },
  ],
  ["mandate_payment_cap_exceeded", 403, () => signed({ maxAmountPerPayment: "9999" })],
  ["mandate_insufficient_budget", 403, () => signed({ limitAmount: "9999" })],
  [
    "mandate_period_budget_used",
    403,
    async () => {
      const mandateId = await signed({ maxAmountPerDay: "15000", validForSeconds: 86_400 * 60 });
      expect((await pay(pair.agent, mandateId, { amount: AMOUNT })).status).toBe(200);
      return mandateId;
    },
  ],
  ["host_not_allowed", 403, () => signed({ hostAllowlist: ["other.example"] })],
  [
    "agent_not_authorized",
    403,
    async () => {
      const mandateId = await signed();
      const { owner } = await linkedPair();
      await sql()`update mandates set owner_id = (select id from owners where address = ${owner.address})
        where id = ${mandateId}`;
      return mandateId;
    },
  ],
];

const cases = Object.keys(ENDPOINTS).flatMap((path) =>
  REFUSED.map(([code, status, mandate]) => [path, code, status, mandate] as const),
);

test.each(cases)("%s refuses %s, and reserves nothing", async (path, code, status, mandate) => {
  const mandateId = await mandate();
  const count = async () =>
    (await sql()`select count(*)::int as n from reservations where mandate_id = ${mandateId}`)[0]?.n;
  const countBefore = await count();
  const response = await call("POST", path, { bearer: pair.agent.jwt, json: ENDPOINTS[path]?.(mandateId) });
  expect(outcome(response)).toEqual([status, code]);
  expect(await count()).toBe(countBefore);
});

test("an owner cannot revoke a mandate that was already rejected", async () => {
  const { mandateId, token } = await proposed(pair.agent);
  await owned(pair.owner, mandateId, "reject", { token });
  const response = await call("POST", `/api/mandates/${mandateId}/revoke`, { session: pair.owner.session, json: {} });
  expect(outcome(response)).toEqual([409, "mandate_not_pending"]);
});
