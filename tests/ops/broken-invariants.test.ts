import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAYS, HOURS } from "@/lib/mandates/caps/rules";
import { openDatabase } from "@/lib/platform/db";
import { QUERIES, violations } from "@/ops/invariants";
import { createEverything } from "../support/everything";
import { runService } from "../support/service";

const service = runService();
let database: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  // One connection, so that the checks see the uncommitted changes of the transaction.
  database = openDatabase(service.world.databaseUrl, 1);
  await createEverything(service);
});

afterAll(() => database?.close());

/** The database's invariants that are violated after `statements`. */
async function brokenBy(statements: string): Promise<string[]> {
  const { db } = database;
  // Copied rows have invented authorizations.
  await db.execute(
    sql.raw(`begin; set local session_replication_role = replica; ${without("settlements", "settlements_sendable")}`),
  );
  try {
    await db.execute(sql.raw(statements));
    return (await violations({ ...service.opened.system, db }, [])).map(({ invariant }) => invariant);
  } finally {
    await db.execute(sql.raw("rollback"));
  }
}

/** Copies rows of a table, with other values in some columns. */
const copyRow = (table: string, where: string, change: object) =>
  `insert into ${table} overriding system value
   select (jsonb_populate_record(t, '${JSON.stringify(change)}')).* from ${table} t where ${where};`;
const without = (table: string, constraint: string) => `alter table ${table} drop constraint ${constraint};`;

const UNENDED = { state: "claimed", relayer_nonce: null, tx_hash: null, block_number: null, ended_at: null };
const DECLINED = { state: "declined", failure_code: "REVERTED" };
/** A copy of a settlement, still open. */
const waiting = (where: string, change: object = {}) =>
  copyRow("settlements", where, { id: "other", nonce: "0x1", group_id: null, ...UNENDED, ...change });
const postingsOf = (where: string) =>
  `(network, payer, nonce) in (select network, payer, nonce from settlements where ${where})`;

/** Paid from an address that is not an owner's wallet. */
const SALE = "purpose = 'upl' and payer not in (select address from wallets)";
const LEG = "purpose = 'payout' and id = group_id";
const SHARED = "id = (select mandate_id from payouts where mandate_id is not null)";
const OWN = "agent_id is null";
const AGENTS = "agent_id is not null";
const BUDGET = "mode = 'wallet' and replaced_by is null and id in (select mandate_id from payments)";
const SPENT = "transaction_id in (select id from credit_transactions where kind = 'spend')";
const OTHER_WALLET = { id: "other", address: "other", purpose: "other" };
const ALONE = "mandate_id is null";
/** A copy of a refund, of the same payment. */
const SECOND_REFUND = copyRow("refunds", "true", { refund_id: "second", id: 999, settlement_id: "other" });
const ofLegs = (where: string) => `(network, payer, nonce) in (select network, payer, nonce from settlements
  where purpose = 'payout' and ${where})`;
/** Makes the budgets of all mandates agree with their reservations. */
const SUMS = `update mandates set
  spent_amount = (select coalesce(sum(amount), 0) from reservations where mandate_id = mandates.id and state = 'committed'),
  pending_amount = (select coalesce(sum(amount), 0) from reservations where mandate_id = mandates.id and state = 'open'),
  day_amount = (select coalesce(sum(amount), 0) from reservations
    where mandate_id = mandates.id and state <> 'released' and charged_on = mandates.charged_on),
  month_amount = (select coalesce(sum(amount), 0) from reservations where mandate_id = mandates.id and state <> 'released'
    and date_trunc('month', charged_on) = date_trunc('month', mandates.charged_on));`;
/** With a cap for a day and a month, and two payments. */
const CAPPED = "max_amount_per_day is not null and replaced_by is not null";
const OPEN = "state = 'open', ended_at = null, block_number = null, tx_hash = null";
const RELEASED = "state = 'released', ended_at = now(), block_number = 1";
const BALANCES =
  "update credit_balances set balance = (select sum(amount) from credit_postings where account = 'owner:' || owner_id);";

