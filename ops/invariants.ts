import { sql } from "drizzle-orm";
import { DAYS, HOURS } from "@/lib/mandates/caps/rules";
import type { System } from "@/lib/platform/context";
import { EVENT_TYPES, entryOf } from "@/lib/webhooks/catalogue";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { againstChain, againstVaults, type InvariantRow, toViolation, type Violation } from "./invariants-chain";

/** The recorded event type of each webhook event type. */
const EVENT_TYPE_ROWS = EVENT_TYPES.map((type) => `('${entryOf(type).recordedAs ?? type}', '${type}')`).join(", ");

/** Each query selects rows that must not exist. */
export const QUERIES: { invariant: string; query: string }[] = [
  {
    invariant: "I1 the postings of a transaction sum to zero",
    query: `select network, payer, nonce, kind, block_hash, sum(amount)::text as sum from ledger_entries
            group by 1, 2, 3, 4, 5, turn having sum(amount) <> 0 or count(*) <> 2`,
  },
  {
    invariant: "I2 spent + pending never exceeds a mandate's limit",
    query: `select id from mandates where spent_amount < 0 or pending_amount < 0 or spent_amount + pending_amount > limit_amount`,
  },
  {
    invariant: "I2 spent and pending equal the sums of the mandate's reservations",
    query: `select m.id, m.spent_amount::text, m.pending_amount::text from mandates m
            left join reservations r on r.mandate_id = m.id group by m.id
            having m.spent_amount <> coalesce(sum(r.amount) filter (where r.state = 'committed'), 0)
                or m.pending_amount <> coalesce(sum(r.amount) filter (where r.state = 'open'), 0)`,
  },
  {
    invariant:
      "I2 every reservation is one payment's, one leg's of a payout under the same mandate, or a purchase's of credits",
    query: `select r.id, r.mandate_id from reservations r
            left join payments p on p.reservation_id = r.id
            left join settlements s on (s.network, s.payer, s.nonce) = (r.network, r.payer, r.nonce)
            left join payout_legs l on l.settlement_id = s.id
            left join payouts o on o.id = l.payout
            where num_nonnulls(p.id, o.id, case when s.purpose = 'credits' and p.id is null then s.id end) <> 1 or coalesce(p.mandate_id, o.mandate_id) is distinct from r.mandate_id
              or (p.id is null and (s.amount <> r.amount or s.payee <> r.payee or s.valid_before <> r.valid_before))
            union all
            select l.index, o.mandate_id from payouts o join payout_legs l on l.payout = o.id
            join settlements s on s.id = l.settlement_id
            left join reservations r on (r.network, r.payer, r.nonce) = (s.network, s.payer, s.nonce)
            where o.agent_id is not null and r.id is null`,
  },
  {
    invariant: "I3 an authorization is credited at most once",
    query: `select network, payer, nonce from ledger_entries where side = 'credit' group by 1, 2, 3
            having sum(case kind when 'transfer' then 1 else -1 end) not in (0, 1)`,
  },
  {
    invariant: "I5 settled payments of a link never exceed its maxUses",
    query: `select l.link_id, l.max_uses, count(*)::int as settled from payment_links l
            join settlements s on s.purpose = 'link' and s.subject = l.link_id and s.state = 'settled'
            group by 1 having count(*) > l.max_uses`,
  },
  {
    invariant: "I5 every payment at a link or a UPL is received exactly once, by the agent and link it names",
    query: `select s.id, s.purpose, count(r.id)::int as received from settlements s
            left join received_payments r on r.settlement_id = s.id
            group by 1 having count(r.id) <> case when s.purpose in ('link', 'upl') then 1 else 0 end
              or bool_or(r.agent_id <> s.agent_id or (s.purpose = 'link') <> (r.source = 'payment_link')
                or r.link_id <> s.subject)`,
  },
  {
    invariant: "I9 refunds of a payment that are paid, or can still be, never exceed it",
    query: `select p.id, s.amount::text as paid, sum(r.amount)::text as refunded from refunds r
            join received_payments p on p.id = r.payment_id join settlements s on s.id = p.settlement_id
            join settlements t on t.id = r.settlement_id and t.state <> 'void'
            group by p.id, s.amount having sum(r.amount) > s.amount`,
  },
  {
    invariant: "I9 every refund that is paid goes to the payer, in its amount, and belongs to one refund",
    query: `select t.id from settlements t left join refunds r on r.settlement_id = t.id
            left join received_payments p on p.id = r.payment_id left join settlements s on s.id = p.settlement_id
            where t.purpose = 'refund' and (r.refund_id is null or r.refund_id <> t.subject or t.amount <> r.amount
              or t.payee <> s.payer or t.network <> s.network or s.state <> 'settled')`,
  },
  {
    invariant: "I6 a settlement is settled exactly when it is credited, to its payee and in full",
    query: `select s.id, s.state from settlements s
            left join (select network, payer, nonce, account, sum(amount) as held from ledger_entries where side = 'credit' group by 1, 2, 3, 4) l
              on (l.network, l.payer, l.nonce, l.account) = (s.network, s.payer, s.nonce, s.payee)
            where (s.state = 'settled' and coalesce(l.held, 0) <> s.amount)
               or (s.state not in ('settled') and coalesce(l.held, 0) <> 0 and coalesce(s.failure_code, '') <> 'ALREADY_USED')`,
  },
  {
    invariant: "I7 a payment is settled exactly when its authorization is credited",
    query: `select p.id, r.state from payments p join reservations r on r.id = p.reservation_id
            left join (select network, payer, nonce, sum(amount) as held from ledger_entries where side = 'credit' group by 1, 2, 3) l
              on (l.network, l.payer, l.nonce) = (r.network, r.payer, r.nonce)
            where p.credit_payee is null and (r.state = 'committed') <> (coalesce(l.held, 0) = r.amount)`,
  },
  {
    invariant:
      "I10 the postings of a transaction in service credits sum to zero, and those of an owner to their balance",
    query: `select transaction_id as id from credit_postings group by 1 having sum(amount) <> 0 or count(*) <> 2
            union all
            select coalesce(b.owner_id, p.account) from credit_balances b
            full join (select account, sum(amount) as held from credit_postings where account like 'owner:%' group by 1) p
              on p.account = 'owner:' || b.owner_id
            where coalesce(b.balance, 0) <> coalesce(p.held, 0)`,
  },
  {
    invariant: "I10 service credits are below zero only where the chain took a purchase back",
    query: `select owner_id, balance::text from credit_balances b where balance < 0 and not exists (
              select 1 from credit_transactions t where t.owner_id = b.owner_id and t.kind = 'reversal')`,
  },
  {
    invariant: "I10 service credits are issued for a settled purchase and its amount, and for nothing else",
    query: `select s.id, s.state, sum(p.amount)::text as issued from settlements s
            left join credit_transactions t on t.settlement_id = s.id
            left join credit_postings p on p.transaction_id = t.id and p.account = 'owner:' || s.subject
            group by s.id having coalesce(sum(p.amount), 0) * 10000 <>
              case when s.purpose = 'credits' and s.state = 'settled' then s.amount else 0 end`,
  },
  {
    invariant: "I10 a payment in service credits is settled exactly when its worth was spent, by its owner and once",
    query: `select p.id, r.state, sum(c.amount)::text as spent from payments p
            join reservations r on r.id = p.reservation_id
            left join credit_transactions t on t.payment_id = p.id
            left join credit_postings c on c.transaction_id = t.id and c.account = 'owner:' || t.owner_id
            left join mandates m on m.id = p.mandate_id
            group by p.id, r.id, m.owner_id having coalesce(sum(c.amount), 0) * -10000 <>
              case when p.credit_payee is not null and r.state = 'committed' then r.amount else 0 end
              or bool_or(t.owner_id <> m.owner_id)`,
  },
  {
    invariant: "I11 every payment for a scan has one scan, and every scan a payment",
    query: `select s.id, count(f.scan_id)::int as scans from settlements s
            left join firewall_scans f on f.settlement_id = s.id
            group by s.id having count(f.scan_id) <> case when s.purpose = 'firewall' then 1 else 0 end
              or bool_or(f.scan_id <> s.subject)
            union all
            select coalesce(t.payment_id, f.scan_id), count(f.scan_id)::int from
              (select payment_id from credit_transactions where kind = 'spend') t
            full join (select scan_id, payment_id from firewall_scans where payment_id is not null) f
              on f.payment_id = t.payment_id
            group by 1 having count(f.scan_id) <> 1 or count(t.payment_id) <> 1`,
  },
  {
    invariant:
      "I12 a payment without a mandate is one that the owner of its wallet approved, and each approval has one",
    query: `select p.id, a.id as approval from payments p
            full join approvals a on a.payment_id = p.id
            left join reservations r on r.id = p.reservation_id
            left join agents g on g.id = a.agent_id left join wallets w on w.id = p.wallet_id
            where (p.mandate_id is null and p.id is not null and (a.id is null or p.agent_id <> a.agent_id
                or p.wallet_id <> a.wallet_id or w.owner_id <> g.owner_id or r.network <> a.network or r.amount <> a.amount
                or r.payee <> a.payee or p.resource <> a.resource or p.created_at > a.expires_at))
               or (a.payment_id is not null and p.mandate_id is not null)`,
  },
  {
    invariant:
      "I13 an event that was passed on has a delivery for each webhook that wanted it then, and no event is lost",
    // Only webhooks unchanged since ten seconds before the event, because clocks differ and transactions take time. Only events
    // younger than the retention of deliveries.
    query: `with mapped (recorded, type) as (values ${EVENT_TYPE_ROWS}),
              event as (
                select e.id, e.type, e.created_at, e.owner_id from events e where e.owner_id is not null
                union all
                select e.id, e.type, e.created_at, a.owner_id from events e join agents a on a.id::text = e.agent_id
                where e.owner_id is null and a.linked_at < e.created_at - interval '10 seconds')
            select e.id, w.id as webhook from event e join mapped t on t.recorded = e.type
            join webhooks w on w.owner_id = e.owner_id and w.is_enabled and w.updated_at < e.created_at - interval '10 seconds'
              and (w.event_types is null or t.type = any(w.event_types))
            where e.created_at > now() - interval '29 days'
              and not exists (select 1 from event_outbox o where o.event_id = e.id)
              and not exists (select 1 from webhook_deliveries d where d.webhook_id = w.id and d.event_id = e.id)
            union all
            select o.event_id, null from event_outbox o where not exists (select 1 from events e where e.id = o.event_id)`,
  },
  {
    invariant: "I13 nothing is delivered to a webhook twice as another delivery",
    query: `select webhook_id, event_id from webhook_deliveries group by 1, 2 having count(*) > 1`,
  },
  {
    invariant: "I13 each attempt at a delivery is written down, and it is delivered when the newest of them was taken",
    query: `select d.id, d.state, d.attempts from webhook_deliveries d
            left join webhook_attempts a on a.delivery_id = d.id group by d.id
            having count(a.number) <> d.attempts or (d.state = 'delivered' and not coalesce(
              bool_or(a.failure is null and a.duration_ms is not null) filter (where a.number = d.attempts), false))`,
  },
  {
    invariant: "I15 a group is of two to a hundred settlements of one network, named after one of them",
    query: `select group_id, count(*)::int as legs, count(distinct network)::int as networks from settlements
            where group_id is not null group by 1
            having count(*) not between 2 and 100 or count(distinct network) <> 1 or not bool_or(id = group_id)`,
  },
  {
    invariant: "I15 a group moves in one transaction or not at all, unless a foreign transaction moved a part of it",
    query: `select g.group_id, g.transactions, g.failed from (
              select group_id, count(distinct tx_hash) filter (where state = 'settled')::int as transactions,
                count(*) filter (where state in ('declined', 'void'))::int as failed
              from settlements where group_id is not null group by 1) g
            where (g.transactions > 1 or (g.transactions = 1 and g.failed > 0)) and not exists (
              select 1 from settlements s join ledger_entries l
                on (l.network, l.payer, l.nonce, l.kind) = (s.network, s.payer, s.nonce, 'transfer')
              where s.group_id = g.group_id and not exists (select 1 from relayer_attempts a where a.hash = l.tx_hash))`,
  },
  {
    invariant: "I14 the legs of a payout sum to its amount, and all are claimed exactly when it is approved",
    query: `select p.id, p.amount::text, sum(l.amount)::text as legs, count(l.settlement_id)::int as claimed from payouts p
            left join payout_legs l on l.payout = p.id group by p.id
            having p.amount <> coalesce(sum(l.amount), 0)
              or count(l.settlement_id) <> case when p.approved_at is null then 0 else count(*) end`,
  },
  {
    invariant: "I14 every settlement of a payout is one leg's: from its owner's wallet, to its address, in its amount",
    query: `select s.id from settlements s left join payout_legs l on l.settlement_id = s.id
            left join payouts p on p.id = l.payout left join wallets w on w.id = p.wallet_id
            where (s.purpose = 'payout') <> (l.payout is not null)
              or (l.payout is not null and (s.subject <> p.id or s.payee <> l.to_address or s.amount <> l.amount
                or s.network <> p.network or s.payer <> w.address or w.owner_id <> p.owner_id
                or s.agent_id is distinct from p.agent_id))`,
  },
  {
    invariant: "I14 the reservation of a leg is committed exactly when the leg is settled",
    query: `select l.payout, l.index, r.state from payout_legs l join settlements s on s.id = l.settlement_id
            join reservations r on (r.network, r.payer, r.nonce) = (s.network, s.payer, s.nonce)
            where (r.state = 'committed') <> (s.state = 'settled')`,
  },
  {
    invariant: "I14 a payout under a mandate is one that its owner signed for that agent",
    query: `select p.id from payouts p join mandates m on m.id = p.mandate_id
            where m.agent_id <> p.agent_id or m.owner_id <> p.owner_id or m.wallet_id <> p.wallet_id
              or p.amount > coalesce(m.max_amount_per_payment, p.amount)
              or not coalesce('payout' = any(m.host_allowlist), true)`,
  },
  {
    invariant:
      "I20 a mandate pays from its vault exactly if it was signed with one, and from its owner's wallet otherwise",
    query: `select r.id, m.id as mandate, r.payer from reservations r join mandates m on m.id = r.mandate_id
            left join vaults v on v.mandate_id = m.id left join wallets w on w.id = m.wallet_id
            where r.payer is distinct from case m.mode when 'vault' then v.address else w.address end
              and r.payer is distinct from v.pocket`,
  },
  {
    invariant: "I20 what a vault has signed is within its terms, which are those of the signed mandate",
    query: `select r.id::text, v.mandate_id from reservations r join vaults v on v.mandate_id = r.mandate_id
            left join payments p on p.reservation_id = r.id
            where r.payer in (v.address, v.pocket) and (r.amount > coalesce(v.per_payment, r.amount) or r.valid_before > v.ends_at
              or extract(epoch from p.created_at) < v.starts_at
              or (v.payees is not null and not (r.payee = any(v.payees)))
              or (r.payer = v.pocket and (v.agent_key is not null or v.payees is not null)))
            union all
            select null, m.id from mandates m left join vaults v on v.mandate_id = m.id
            where m.mode = 'vault' and (v.state is null or v.state = 'proposed'
              or v.mandate_hash is distinct from m.mandate_hash or v.limit_amount <> m.limit_amount)`,
  },
  {
    invariant: "I20 a pocket signs one payment at a time",
    query: `select r.payer from reservations r join vaults v on v.pocket = r.payer and v.network = r.network
            where r.state = 'open' group by r.payer having count(*) > 1`,
  },
  {
    invariant:
      "I20 what a vault's reading counts as paid is the sum of its payments in blocks up to it, all of them read",
    query: `select v.mandate_id, v.committed::text, v.read_block::text from vaults v
            left join reservations r on r.mandate_id = v.mandate_id and r.state = 'committed' and r.block_number <= v.read_block
            left join chain_cursors c on c.network = v.network
            where v.read_block is not null group by v.mandate_id, c.block_number
            having v.committed <> coalesce(sum(r.amount), 0) or v.read_block > c.block_number`,
  },
  {
    invariant:
      "I20 a mandate and the one that took over its rest allow no more together than its limit, and only the later pays",
    query: `select p.id, s.id as successor from mandates p join mandates s on s.id = p.replaced_by
            where p.state <> 'revoked' or s.replaces is distinct from p.id or s.signed_at is null
              or p.spent_amount + p.pending_amount + s.limit_amount > p.limit_amount`,
  },
  // Daily and monthly budgets.
  {
    invariant: "I22 what is reserved or paid of a day or month is at most what the mandate allows for it",
    query: `select m.id, r.charged_on::text as since from mandates m
            join reservations r on r.mandate_id = m.id and r.state <> 'released'
            where m.max_amount_per_day is not null
            group by m.id, r.charged_on having sum(r.amount) > m.max_amount_per_day
            union all
            select m.id, date_trunc('month', r.charged_on)::date::text from mandates m
            join reservations r on r.mandate_id = m.id and r.state <> 'released'
            where m.max_amount_per_month is not null
            group by m.id, date_trunc('month', r.charged_on) having sum(r.amount) > m.max_amount_per_month`,
  },
  {
    // A mandate that replaced another also counts the other's spending of that day and month, so its sums may be higher.
    invariant: "I22 a mandate counts exactly its reservations of the newest day and month, if it has a cap for them",
    query: `select m.id, m.day_amount::text, m.month_amount::text from mandates m cross join lateral (
              select coalesce(sum(r.amount) filter (where r.state <> 'released' and r.charged_on = m.charged_on), 0) as day,
                coalesce(sum(r.amount) filter (where r.state <> 'released'
                  and date_trunc('month', r.charged_on) = date_trunc('month', m.charged_on)), 0) as month,
                max(r.charged_on) as newest, count(r.charged_on) as dated, count(*) as held
              from reservations r where r.mandate_id = m.id) r
            where case when m.max_amount_per_day is null and m.max_amount_per_month is null
              then r.dated > 0 or m.charged_on is not null
              else r.dated <> r.held or r.newest > m.charged_on
                or case when m.replaces is null then (m.day_amount, m.month_amount) <> (r.day, r.month)
                     else m.day_amount < r.day or m.month_amount < r.month end end`,
  },
  {
    invariant: "I24 an owner's cap counts exactly what is reserved or paid in each of its hours and days",
    query: `select c.id, 'hour ' || (c.hour - k) as period from spending_caps c cross join generate_series(0, ${HOURS - 1}) k
            where coalesce(c.hours[${HOURS + 1} - k], c.total) - c.hours[${HOURS} - k] <> (select coalesce(sum(r.amount), 0) from reservations r
              where r.wallet_id = c.wallet_id and (c.agent_id is null or r.agent_id = c.agent_id)
                and r.state <> 'released' and r.charged_hour = c.hour - k)
            union all
            select c.id, 'day ' || (c.hour / 24 - k) from spending_caps c cross join generate_series(0, ${DAYS - 1}) k
            where coalesce(c.days[${DAYS + 1} - k], c.total) - c.days[${DAYS} - k] <> (select coalesce(sum(r.amount), 0) from reservations r
              where r.wallet_id = c.wallet_id and (c.agent_id is null or r.agent_id = c.agent_id)
                and r.state <> 'released' and r.charged_hour / 24 = c.hour / 24 - k)`,
  },
  {
    invariant: "I16 settled payments of a link and those that can still be paid never exceed its maxUses",
    query: `select l.link_id, l.max_uses, count(*)::int as held from payment_links l
            join settlements s on s.purpose = 'link' and s.subject = l.link_id and s.state <> 'void'
            group by 1 having count(*) > l.max_uses and bool_or(s.state <> 'settled')`,
  },
  {
    invariant: "I16 a payout with a transfer that can still be made has not failed, and its bizId is not used again",
    query: `select p.id from payouts p where p.failed_at is not null and exists (
              select 1 from payout_legs l join settlements s on s.id = l.settlement_id
              where l.payout = p.id and s.state not in ('settled', 'void'))
            union all
            select min(p.id) from payouts p where p.biz_id is not null and exists (
              select 1 from payout_legs l join settlements s on s.id = l.settlement_id
              where l.payout = p.id and s.state <> 'void')
            group by coalesce(p.agent_id::text, p.owner_id), p.biz_id having count(*) > 1`,
  },
  {
    invariant: "I16 no budget is given back while what it was reserved for can still be paid",
    query: `select r.id from reservations r join settlements s on (s.network, s.payer, s.nonce) = (r.network, r.payer, r.nonce)
            where r.state = 'released' and s.state not in ('settled', 'void') and s.block_number is null`,
  },
  {
    invariant: "I19 every settlement for a seller belongs to one API key of its owner, and names it",
    query: `select s.id, p.key_id from settlements s left join facilitator_payments p on p.settlement_id = s.id
            left join facilitator_keys k on k.id = p.key_id
            where (s.purpose = 'facilitator') <> (p.settlement_id is not null)
              or (p.settlement_id is not null and (s.subject <> p.key_id or s.owner_id is distinct from p.owner_id
                or k.owner_id <> p.owner_id or s.agent_id is not null or s.group_id is not null))`,
  },
  {
    invariant:
      "I23 an invoice and its link name each other, and the link is paid once, for the sum of the lines and the tax",
    query: `select i.invoice_id, l.link_id from invoices i full join payment_links l on l.invoice_id = i.invoice_id
            where (i.invoice_id is not null or l.invoice_id is not null) and (l.link_id = i.link_id and l.amount = i.total
              and l.max_uses = 1 and l.agent_id = i.agent_id and i.total = coalesce((i.tax->>'amount')::numeric, 0)
              + (select sum((x->>'amount')::numeric) from jsonb_array_elements(i.lines) x)) is not true`,
  },
  {
    invariant: "I8 a relayer's nonces have no gap",
    query: `select r.network, r.signer, r.next_nonce from relayers r
            join relayer_transactions t using (network, signer) group by 1, 2, 3
            having max(t.nonce) + 1 <> r.next_nonce or max(t.nonce) - min(t.nonce) + 1 <> count(*)`,
  },
  {
    invariant: "I8 every nonce was signed at least once",
    query: `select t.network, t.signer, t.nonce from relayer_transactions t
            where not exists (select 1 from relayer_attempts a where (a.network, a.signer, a.nonce) = (t.network, t.signer, t.nonce))`,
  },
];

/** All invariants of ops/README.md that the database or the given chains violate. */
export async function violations(
  system: System,
  networks: readonly NetworkName[] = NETWORK_NAMES,
): Promise<Violation[]> {
  const failures: Violation[] = [];
  // Sequentially: the queries read whole tables, and the service needs the connections.
  for (const { invariant, query } of QUERIES) {
    const { rows } = await system.db.execute<InvariantRow>(sql.raw(query));
    failures.push(...toViolation(invariant, rows));
  }
  for (const network of networks) {
    failures.push(...(await againstChain(system, network)), ...(await againstVaults(system, network)));
  }
  return failures;
}
