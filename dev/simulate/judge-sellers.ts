import type { Fact, Facts } from "./chain";
import { isFinal, lastSettles, outcomeIn, validityIn } from "./facilitator";
import { hasMoved, type Row } from "./facts";
import type { Memory, Proof, SellerReply } from "./memory";

type Truth = { fact: Fact | undefined; moved: boolean; wasUndone: boolean; row: Row | undefined };

/** Checks every facilitator response to a seller against the final state of the chain. */
export function judgeSellers(proof: Proof, { byKey }: Facts, row: Row | undefined, memory: Memory): string[] {
  const fact = byKey.get(proof.key);
  const moved = hasMoved(fact, proof.payTo, proof.authorization.value);
  const truth = { fact, moved, wasUndone: memory.undone.has(proof.key), row };
  const name = `${proof.act} (${proof.key.slice(0, 42)}), settled by an outside seller,`;
  return [
    ...proof.settles.flatMap((reply) => lieIn(reply, truth, proof)),
    ...proof.verifies.flatMap(wronglyVerified),
    ...soldTwice(proof),
    ...lastSettles(proof).flatMap((reply) => ended(reply, truth, proof)),
    ...refusedAndTaken(proof, row),
    ...unserved(proof, row, memory),
  ].map((lie) => `${name} ${lie}`);
}

const isOf = (row: Row | undefined, { key }: SellerReply) => row?.purpose === "facilitator" && row.subject === key.id;

/** Whether a request with the same key got, or may have got, the response that it is paid. Concurrent requests are then duplicates. */
const wasTold = ({ settles }: Proof, { key }: SellerReply): boolean =>
  settles.some(
    (otherSellerReply) =>
      otherSellerReply.key.id === key.id &&
      (outcomeIn(otherSellerReply)?.success || outcomeIn(otherSellerReply) === null),
  );

function lieIn(reply: SellerReply, { fact, moved, wasUndone, row }: Truth, proof: Proof): string[] {
  const { answer } = reply;
  // The connection broke, the service was disturbed, or a limit applied: the seller knows nothing, or that nothing was done.
  if (!answer || answer.status === 503 || answer.status === 429) return [];
  const outcome = outcomeIn(reply);
  if (!outcome) return [`was answered ${answer.status} ${answer.text.slice(0, 120)}, an undocumented response`];
  const { success, errorReason, transaction, extra } = outcome;
  if (success) {
    // A replaced block reverts a sale; the transfer may then be in another transaction.
    if (wasUndone) return [];
    if (!moved) return ["was reported as paid, and the chain shows no such transfer"];
    if (transaction !== fact?.txHash) return [`was reported as paid by ${transaction}, and ${fact?.txHash} paid it`];
    return isOf(row, reply) ? [] : ["was reported as paid, and its settlement belongs to another key"];
  }
  if (errorReason === "settlement_pending") return [];
  if (errorReason === "duplicate_settlement")
    return isOf(row, reply) && row?.state === "settled" && !wasUndone && !wasTold(proof, reply)
      ? ["was reported as a duplicate to the key that has settled it, and paid to none of its requests"]
      : [];
  return extra && moved ? [`was reported as void (${errorReason}), and the chain has moved it`] : [];
}

/** After a seller got the response that a proof is paid, the same proof must not verify for another purchase. */
const wronglyVerified = (reply: Proof["verifies"][number]): string[] =>
  reply.wasPaid && validityIn(reply) ? ["was reported as paid, and then as valid"] : [];

/** An authorization pays for one purchase. */
function soldTwice({ settles, replies }: Proof): string[] {
  const paid = new Set(settles.filter((reply) => outcomeIn(reply)?.success).map(({ key }) => key.id)).size;
  const given = replies.some(({ by, answer }) => by === "presented" && answer?.status === 200) ? 1 : 0;
  return paid + given > 1 ? [`paid for ${paid + given} purchases`] : [];
}

/** At the end, every seller knows the outcome. */
function ended(reply: SellerReply, { moved, row }: Truth, proof: Proof): string[] {
  const outcome = outcomeIn(reply);
  if (outcome?.errorReason === "duplicate_settlement" && moved && wasTold(proof, reply)) return [];
  if (!isFinal(outcome)) return [`has no outcome after everything has ended: ${reply.answer?.text.slice(0, 160)}`];
  return isOf(row, reply) && outcome?.success !== moved && row?.failure_code !== "ALREADY_USED"
    ? [`says ${outcome?.errorReason ?? "paid"} after everything has ended, and the chain ${showing(moved)}`]
    : [];
}

const showing = (moved: boolean) => (moved ? "has moved it" : "shows no such transfer");

/** A seller whose requests were all refused before the claim must not have been paid by the service. */
function refusedAndTaken({ settles }: Proof, row: Row | undefined): string[] {
  const own = settles.filter((reply) => isOf(row, reply));
  const isRefused = own.every((reply) => isFinal(outcomeIn(reply)) && !outcomeIn(reply)?.extra);
  return own.length > 0 && isRefused && row?.state === "settled" ? ["was refused each time, and was settled"] : [];
}

/** An honest payer must not be refused. */
function unserved({ isHonest, settles, verifies }: Proof, row: Row | undefined, { counts }: Memory): string[] {
  // If the node reports too little money, admission has to believe it.
  if (!isHonest || row || counts.has("node submitsShown changed an answer")) return [];
  const refusal =
    settles.find((reply) => outcomeIn(reply)?.success === false && isFinal(outcomeIn(reply))) ??
    verifies.find((reply) => validityIn(reply) === false);
  return refusal ? [`honest and with money, was refused: ${refusal.answer?.text.slice(0, 160)}`] : [];
}
