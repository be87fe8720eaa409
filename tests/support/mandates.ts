import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import type { LocalAccount } from "viem/accounts";
import { expect } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "./actors";
import { confirmedCall } from "./confirmations";
import { call } from "./http";

export type Terms = {
  limitAmount?: string;
  naturalLanguage?: string;
  category?: string;
  validForSeconds?: number;
  hostAllowlist?: string[];
  maxAmountPerPayment?: string;
  maxAmountPerDay?: string;
  maxAmountPerMonth?: string;
  network?: string;
  confirmPayees?: boolean;
};
export type Parties = { owner: TestOwner; agent: TestAgent };
// Bodies are compared as a client sees them.
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = any;

export const intentOf = (terms: Terms = {}) => ({
  naturalLanguage: "Pay for weather data",
  limitAmount: "1000000",
  validForSeconds: 3600,
  ...terms,
});

/** An agent's mandate proposal, not claimed yet. */
export async function proposed(agent: TestAgent, terms: Terms = {}) {
  const { status, body } = await call("POST", "/api/mandates/create-intent", {
    bearer: agent.jwt,
    json: { intent: intentOf(terms) },
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  const { mandateId, authorizationUrl, agentStatus } = body as Record<string, string>;
  const token = new URL(authorizationUrl ?? "").searchParams.get("token") ?? "";
  return { mandateId: mandateId ?? "", token, agentStatus };
}

/** An owner and their agent, linked by claiming a mandate. */
export async function linkedPair(): Promise<Parties> {
  const owner = await newOwner();
  const agent = await newAgent();
  const { mandateId, token } = await proposed(agent);
  await owned(owner, mandateId, "claim", { token });
  await owned(owner, mandateId, "reject");
  return { owner, agent };
}

/** An owner's action on a mandate, which must succeed. Returns the mandate. */
export async function owned(owner: TestOwner, mandateId: string, verb: string, json: object = {}): Promise<Json> {
  const { status, body } = await confirmedCall(owner, `/api/mandates/${mandateId}/${verb}`, json);
  expect({ verb, status, body }).toMatchObject({ status: 200 });
  return (body as Json).mandate;
}

export async function signatureOver(mandateId: string, owner: { session: string; account: LocalAccount }) {
  const { status, body } = await call("GET", `/api/mandates/${mandateId}/typed-data`, { session: owner.session });
  expect(status).toBe(200);
  return owner.account.signTypedData(body as Parameters<LocalAccount["signTypedData"]>[0]);
}

/** A mandate that is proposed, claimed if its agent is new, and signed, through the public endpoints. */
export async function signedMandate(terms: Terms = {}, parties?: Parties) {
  const { owner, agent } = parties ?? (await linkedPair());
  const { mandateId, token } = await proposed(agent, terms);
  await owned(owner, mandateId, "claim", { token });
  const mandate = await owned(owner, mandateId, "signature", { signature: await signatureOver(mandateId, owner) });
  return { owner, agent, mandateId, mandate };
}

export const freshAddress = (): Address => toAddress(`0x${randomBytes(20).toString("hex")}`);

export const RESOURCE = "https://api.example.com/weather?city=Bern";

/** A body for x402V3Payment that a mandate for any host allows. */
export const v3 = (mandateId: string, change: object = {}) => ({
  mandateId,
  amount: "10000",
  payTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  resource: RESOURCE,
  ...change,
});

export const pay = (agent: TestAgent, mandateId: string, change: object = {}) =>
  call("POST", "/api/payment/x402V3Payment", { bearer: agent.jwt, json: v3(mandateId, change) });

/**
 * What a refused payment leaves as it is: the mandates of a mandate's owner, and what is reserved in their wallets. Without the
 * mandates' amounts, because the jobs take off what has expired; the invariants compare those with the reservations.
 */
export async function booksOf(sql: postgres.Sql, mandateId: string) {
  const owner = sql`(select owner_id from mandates where id = ${mandateId})`;
  return [
    [...(await sql`select id, revision from mandates where owner_id = ${owner} order by id`)],
    [
      ...(await sql`select r.id, p.id as payment_id from reservations r left join payments p on p.reservation_id = r.id
        where r.wallet_id in (select id from wallets where owner_id = ${owner}) order by r.id`),
    ],
  ];
}
