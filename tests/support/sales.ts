import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import type { Address } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import type { SettlementState } from "@/lib/settlements/tables";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { freshAddress, randomNonce } from "./system";

export type Sold = {
  agentId: string;
  at?: Date;
  amount?: bigint;
  network?: NetworkName;
  state?: SettlementState;
  payer?: Address;
  linkId?: string;
  description?: string;
  content?: string;
};

/** 2100-01-01: so late that no job ends an open settlement of a test. */
export const VALID_BEFORE = "4102444800";

/** Inserts the rows of a sale, with any time and state. Returns the ids of its settlement and its payment. */
export async function sold(sql: postgres.Sql, sale: Sold) {
  const { agentId, at = new Date(), amount = 1_000_000n, network = "base", state = "settled", linkId = null } = sale;
  const { payer = freshAddress(), description = "", content = null } = sale;
  const settlementId = newId("settlement");
  const isSettled = state === "settled";
  const isUnmoved = state === "void" || state === "declined";
  const ended = isSettled || state === "void";
  const txHash = isSettled ? `0x${randomBytes(32).toString("hex")}` : null;
  await sql`insert into settlements (id, network, asset, payer, nonce, payee, amount, valid_after, valid_before, signature,
      purpose, subject, agent_id, resource, description, state, relayer_nonce, claimed_at_block, failure_code, tx_hash,
      block_number, created_at, declined_at, ended_at)
    values (${settlementId}, ${network}, ${NETWORKS[network].usdc}, ${payer}, ${randomNonce()}, ${freshAddress()},
      ${amount.toString()}, 0, ${VALID_BEFORE}, '0x', ${linkId ? "link" : "upl"}, ${linkId ?? agentId}, ${agentId}, '', ${description},
      ${state}, ${state === "broadcast" ? 1 : null}, 0, ${isUnmoved ? "INSUFFICIENT_FUNDS" : null}, ${txHash},
      ${ended ? 1 : null}, ${at}, ${isUnmoved ? at : null}, ${ended ? at : null})`;
  const [row] =
    await sql`insert into received_payments (settlement_id, agent_id, owner_id, source, link_id, content, created_at)
    select ${settlementId}, id, owner_id, ${linkId ? "payment_link" : "upl"}, ${linkId}, ${content}, ${at}
    from agents where id = ${agentId} returning id`;
  return { id: Number(row?.id), settlementId, payer, txHash };
}
