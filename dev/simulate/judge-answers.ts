import type { Facts } from "./chain";
import { hasMoved, type Row } from "./facts";
import { type Memory, type Proof, type Reply, type Said, saidIn } from "./memory";

/** Statuses which mean that no payment was taken. */
const REFUSING = new Set([400, 402, 404, 410]);

/** Checks every response to a payer against the final state of the chain. */
export function judgeAnswer(proof: Proof, { byKey }: Facts, row: Row | undefined, memory: Memory): string[] {
  const fact = byKey.get(proof.key);
  const moved = hasMoved(fact, proof.payTo, proof.authorization.value);
  const name = `${proof.act} (${proof.key.slice(0, 42)})`;
  const lies = proof.replies.flatMap((reply) => {
    const lie =
      reply.answer &&
      lieIn(proof, reply, { moved, isUsed: fact?.end === "used", wasUndone: memory.undone.has(proof.key) });
    return lie ? [`${name} ${lie}`] : [];
  });
  return [
    ...lies,
    ...refusedAndTaken(proof, name, row),
    ...unclaimable(proof, name, row),
    ...unserved(proof, name, row, memory),
  ];
}

/** Proofs that admission must reject: a claim would reserve something scarce and could never be paid. */
const KEPT_OUT: Record<string, string> = {
  empty_wallet: "never had any money",
  long_validity: "is valid for hours",
  underpay: "is for less than the price",
  precompile: "has no signer",
  undeployed_spender: "was used by the deployment of its wallet",
  undeployed_canceller: "had no money, and was cancelled by the deployment of its wallet",
};

const unclaimable = ({ act }: Proof, name: string, row: Row | undefined): string[] =>
  row && KEPT_OUT[act] ? [`${name} ${KEPT_OUT[act]}, and was claimed: ${row.state}`] : [];

type Truth = {
  /** By this transfer or another one signed with the same nonce. */
  moved: boolean;
  isUsed: boolean;
  wasUndone: boolean;
};

function lieIn(
  { act, authorization, url }: Proof,
  { answer, by }: Reply,
  { moved, isUsed, wasUndone }: Truth,
): string | null {
  if (!answer) return null;
  const said = saidIn(answer);
  const quoted =
    `was answered ${answer.status} ${said.code ?? said.settlementStatus ?? ""} ${said.failureCode ?? ""}`.trim();
  if (by === "looked up") return lookedUp(said, answer.status, moved, quoted);
  switch (answer.status) {
    case 200:
      // A replaced block reverts a sale; from then on the service reports it as reverted.
      return moved || wasUndone ? null : `${quoted}, and the chain shows no such transfer`;
    case 202:
    case 503:
      return null;
    case 402:
      return said.code === "PAYMENT_EXPIRED" && moved ? `${quoted}, and the chain has moved it` : null;
    case 400:
    case 404:
    case 410:
    case 429:
      return null;
    case 409:
      if (said.settlementStatus === "settled" && !isUsed && !wasUndone) return `${quoted}, and it has not paid ${url}`;
      // For two transfers with one nonce, the response may name the settlement of the other one.
      if (said.settlementStatus === "failed" && moved && act !== "double_nonce")
        return `${quoted}, and the chain has moved it`;
      return null;
    case 500:
      if (act === "precompile") return `${quoted}: reported as payable, and it has no signer`;
      return failure(said, BigInt(authorization.validBefore), moved, quoted);
    default:
      return `${quoted}, an undocumented response`;
  }
}

function failure(said: Said, validBefore: bigint, moved: boolean, quoted: string): string | null {
  if (said.code !== "SETTLEMENT_FAILED") return `${quoted}, an undocumented response`;
  if (said.stillValidUntil === undefined)
    return moved ? `${quoted}: "no money moved", and the chain has moved it` : null;
  const until = new Date(Number(validBefore) * 1000).getTime();
  return new Date(said.stillValidUntil).getTime() === until
    ? null
    : `${quoted}, still valid until ${said.stillValidUntil}, which is not its validBefore`;
}

function lookedUp({ settlementStatus }: Said, status: number, moved: boolean, quoted: string): string | null {
  if (status === 404) return moved ? `looked it up, ${quoted}, and the chain has moved it` : null;
  if (settlementStatus === "settled")
    return moved ? null : `looked it up, ${quoted}, and the chain shows no such transfer`;
  if (settlementStatus === "failed") return null;
  return `looked it up after everything had ended, and ${quoted}`;
}

/** A payer whose proof was always rejected must not have paid through the service. */
function refusedAndTaken({ replies }: Proof, name: string, row: Row | undefined): string[] {
  const responses = replies.filter(({ by }) => by === "presented");
  const isRefused =
    responses.length > 0 && responses.every(({ answer }) => answer !== null && REFUSING.has(answer.status));
  // A seller may have settled the proof with the facilitator.
  const isTaken = row?.state === "settled" && row.purpose !== "facilitator";
  return isRefused && isTaken ? [`${name} was refused each time, and was settled`] : [];
}

/** An honest payer must be served once the service has accepted the proof. */
function unserved({ isHonest, replies }: Proof, name: string, row: Row | undefined, { counts }: Memory): string[] {
  // If the node reports too little money, admission and relayer have to believe it.
  const isNodeToBlame = counts.has("node submitsShown changed an answer");
  if (!isHonest || (isNodeToBlame && row?.failure_code === "INSUFFICIENT_FUNDS")) return [];
  if (row && row.state !== "settled")
    return [`${name}, honest and with money, was not served: ${row.state} ${row.failure_code ?? ""}`];
  const failed = replies.find(({ answer }) => answer?.status === 500);
  return failed && !row && !isNodeToBlame
    ? [`${name}, honest and with money, was refused: ${failed.answer?.text.slice(0, 160)}`]
    : [];
}
