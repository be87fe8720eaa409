import { z } from "zod";
import type { Answer } from "../actors/api";
import { type Facts, keyName } from "./chain";
import { hasMoved, type Row } from "./facts";
import { type Memory, type Move, saidIn } from "./memory";

export type RefundMemory = Memory["refunds"][number];

const approveAnswer = z.object({ refund: z.object({ status: z.string() }) });
const refundAnswer = z.object({ status: z.string() });

/** Checks the responses about a deposit or withdrawal against the chain. `ended`: the response at the end. */
export function judgeMove({ kind, reply }: Move, row: Row | undefined, facts: Facts, memory: Memory, ended?: Answer) {
  if (!reply) return [];
  const { failureCode, stillValidUntil, code } = saidIn(reply);
  const name = `a ${kind} was answered ${reply.status} ${code ?? ""} ${failureCode ?? ""}`.trim();
  const isSilent = reply.status >= 500 && reply.status !== 503 && code !== "settlement_failed";
  if (isSilent) return [`${name} ${reply.text.slice(0, 120)}, an undocumented response`];
  if (!row) return reply.status < 300 ? [`${name}, and there is no such settlement`] : [];
  const { moved, wasUndone } = truthOf(row, facts, memory);
  const lies: string[] = [];
  if (reply.status === 200 && !moved && !wasUndone) lies.push(`${name}, and the chain shows no such transfer`);
  if (code === "settlement_failed" && stillValidUntil === undefined && moved)
    lies.push(`${name}: reported as void, and the chain has moved it`);
  const status = ended && saidIn(ended).settlementStatus;
  if (ended && status !== (moved ? "settled" : "failed"))
    lies.push(`${name}, says ${status ?? ended.status} after everything has ended, and the chain ${showing(moved)}`);
  return lies;
}

/** Checks the responses about an approved refund, which may have been approved twice. */
export function judgeRefund(
  { replies }: RefundMemory,
  rows: readonly Row[],
  facts: Facts,
  memory: Memory,
  ended: Answer,
) {
  const truths = rows.map((row) => truthOf(row, facts, memory));
  const moved = truths.filter((truth) => truth.moved).length;
  const wasUndone = truths.some((truth) => truth.wasUndone);
  const name = `the refund ${rows[0]?.subject ?? ""}`.trim();
  const lies: string[] = [];
  if (moved > 1) lies.push(`${name} was paid ${moved} times`);
  for (const response of replies) {
    if (!response) continue;
    const said = approveAnswer.safeParse(response.body).data?.refund.status;
    if (said === "settled" && moved === 0 && !wasUndone)
      lies.push(`${name} was reported as settled, and the chain shows no such transfer`);
    if (said === "failed" && moved > 0) lies.push(`${name} was reported as failed, and the chain has moved it`);
    if (response.status >= 500 && response.status !== 503)
      lies.push(`${name} was answered ${response.status} ${response.text.slice(0, 120)}, an undocumented response`);
  }
  const last = refundAnswer.safeParse(ended.body).data;
  const expected = moved > 0 ? "settled" : rows.length > 0 ? "failed" : "pending";
  if (last?.status !== expected)
    lies.push(
      `${name} says ${last?.status ?? ended.status} after everything has ended, and the chain ${showing(moved > 0)}`,
    );
  return lies;
}

const showing = (moved: boolean) => (moved ? "has moved it" : "shows no such transfer");

function truthOf(row: Row, { byKey }: Facts, { undone }: Memory) {
  const key = keyName(row.payer, row.nonce);
  return { moved: hasMoved(byKey.get(key), row.payee, BigInt(row.amount)), wasUndone: undone.has(key) };
}