/** Payouts before their transfers are claimed. */
const openLegs = (state: string, which: string) => `delete from ledger_entries where ${postingsOf(
  `purpose = 'payout' and ${which}`,
)};
  update settlements set state = '${state}', failure_code = 'REVERTED', block_number = null, ended_at = null
    where purpose = 'payout' and ${which};`;

/** A cap whose hours and days all began with these sums. */
const capOf = (hour: string, total: number, hours: number, days: number) => `insert into spending_caps
  (wallet_id, max_amount_per_24_hours, hour, total, hours, days)
  select wallet_id, 1, ${hour}, ${total}, array_fill(${hours}::numeric, array[${HOURS}]), array_fill(${days}::numeric, array[${DAYS}])
  from reservations where charged_hour is not null group by wallet_id limit 1;`;

/** For each invariant, changes that violate it and no other. */
const BREAKS: Record<string, Record<string, string>> = {
  "I1 the postings of a transaction sum to zero": {
    "another sum": "update ledger_entries set amount = amount - 1 where side = 'debit'",
    "one posting alone": copyRow("ledger_entries", `side = 'credit' and ${postingsOf(SALE)}`, {
      nonce: "0x1",
      amount: 0,
    }),
  },
  "I2 spent + pending never exceeds a mandate's limit": {
    "a lower limit": `${without("mandates", "mandates_within_limit")}
      update mandates set limit_amount = spent_amount + pending_amount - 1 where ${BUDGET}`,
    "less than nothing": `${without("mandates", "mandates_within_limit")}
      update mandates set pending_amount = -1 where ${BUDGET};
      update reservations set amount = -1 where state = 'open' and mandate_id in (select id from mandates where ${BUDGET})`,
  },
  "I2 spent and pending equal the sums of the mandate's reservations": {
    "more spent": `update mandates set spent_amount = spent_amount + 1 where ${BUDGET}`,
    "more spent by payouts": `update mandates set spent_amount = spent_amount + 1 where ${SHARED}`,
    "more pending": `update mandates set pending_amount = pending_amount + 1 where ${BUDGET}`,
  },
  "I2 every reservation is one payment's, one leg's of a payout under the same mandate, or a purchase's of credits": {
    "without a payment or payout leg":
      copyRow("reservations", "id = (select min(id) from reservations)", { id: 999, nonce: "0x1" }) + SUMS,
    "of another mandate's payment": "update payments set mandate_id = 'other' where mandate_id is not null",
    "of another mandate's payout": `update reservations set mandate_id = null where ${ofLegs(AGENTS)}; ${SUMS}`,
    "none for a leg": `delete from reservations where ${ofLegs(AGENTS)}; ${SUMS}`,
    "another amount than its leg": `update reservations set amount = amount + 1 where ${ofLegs(AGENTS)}; ${SUMS}`,
    "another payee than its leg": `update reservations set payee = 'other' where ${ofLegs(AGENTS)}`,
    "another time than its leg": `update reservations set valid_before = 1 where ${ofLegs(AGENTS)}`,
  },
  "I3 an authorization is credited at most once": {
    "credited in two blocks": ["0x1", "0x2"]
      .map((block_hash) => copyRow("ledger_entries", postingsOf(SALE), { nonce: "0x1", block_hash }))
      .join(""),
    "taken back and never credited": `insert into ledger_entries select (jsonb_populate_record(l,
      jsonb_build_object('nonce', '0x1', 'kind', 'reversal', 'amount', -amount))).*
      from ledger_entries l where ${postingsOf(SALE)}`,
  },
  "I5 settled payments of a link never exceed its maxUses": {
    "fewer uses": `${without("payment_links", "payment_links_uses")} update payment_links set max_uses = 0 where invoice_id is null`,
  },
  "I5 every payment at a link or a UPL is received exactly once, by the agent and link it names": {
    "not received": `delete from received_payments where settlement_id in (select id from settlements where ${SALE})`,
    "received twice": without("received_payments", "received_payments_settlement_id_unique").concat(
      copyRow("received_payments", "link_id is not null", { id: 999 }),
    ),
    "received for something else": `update settlements set purpose = 'deposit' where ${SALE}`,
    "received by another agent": "update received_payments set agent_id = gen_random_uuid()",
    "received elsewhere": `${without("received_payments", "received_payments_source")}
      update received_payments set source = 'upl'`,
    "received at another link": "update received_payments set link_id = 'other' where link_id is not null",
  },
  "I9 refunds of a payment that are paid, or can still be, never exceed it": {
    "a second under way": waiting("purpose = 'refund'", { subject: "second" }) + SECOND_REFUND,
    "a second that was given up and can still be paid":
      waiting("purpose = 'refund'", { subject: "second", ...DECLINED }) + SECOND_REFUND,
  },
  "I9 every refund that is paid goes to the payer, in its amount, and belongs to one refund": {
    "no refund": waiting("purpose = 'refund'"),
    "another refund": "update settlements set subject = 'other' where purpose = 'refund'",
    "another amount": "update refunds set amount = amount - 1",
    "another payer": `update refunds set payment_id = (
      select r.id from received_payments r join settlements s on s.id = r.settlement_id where ${SALE})`,
    "another network": `update ledger_entries set network = 'base-sepolia' where ${postingsOf("purpose = 'link'")};
      update settlements set network = 'base-sepolia' where purpose = 'link'`,
    "not paid": `delete from ledger_entries where ${postingsOf("purpose = 'link'")};
      update settlements set state = 'claimed', ended_at = null where purpose = 'link'`,
  },
  "I6 a settlement is settled exactly when it is credited, to its payee and in full": {
    "not credited": `delete from ledger_entries where ${postingsOf(SALE)}`,
    "credited in part": `update ledger_entries set amount = amount / 2 where ${postingsOf(SALE)}`,
    "credited to another": `update ledger_entries set account = 'other' where side = 'credit' and ${postingsOf(SALE)}`,
    "credited and open": `update settlements set state = 'claimed', ended_at = null where ${SALE}`,
    "credited and void": `update settlements set state = 'void', failure_code = 'EXPIRED' where ${SALE}`,
  },
  "I7 a payment is settled exactly when its authorization is credited": {
    "credited and not settled": `update reservations set ${OPEN} where ${ALONE}`,
    "settled and not credited": `update reservations set state = 'committed', ended_at = now() where state = 'open'; ${SUMS}`,
  },
  "I10 the postings of a transaction in service credits sum to zero, and those of an owner to their balance": {
    "another sum": "update credit_postings set amount = amount + 1 where account not like 'owner:%'",
    "three postings": copyRow("credit_postings", "account not like 'owner:%'", { account: "other", amount: 0 }),
    "another balance": "update credit_balances set balance = balance + 1",
    "no balance": "delete from credit_balances",
  },
  "I10 service credits are below zero only where the chain took a purchase back": {
    "below zero": `insert into credit_transactions values ('other', 'top_up', 'somebody', 'none', null, now());
      insert into credit_postings values ('other', 'owner:somebody', -1), ('other', 'issued', 1);
      insert into credit_balances values ('somebody', -1)`,
  },
  "I10 service credits are issued for a settled purchase and its amount, and for nothing else": {
    "twice as many": `update credit_postings set amount = amount * 2 where not ${SPENT}; ${BALANCES}`,
    "for something else": "update settlements set purpose = 'deposit' where purpose = 'credits'",
  },
  "I10 a payment in service credits is settled exactly when its worth was spent, by its owner and once": {
    "twice as many": `update credit_postings set amount = amount * 2 where ${SPENT}; ${BALANCES}`,
    "not settled": `update reservations set ${OPEN} where id in (
      select reservation_id from payments where credit_payee is not null); ${SUMS}`,
    "another owner": `update mandates set owner_id = 'other' where ${BUDGET}`,
  },
  "I11 every payment for a scan has one scan, and every scan a payment": {
    "no scan": "delete from firewall_scans where settlement_id is not null",
    "another scan": "update settlements set subject = 'other' where purpose = 'firewall'",
    "paid for something else": "update settlements set purpose = 'deposit' where purpose = 'firewall'",
    "no scan for credits": "delete from firewall_scans where payment_id is not null",
    "no credits spent": copyRow("firewall_scans", "payment_id is not null", { scan_id: "other", payment_id: "other" }),
  },
  "I12 a payment without a mandate is one that the owner of its wallet approved, and each approval has one": {
    "not approved": "delete from approvals",
    "under a mandate": `${copyRow("approvals", "payment_id is not null", { id: "other", payment_id: null })}
      update approvals set payment_id = (
        select p.id from payments p join reservations r on r.id = p.reservation_id where r.state = 'open' limit 1) where id = 'other'`,
    "another agent": "update approvals set agent_id = gen_random_uuid()",
    "another wallet": `update payments set wallet_id = (select o.id from wallets w join wallets o on o.owner_id = w.owner_id
      where w.id = payments.wallet_id and o.id <> w.id) where ${ALONE}`,
    "another owner": `update wallets set owner_id = 'other' where id in (select wallet_id from approvals)`,
    "another network": "update approvals set network = 'base-sepolia'",
    "another amount": "update approvals set amount = amount + 1",
    "another payee": "update approvals set payee = 'other'",
    "another resource": "update approvals set resource = 'other'",
    "too late": "update approvals set expires_at = '2000-01-01'",
  },
  "I13 an event that was passed on has a delivery for each webhook that wanted it then, and no event is lost": {
    "the owner's, not passed on": `update webhooks set updated_at = now() - interval '1 hour';
      delete from events where owner_id is null`,
    "their agent's, not passed on": `update webhooks set updated_at = now() - interval '1 hour';
      update agents set linked_at = now() - interval '1 hour'; delete from events where owner_id is not null`,
    "a place in the outbox for no event": "insert into event_outbox (event_id) values ('other')",
  },
  "I13 nothing is delivered to a webhook twice as another delivery": {
    twice:
      without("webhook_deliveries", "webhook_deliveries_once") +
      copyRow("webhook_deliveries", "true", { id: "other", state: "waiting", attempts: 0 }),
  },
  "I13 each attempt at a delivery is written down, and it is delivered when the newest of them was taken": {
    "not written down": "delete from webhook_attempts",
    "delivered and failed": "update webhook_attempts set failure = 'timeout'",
    "delivered and not ended": "update webhook_attempts set duration_ms = null",
  },
  "I15 a group is of two to a hundred settlements of one network, named after one of them": {
    one: `update settlements set group_id = id where ${SALE}`,
    "a hundred and one": `insert into settlements select (jsonb_populate_record(s,
      '${JSON.stringify({ ...UNENDED, purpose: "deposit" })}'::jsonb || jsonb_build_object('id', n, 'nonce', n))).*
      from settlements s, generate_series(3, 101) n where ${LEG}`,
    "two networks": copyRow("settlements", LEG, {
      ...UNENDED,
      id: "other",
      purpose: "deposit",
      network: "base-sepolia",
    }),
    "no name": "update settlements set group_id = 'other' where group_id is not null",
  },
  "I15 a group moves in one transaction or not at all, unless a foreign transaction moved a part of it": {
    "two transactions": `update settlements set tx_hash = 'other' where ${LEG}`,
    "a part": waiting(LEG, { purpose: "deposit", ...DECLINED }).concat(
      `update settlements set group_id = (select id from settlements where ${LEG}) where id = 'other'`,
    ),
  },
  "I14 the legs of a payout sum to its amount, and all are claimed exactly when it is approved": {
    "another sum": "update payouts set amount = amount + 1",
    "claimed and not approved": `${without("payouts", "payouts_approved")} ${without("payouts", "payouts_ended")}
      update payouts set approved_at = null`,
    "approved and not claimed": `${without("payouts", "payouts_approved")} update payouts set approved_at = now()`,
  },
  "I14 every settlement of a payout is one leg's: from its owner's wallet, to its address, in its amount": {
    "no leg": waiting(LEG),
    "another purpose": "update settlements set purpose = 'deposit' where purpose = 'payout'",
    "another payout": "update settlements set subject = 'other' where purpose = 'payout'",
    "another address": "update payout_legs set to_address = 'other' || index",
    "another amount": `update payout_legs set amount = amount + index * 2 - 1
      where settlement_id in (select id from settlements where group_id is not null)`,
    "another network": "update payouts set network = 'base-sepolia'",
    "another wallet": `${copyRow("wallets", "id in (select wallet_id from payouts where agent_id is null)", OTHER_WALLET)}
      update payouts set wallet_id = 'other' where agent_id is null`,
    "another's wallet": "update wallets set owner_id = 'other' where id in (select wallet_id from payouts)",
    "another agent": "update settlements set agent_id = null where purpose = 'payout'",
  },
  "I14 the reservation of a leg is committed exactly when the leg is settled": {
    "settled and not committed": `update reservations set ${OPEN} where ${ofLegs(AGENTS)}; ${SUMS}`,
    "committed and not settled": `delete from ledger_entries where ${postingsOf(`purpose = 'payout' and ${AGENTS}`)};
      update settlements set state = 'claimed', ended_at = null where purpose = 'payout' and ${AGENTS}`,
  },
  "I14 a payout under a mandate is one that its owner signed for that agent": {
    "another agent": `update mandates set agent_id = gen_random_uuid() where ${SHARED}`,
    "another owner": `update mandates set owner_id = 'other' where ${SHARED}`,
    "another wallet": `${without("wallets", "wallets_address")}
      ${copyRow("wallets", `id = (select wallet_id from mandates where ${SHARED})`, { id: "other", purpose: "other" })}
      update mandates set wallet_id = 'other' where ${SHARED}`,
    "too much": `update mandates set max_amount_per_payment = 1 where ${SHARED}`,
    "another host": `update mandates set host_allowlist = '{api.example.com}' where ${SHARED}`,
  },
  "I20 a mandate pays from its vault exactly if it was signed with one, and from its owner's wallet otherwise": {
    "another vault": "update vaults set address = 'other'",
    "another wallet": `update mandates m set wallet_id = (select id from wallets where owner_id <> m.owner_id limit 1)
      where ${BUDGET}`,
    "its owner's wallet, though signed with a vault": "update mandates set mode = 'wallet' where mode = 'vault'",
  },
  "I20 what a vault has signed is within its terms, which are those of the signed mandate": {
    "more than its limit for a payment": "update vaults set per_payment = 1",
    "for longer than it lasts": "update vaults set ends_at = 1",
    "before it begins": "update vaults set starts_at = 9999999999",
    "another payee": "update vaults set payees = '{other}'",
    "not signed": "update vaults set state = 'proposed'",
    "another mandate": "update vaults set mandate_hash = 'other'",
    "another limit": "update vaults set limit_amount = limit_amount + 1",
  },
  "I20 a pocket signs one payment at a time": {
    "two at once": `update vaults set sealed_pocket_key = 'other', pocket = (select payer from reservations
      where state = 'open' group by payer having count(*) > 1 limit 1)`,
  },
  "I20 what a vault's reading counts as paid is the sum of its payments in blocks up to it, all of them read": {
    "another sum": "update vaults set committed = committed + 1",
    "a block that was not read": "update vaults set read_block = 1000000000",
  },
  "I20 a mandate and the one that took over its rest allow no more together than its limit, and only the later pays": {
    "more together": "update mandates set limit_amount = limit_amount + 1 where replaces is not null",
    "the other is not signed": "update mandates set signed_at = null where replaces is not null",
    "the other takes over something else": "update mandates set replaces = id where replaces is not null",
  },
  "I22 what is reserved or paid of a day or month is at most what the mandate allows for it": {
    "a lower cap for a day": `update mandates set max_amount_per_day = 1 where ${CAPPED}`,
    "a lower cap for a month": `update mandates set max_amount_per_month = 1 where ${CAPPED}`,
  },
  "I22 a mandate counts exactly its reservations of the newest day and month, if it has a cap for them": {
    "less of the day": `update mandates set day_amount = day_amount - 1 where ${CAPPED}`,
    "less of the month": `${without("mandates", "mandates_periods")}
      update mandates set month_amount = month_amount - 1 where ${CAPPED}`,
    "less than was taken over": `${without("mandates", "mandates_periods")}
      update mandates set day_amount = -1, month_amount = -1 where replaces is not null`,
    "an earlier day": `update mandates set charged_on = charged_on - 1 where ${CAPPED}`,
    "no day": "update reservations set charged_on = null where charged_on is not null",
    "a day without a cap": `update reservations set charged_on = '2030-01-01' where mandate_id in (
      select id from mandates where ${BUDGET})`,
  },
  "I24 an owner's cap counts exactly what is reserved or paid in each of its hours and days": {
    "an hour that nothing was paid in": capOf("1", 1, 0, 1),
    "a day that nothing was paid in": capOf("1", 1, 1, 0),
    "a payment that it does not count": capOf("max(charged_hour)", 0, 0, 0),
  },
  "I16 settled payments of a link and those that can still be paid never exceed its maxUses": {
    "one declined in addition to the last": waiting("purpose = 'link'", DECLINED)
      .concat(copyRow("received_payments", "link_id is not null", { id: 999, settlement_id: "other" }))
      .concat("update payment_links set max_uses = 1"),
  },
  "I16 a payout with a transfer that can still be made has not failed, and its bizId is not used again": {
    "failed too soon": `${openLegs("declined", OWN)} update payouts set succeeded_at = null, failed_at = now() where ${OWN}`,
    "paid twice": waiting("purpose = 'payout' and agent_id is null", { subject: "other" })
      .concat(copyRow("payouts", "agent_id is null", { id: "other", payout_id: "other", succeeded_at: null }))
      .concat(
        copyRow("payout_legs", "payout in (select id from payouts where agent_id is null and id <> 'other')", {
          payout: "other",
          settlement_id: "other",
        }),
      )
      .concat("update payouts set biz_id = 'same' where agent_id is null"),
  },
  "I16 no budget is given back while what it was reserved for can still be paid": {
    "a leg's": `${openLegs("declined", AGENTS)} update payouts set succeeded_at = null where ${AGENTS};
      update reservations set ${RELEASED} where ${ofLegs(AGENTS)}; ${SUMS}`,
    "a payment's": waiting(SALE, { purpose: "deposit" }).concat(
      `update reservations set ${RELEASED} where state = 'open'; ${SUMS}
      update settlements s set (network, payer, nonce) = (r.network, r.payer, r.nonce) from reservations r
      where r.state = 'released' and s.id = 'other'`,
    ),
  },
  "I19 every settlement for a seller belongs to one API key of its owner, and names it": {
    "no key": "delete from facilitator_payments",
    "another key": "update settlements set subject = 'other' where purpose = 'facilitator'",
    "another owner": "update facilitator_keys set owner_id = 'other'",
    "an owner who is not the key's": "update settlements set owner_id = 'other' where purpose = 'facilitator'",
    "for something else": "update settlements set purpose = 'deposit' where purpose = 'facilitator'",
  },
  "I23 an invoice and its link name each other, and the link is paid once, for the sum of the lines and the tax": {
    "another total": "update invoices set total = total + 1",
    "another line": `update invoices set lines = jsonb_set(lines, '{0,amount}', '"1"')`,
    "another amount to pay": "update payment_links set amount = amount + 1 where invoice_id is not null",
    "more payments": "update payment_links set max_uses = 2 where invoice_id is not null",
    "a link that names no invoice": "update payment_links set invoice_id = null",
    "an invoice without a link": "delete from payment_links where invoice_id is not null",
    "a link without an invoice": "delete from invoices",
  },
  "I8 a relayer's nonces have no gap": {
    "none for the newest": "update relayers set next_nonce = next_nonce + 1",
    "none in between": "delete from relayer_transactions where nonce = 1",
  },
  "I8 every nonce was signed at least once": { "never signed": "delete from relayer_attempts where nonce = 1" },
};

test("each invariant's query has database changes in this test that violate it", () => {
  expect(Object.keys(BREAKS)).toEqual(QUERIES.map(({ invariant }) => invariant));
});

describe.each(Object.entries(BREAKS))("the invariant %s", (invariant, breaks) => {
  test.each(Object.entries(breaks))("reports %s", async (_, statements) => {
    expect(await brokenBy(statements)).toEqual([invariant]);
  });
});

test("data created through the API violates no invariant", async () => {
  expect(await brokenBy("")).toEqual([]);
});
