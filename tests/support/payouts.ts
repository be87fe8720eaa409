import { expect } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import type { NetworkName } from "@/lib/x402/networks";
import type { TestAgent, TestOwner } from "./actors";
import { confirmedCall } from "./confirmations";
import { type Answer, call } from "./http";
import { freshAddress, type Json } from "./mandates";
import { until } from "./replica";
import type { World } from "./world";

/** An address in whose EIP-55 checksum one letter has the wrong case. */
export const WRONG_CHECKSUM = "0x70997970c51812dc3A010C7d01b50e0d17dc79C8";

export const payout = (change: object = {}) => ({ toAddress: freshAddress(), amount: "10000", ...change });

export const body = (response: Answer) => response.body as Json;
export const outcome = (response: Answer) => [response.status, body(response).code ?? body(response).status];

export const requestPayout = ({ jwt }: TestAgent, json: object) => call("POST", "/api/payouts", { bearer: jwt, json });
export const readPayout = ({ jwt }: TestAgent, payoutId: string) =>
  call("GET", `/api/payouts/${payoutId}`, { bearer: jwt });
export const cancel = ({ jwt }: TestAgent, payoutId: string) =>
  call("POST", `/api/payouts/${payoutId}/cancel`, { bearer: jwt });
export const checkAddresses = ({ session }: TestOwner, addresses: unknown) =>
  call("POST", "/api/wallet/addresses/weigh", { session, json: { addresses } });
export const createPayout = (owner: TestOwner, json: object) => confirmedCall(owner, "/api/wallet/payouts", json);

/** An owner's action on a payout, by its record id. */
export const decide = (
  owner: TestOwner,
  id: string,
  verb: "claim" | "approve" | "deny" | "cancel",
  json: object = {},
) => confirmedCall(owner, `/api/wallet/payouts/${id}/${verb}`, json);

/** A payout that waits for its owner's approval. */
export async function requestedPayout(agent: TestAgent, change: object = {}) {
  const json = payout(change);
  const response = await requestPayout(agent, json);
  expect(outcome(response)).toEqual([201, "pending_authorization"]);
  const { payoutId, payoutRecordId: id, approvalUrl } = body(response);
  const token = new URL(approvalUrl).searchParams.get("token") ?? "";
  return { json, payoutId, id, approvalUrl, token };
}

/** Waits for the end of an agent's payout and returns it. */
export async function ended(agent: TestAgent, payoutId: string): Promise<Json> {
  const read = async () => body(await readPayout(agent, payoutId));
  await until(async () => ["succeeded", "failed"].includes((await read()).status), "the payout to end");
  return read();
}

/** The same, read by its owner. */
export async function endedOwned({ session }: TestOwner, id: string): Promise<Json> {
  const read = async () => body(await call("GET", `/api/wallet/payouts/${id}`, { session })).payout;
  await until(async () => ["succeeded", "failed"].includes((await read()).status), "the payout to end");
  return read();
}

export async function walletOf({ session }: TestOwner, network: NetworkName = "base"): Promise<Address> {
  const { wallets } = body(await call("GET", "/api/wallet", { session }));
  return toAddress(wallets.find((wallet: Json) => wallet.network === network).address);
}

/** The owner's spending wallet on Base, with money in it. */
export async function funded(world: World, owner: TestOwner, atomic = 1_000_000n): Promise<Address> {
  const wallet = await walletOf(owner);
  await world.mint(wallet, atomic);
  return wallet;
}
