import { instead, insteadInSql, type Mutant, unasked } from "./patches";
import type { Act } from "./schedule";

/** Acts after which the service may have declined a payment that can still be made. */
const GIVEN_UP: readonly Act[] = ["drain", "overdraw", "turncoat", "submit_shown"];

const OBSERVER = "lib/settlements/observer/observer.ts";
const DEPLOYMENT = "lib/settlements/deployment.ts";
const SEARCH = "lib/settlements/observer/search.ts";
const RELAYER = "lib/settlements/relayer/relayer.ts";
const PAID = "lib/checkout/sell-offer.ts";
const FACILITATOR = "lib/facilitator/service.ts";
const LINKS = "lib/links/checkout/service.ts";
const PASSES = "lib/links/passes/store.ts";

/** Guards removed from the code, which the simulation must detect; otherwise it proves nothing. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "any transfer with the nonce pays",
    shownBy: [["double_nonce"]],
    patches: [instead(OBSERVER, "fact.to !== row.payee || fact.value !== row.amount", "false")],
  },
  {
    name: "replaced blocks are not detected",
    shownBy: [["reorganise", "front_run_undone"]],
    patches: [instead(OBSERVER, "same.hash !== cursor.blockHash", "false")],
  },
  {
    name: "settlements of replaced blocks stay settled",
    shownBy: [["reorganise", "front_run_undone"]],
    patches: [instead(OBSERVER, "await endings.reopen(tx, network, first)", "[]")],
  },
  {
    name: "postings of replaced blocks stay",
    shownBy: [["reorganise"]],
    patches: [instead(OBSERVER, "await store.reverse(tx, network, first, time)", "undefined")],
  },
  {
    name: "budgets of replaced blocks stay",
    shownBy: [["abroad_undone"]],
    patches: [instead(OBSERVER, "await subscriber.unwound?.(tx, network, first, time)", "undefined")],
  },
  {
    name: "transfers are not posted",
    patches: [instead(OBSERVER, "await store.post(tx, transfers, time)", "undefined")],
  },
  {
    name: "a declined settlement that is paid stays declined",
    shownBy: [GIVEN_UP],
    patches: [
      instead(OBSERVER, '!fact || row.state === "settled"', '!fact || row.state === "settled" || !isOpen(row)'),
    ],
  },
  {
    name: "one block is deep enough",
    shownBy: [["cancel_undone"]],
    patches: [instead("lib/settlements/jobs.ts", "BigInt(system.config.confirmations - 1)", "0n")],
  },
  {
    name: "void long before it expires",
    patches: [
      instead(
        "lib/settlements/observer/voiding.ts",
        "Math.floor(deep.time.getTime() / 1000)",
        "Math.floor(deep.time.getTime() / 1000) + 3_600",
      ),
    ],
  },
  {
    name: "declined payments release their uses",
    shownBy: [["resell"]],
    patches: [
      {
        file: "lib/links/store.ts",
        find: "in ${UNENDED_LIST})`",
        put: "in ${$M ? sql`('claimed', 'prepared', 'broadcast')` : UNENDED_LIST})`",
      },
    ],
  },
  {
    name: "a link ignores its payment limit",
    shownBy: [["rush"]],
    patches: [unasked(LINKS, "if (closed) throw closed;")],
  },
  {
    name: "uses are counted without a lock",
    shownBy: [["rush"]],
    patches: [instead(LINKS, "await store.lockForPayment(tx, linkId)", "await store.find(tx, linkId)")],
  },
  {
    name: "a refund does not wait until its payment is final",
    shownBy: [["refund_undone"]],
    patches: [unasked("lib/refunds/service.ts", "if (!(await settlements.isFinal(ctx, payment))) throw")],
  },
  {
    name: "a declined refund releases its amount",
    shownBy: [["refund_shown"]],
    patches: [
      {
        file: "lib/refunds/store.ts",
        find: 'const isAlive = ne(transfers.state, "void")',
        put: 'const isAlive = $M ? eq(transfers.state, "settled") : ne(transfers.state, "void")',
      },
    ],
  },
  {
    name: "a vault pays more than it has",
    shownBy: [["vault_overdraw"]],
    patches: [
      instead(
        "lib/mandates/vaults/payer.ts",
        "store.covers(payment.value, releasedBy(terms, clock.earliest), clock.earliest)",
        "store.covers(ZERO, releasedBy(terms, clock.earliest), clock.earliest)",
      ),
    ],
  },
  {
    name: "two calls at once on a pass are counted as one",
    shownBy: [["pass_rush", "pass_killed"]],
    patches: [
      insteadInSql(
        PASSES,
        "set units_taken = fit.before +",
        "set units_taken = (select q.units_taken from passes q where q.settlement_id = p.settlement_id) +",
      ),
    ],
  },
  {
    name: "all failed calls come back to their pass",
    shownBy: [["pass_worn"]],
    patches: [insteadInSql(PASSES, "case when p.units is null then", "case when true then")],
  },
  {
    name: "a refund does not end its pass",
    shownBy: [["pass_refund"]],
    patches: [instead("lib/refunds/service.ts", "await passes.endByRefund(tx, paymentId, settlementId)", "undefined")],
  },
  {
    name: "a proof brings its answer at another path",
    shownBy: [["call_elsewhere"]],
    patches: [
      instead(
        "lib/links/upstream/service.ts",
        "call?.linkId === linkId && call.fingerprint === fingerprintOf(request)",
        "true",
      ),
    ],
  },
  {
    name: "payments are not counted by the owner's caps",
    shownBy: [["cap_rush"]],
    patches: [instead("lib/mandates/caps/store.ts", "caps.length === 0", "true")],
  },
  {
    name: "the owner's caps are compared without a lock",
    shownBy: [["cap_rush"]],
    patches: [instead("lib/mandates/caps/store.ts", "isApproved ? APPROVED : FITS", '"true"')],
  },
  {
    name: "an authorization that its own deployment spends is admitted",
    shownBy: [["undeployed_harm"]],
    patches: [instead(DEPLOYMENT, "isSpent(bare)", "true")],
  },
  {
    name: "a wallet that somebody deployed first does not pay",
    shownBy: [["undeployed_buy"]],
    patches: [
      instead(DEPLOYMENT, "{ allowFailure: true }", "{ allowFailure: false }"),
      instead("lib/settlements/relayer/relayer.ts", "factory === null ? 1 : 2", "factory === null ? 1 : 1"),
    ],
  },
  {
    name: "the wallet of a payer is not deployed",
    shownBy: [["undeployed_buy"]],
    patches: [
      instead(
        DEPLOYMENT,
        'kind === "undeployed" && deployment ? afterDeployment(deployment, transfer) : transfer',
        "transfer",
      ),
    ],
  },
  {
    name: "the money of a revoked vault stays there",
    shownBy: [["vault_revoke"]],
    patches: [
      {
        file: "lib/mandates/vaults/rules.ts",
        find: 'const goesHome = next.state === "closing"',
        put: 'const goesHome = (next.state === "closing" && !$M)',
      },
    ],
  },
  {
    name: "an owner's own revocation is not read",
    shownBy: [["vault_exit"]],
    patches: [
      instead(
        "lib/mandates/vaults/rules.ts",
        "reading.isRevoked || block.seconds >= vault.terms.end",
        "block.seconds >= vault.terms.end",
      ),
    ],
  },
  {
    name: "a refund to a closed vault is not seen",
    shownBy: [["vault_refund"]],
    patches: [instead("lib/mandates/vaults/store.ts", "gt(vaults.closedAt, closed)", "sql`false`")],
  },
  {
    name: "what went home is not counted",
    shownBy: [["vault_refund"]],
    patches: [
      instead(
        "lib/mandates/vaults/reading.ts",
        "await store.addReturns(tx, returnsIn(logs, watched, network))",
        "undefined",
      ),
    ],
  },
  {
    name: "what needs a signature is done without one",
    shownBy: [["session_thief"]],
    patches: [
      {
        file: "lib/confirmations/service.ts",
        find: 'if (signature === undefined) throw await challenge(ctx, action, "none");',
        put: 'if ($M) return act(async () => {});\n  if (signature === undefined) throw await challenge(ctx, action, "none");',
      },
    ],
  },
  {
    name: "an agent that a session added is approved",
    shownBy: [["session_thief"]],
    patches: [
      unasked(
        "lib/approvals/approve.ts",
        'if (!isSigned && (await mandates.listSignedFor(tx, ownerId, [agentId])).length === 0) return "needs_signature";',
      ),
    ],
  },
  {
    name: "a declined payment is reported as void",
    shownBy: [GIVEN_UP],
    patches: [
      instead(PAID, "{ ...settlement, settlementId, ...stillValid(settlement) }", "{ ...settlement, settlementId }"),
    ],
  },
  {
    name: "delivered while pending",
    patches: [
      unasked(PAID, "if (isOpen(settlement)) return pending("),
      unasked(PAID, 'if (settlement.state !== "settled") return notSettled('),
    ],
  },
  {
    name: "every key gets the answer that it was paid",
    shownBy: [["settle_race"]],
    patches: [instead(FACILITATOR, "payment?.keyId === ctx.actor.keyId", "true")],
  },
  {
    name: "a declined payment is final for its seller",
    shownBy: [["settle_drained"]],
    patches: [
      {
        file: FACILITATOR,
        find: 'if (state === "void") {',
        put: 'if (state === "void" || ($M && state === "declined")) {',
      },
    ],
  },
  {
    name: "a proof that has paid stays valid",
    shownBy: [["settle", "settle_again"]],
    patches: [instead(FACILITATOR, "admitted.isAnswered", "false")],
  },
  {
    name: "a nonce names a payment",
    shownBy: [["settle_conflict"]],
    patches: [instead("lib/settlements/earlier.ts", "isSameProof(settlement, signed)", "true")],
  },
  {
    name: "admission skips the simulation",
    shownBy: [["empty_wallet"]],
    patches: [
      {
        file: "lib/settlements/admission.ts",
        find: 'if (outcome.type === "accepted") return {',
        put: 'if ($M || outcome.type === "accepted") return {',
      },
    ],
  },
  {
    name: "signatures are not verified",
    shownBy: [["precompile"]],
    patches: [unasked("lib/settlements/admission.ts", "if (!(await isSignedByPayer(system, signed))) {")],
  },
  {
    name: "less than the price is enough",
    shownBy: [["underpay"]],
    patches: [unasked("lib/x402/proof.ts", 'if (a.value !== requirement.amount) return "PAYMENT_INSUFFICIENT"')],
  },
  {
    name: "a proof is claimed twice",
    shownBy: [["buy_twice", "present_again"]],
    patches: [unasked("lib/settlements/service.ts", 'if (!settlement) return { type: "failed"')],
  },
  {
    name: "a transaction is sent once",
    shownBy: [["drop_pool", "forget"]],
    patches: [
      instead(RELAYER, "await isPassedOver(job, current)", "false"),
      instead(RELAYER, "age > RESEND_SECONDS * 1000", "false"),
    ],
  },
  {
    name: "logs that a node withheld stay unknown",
    shownBy: [["hide_logs"]],
    patches: [{ file: RELAYER, find: ".filter(isShown)", put: ".filter((row) => !$M && isShown(row))" }],
  },
  {
    name: "a use whose log no node shows was before the claim",
    shownBy: [["front_run_hidden"]],
    patches: [instead(SEARCH, "(await chain.wasUsed(row, row.claimedAtBlock)) === true", "true")],
  },
  {
    name: "nonces are not counted",
    patches: [
      {
        file: "lib/settlements/relayer/store.ts",
        find: "nextNonce: key.nonce + 1",
        put: "nextNonce: key.nonce + ($M ? 0 : 1)",
      },
    ],
  },
  {
    name: "a group moves in parts",
    shownBy: [["starved_payout"]],
    patches: [
      {
        file: "lib/settlements/relayer/groups.ts",
        find: "isAllOrNothing: true",
        put: "isAllOrNothing: !$M",
      },
    ],
  },
];
