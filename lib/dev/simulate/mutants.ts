/** One place of a source: the text that stands there once, and what is put there. `$M` is true while the mutant is on. */
export type Patch = { file: string; find: string; put: string };
export type Mutant = { name: string; patches: readonly Patch[] };

const OBSERVER = "lib/settlements/observer.ts";
const RELAYER = "lib/settlements/relayer.ts";
const PAID = "lib/http/paid.ts";
const LINKS = "lib/links/service.ts";

/** An expression that is another one in the mutant. */
const instead = (file: string, find: string, other: string): Patch => ({
  file,
  find,
  put: `($M ? ${other} : ${find})`,
});

/** A condition that is asked only without the mutant. */
const unasked = (file: string, find: string): Patch => ({
  file,
  find,
  put: find.replace(/^if \((.*?)\) (throw|return|await|\{)/, "if (!$M && ($1)) $2"),
});

/** Guards that the simulation has to miss when they are gone: it proves nothing otherwise. */
export const MUTANTS: readonly Mutant[] = [
  // What the observer reads
  {
    name: "any transfer with the nonce pays",
    patches: [instead(OBSERVER, "fact.to !== row.payee || fact.value !== row.amount", "false")],
  },
  { name: "replaced blocks are not seen", patches: [instead(OBSERVER, "same.hash !== cursor.blockHash", "false")] },
  {
    name: "what replaced blocks had settled stays settled",
    patches: [instead(OBSERVER, "await endings.reopen(tx, network, first)", "[]")],
  },
  {
    name: "postings of replaced blocks stay",
    patches: [instead(OBSERVER, "await store.reverse(tx, network, first, at)", "undefined")],
  },
  {
    name: "budgets of replaced blocks stay",
    patches: [instead(OBSERVER, "await subscriber.unwound(tx, network, first, at)", "undefined")],
  },
  {
    name: "a block is passed over",
    patches: [
      instead(
        OBSERVER,
        "cursor.blockNumber + 1n",
        "cursor.blockNumber + (head.number > cursor.blockNumber + 1n ? 2n : 1n)",
      ),
    ],
  },
  {
    name: "transfers are not posted",
    patches: [instead(OBSERVER, "await store.post(tx, transfers, at)", "undefined")],
  },
  {
    name: "what was given up and is paid stays given up",
    patches: [
      instead(OBSERVER, '!fact || row.state === "settled"', '!fact || row.state === "settled" || !isOpen(row)'),
    ],
  },
  // What ends an authorization
  {
    name: "one block is deep enough",
    patches: [instead("lib/settlements/jobs.ts", "BigInt(system.config.confirmations - 1)", "0n")],
  },
  {
    name: "void long before it expires",
    patches: [
      instead(
        "lib/settlements/voiding.ts",
        "Math.floor(deep.time.getTime() / 1000)",
        "Math.floor(deep.time.getTime() / 1000) + 3_600",
      ),
    ],
  },
  // What is held meanwhile
  {
    name: "uses are free once given up",
    patches: [
      {
        file: "lib/links/store.ts",
        find: "const UNENDED = sql`('claimed', 'prepared', 'broadcast', 'declined')`",
        put: "const UNENDED = $M ? sql`('claimed', 'prepared', 'broadcast')` : sql`('claimed', 'prepared', 'broadcast', 'declined')`",
      },
    ],
  },
  { name: "a link is sold however often", patches: [unasked(LINKS, "if (why) throw linkErrors[why]();")] },
  {
    name: "uses are counted without a lock",
    patches: [instead(LINKS, "await store.lock(tx, subject as LinkId)", "await store.find(tx, subject as LinkId)")],
  },
  {
    name: "a refund that was given up is free",
    patches: [
      {
        file: "lib/refunds/store.ts",
        find: 'const isAlive = ne(transfers.state, "void")',
        put: 'const isAlive = $M ? eq(transfers.state, "settled") : ne(transfers.state, "void")',
      },
    ],
  },
  // What the parties are told
  {
    name: "given up is told as void",
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
  // What the door keeps out
  {
    name: "signatures are not looked at",
    patches: [unasked(PAID, "if (!(await isSignedByPayer(ctx, { ...proof, network }))) {")],
  },
  {
    name: "less than the price is enough",
    patches: [unasked("lib/x402/proof.ts", 'if (a.value !== requirement.amount) return "PAYMENT_INSUFFICIENT"')],
  },
  {
    name: "a proof is claimed twice",
    patches: [unasked("lib/settlements/service.ts", "if (taken) throw new Taken(")],
  },
  // How the relayer goes on
  {
    name: "what a transaction did not move is forgotten",
    patches: [unasked(RELAYER, "if (again.length > 0) await store.requeue(")],
  },
  {
    name: "a transaction is sent once",
    patches: [
      instead(RELAYER, "await isPassedOver(job, latest)", "false"),
      instead(RELAYER, "age > RESEND_SECONDS * 1000", "false"),
    ],
  },
  {
    name: "logs that a node kept back stay unknown",
    patches: [{ file: RELAYER, find: ".filter(isShown)", put: ".filter((row) => !$M && isShown(row))" }],
  },
  {
    name: "nonces are not counted",
    patches: [instead("lib/settlements/relayer-store.ts", "nextNonce: key.nonce + 1", "nextNonce: key.nonce")],
  },
  {
    name: "a group moves in parts",
    patches: [
      {
        file: "lib/settlements/groups.ts",
        find: "isAllOrNothing: true, holds",
        put: "isAllOrNothing: !$M, holds",
      },
    ],
  },
];
