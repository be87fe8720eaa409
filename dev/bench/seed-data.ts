import type pg from "pg";
import { NETWORKS } from "@/lib/x402/networks";

/**
 * Fills a migrated database with two years of data, generated inside PostgreSQL. Every payment of an agent is settled and is
 * another agent's sale. The chains do not have these transfers, so invariants about chains fail afterwards.
 */
export type Size = { payments: number; links: number; agents: number };

/** 10 million payments, 1 million links, 100,000 agents. */
export const FULL: Size = { payments: 10_000_000, links: 1_000_000, agents: 100_000 };

/** The proportions of FULL. */
export const sizeOf = (payments: number): Size => ({
  payments,
  links: Math.max(100, Math.round(payments / 10)),
  agents: Math.max(100, Math.round(payments / 100)),
});

/** An agent with a fifth of all payments and a fifth of all sales: an average agent's lists are always short. */
export type Heavy = {
  ownerId: string;
  agentId: string;
  walletId: string;
  wallet: string;
  mandateId: string;
  webhookId: string;
};

const AGENTS_PER_OWNER = 5;
const YEARS = "interval '700 days'";

/** `id('pay_', i)`: a well-formed id. */
const FUNCTIONS = `
create function pg_temp.id(prefix text, i bigint) returns text immutable language sql as $$ select prefix || 'seed' || lpad(i::text, 20, '0') $$;
create function pg_temp.address(kind text, i bigint) returns text immutable language sql as
  $$ select '0x' || substr(md5(kind || i) || md5(i || kind), 1, 40) $$;
create function pg_temp.word(kind text, i bigint) returns text immutable language sql as
  $$ select '0x' || md5(kind || i) || md5(i || kind) $$;
create function pg_temp.agent(i bigint) returns uuid immutable language sql as $$ select md5('agent' || i)::uuid $$;
`;

/** The table and the SQL of each statement, in order. */
function statements({ payments, links, agents }: Size, heavy: Heavy): [what: string, sql: string][] {
  const owners = Math.ceil(agents / AGENTS_PER_OWNER);
  /** The value of a column about the seller or the buyer: the heavy agent's in a fifth of the rows. */
  const ifSold = (mine: string, other: string) => `case when i % 5 = 0 then ${mine} else ${other} end`;
  const ifBought = (mine: string, other: string) => `case when i % 5 = 1 then ${mine} else ${other} end`;
  const text = (value: string) => `'${value}'`;
  const seller = ifSold(`${text(heavy.agentId)}::uuid`, `pg_temp.agent(i % ${agents})`);
  const sellerOwner = ifSold(text(heavy.ownerId), `pg_temp.id('own_', (i % ${agents}) / ${AGENTS_PER_OWNER})`);
  const timeOfRow = (count: number) => `now() - ${YEARS} * (${count} - i)::float8 / ${count}`;
  const rows = (count: number) => `generate_series(0::bigint, ${count - 1}) as i`;
  const approvals = Math.round(payments / 2);
  const asset = text(NETWORKS.base.usdc);
  const nonce = "pg_temp.word('nonce', i)";
  const buyer = ifBought(`${text(heavy.agentId)}::uuid`, `pg_temp.agent(i % ${agents})`);
  const mandate = ifBought(text(heavy.mandateId), `pg_temp.id('mand_', i % ${agents})`);
  const payer = ifBought(text(heavy.wallet), "pg_temp.address('payer', i % 50000)");
  const payee = ifSold(text(heavy.wallet), "pg_temp.address('payee', i % 50000)");
  const isLink = "i % 2 = 0";
  const link = `pg_temp.id('lnk_', i % ${links})`;
  const buyerWallet = ifBought(text(heavy.walletId), `pg_temp.id('wal_', (i % ${agents}) / ${AGENTS_PER_OWNER})`);
  return [
    [
      "owners",
      `insert into owners (id, address, created_at, last_sign_in_at)
       select pg_temp.id('own_', i), pg_temp.address('owner', i), ${timeOfRow(owners)}, now() from ${rows(owners)}`,
    ],
    [
      "wallets",
      `insert into wallets (id, owner_id, network, purpose, address, sealed_key, created_at)
       select pg_temp.id('wal_', i), pg_temp.id('own_', i), 'base', 'spending', pg_temp.address('wallet', i), '', now()
       from ${rows(owners)}`,
    ],
    [
      "agents",
      `insert into agents (id, name, client_info, token_hash, owner_id, linked_at, created_at)
       select pg_temp.agent(i), 'Agent ' || i, '', md5('token' || i), pg_temp.id('own_', i / ${AGENTS_PER_OWNER}), now(), ${timeOfRow(agents)}
       from ${rows(agents)}`,
    ],
    [
      "mandates",
      `insert into mandates (id, agent_id, owner_id, wallet_id, network, state, is_enabled, natural_language, limit_amount,
         valid_from, valid_until, token_hash, signature, signed_at, created_at, updated_at)
       select pg_temp.id('mand_', i), pg_temp.agent(i), pg_temp.id('own_', i / ${AGENTS_PER_OWNER}),
         pg_temp.id('wal_', i / ${AGENTS_PER_OWNER}), 'base', 'signed', true, 'Data', 1e15, now(), now() + interval '1 year',
         md5('mandate' || i), '0x', now(), ${timeOfRow(agents)}, now()
       from ${rows(agents)}`,
    ],
    [
      "payment_links",
      `insert into payment_links (link_id, agent_id, owner_id, amount, network, description, status, created_at, updated_at)
       select pg_temp.id('lnk_', i), ${seller}, ${sellerOwner}, 250000, 'base', 'Report ' || i, 'active', ${timeOfRow(links)}, now() from ${rows(links)}`,
    ],
    [
      "link_visits",
      `insert into link_visits (link_id, visit_id, viewed_at)
       select pg_temp.id('lnk_', i), 'visit' || i, ${timeOfRow(links)} from ${rows(links)}`,
    ],
    [
      "reservations",
      `insert into reservations (id, mandate_id, network, payer, nonce, payee, amount, valid_before, state, is_submitted, tx_hash,
         block_number, ended_at, wallet_id, agent_id, charged_hour) overriding system value
       select 1000000000 + i, ${mandate}, 'base', ${payer}, ${nonce}, ${payee},
         1000, 4102444800, 'committed', true, pg_temp.word('tx', i / 50), 1 + i / 50, ${timeOfRow(payments)},
         ${buyerWallet}, ${buyer}, extract(epoch from ${timeOfRow(payments)})::bigint / 3600
       from ${rows(payments)}`,
    ],
    [
      "payments",
      `insert into payments (id, reservation_id, agent_id, mandate_id, wallet_id, asset, valid_after, host, resource, description,
         created_at)
       select pg_temp.id('pay_', i), 1000000000 + i, ${buyer}, ${mandate},
         ${buyerWallet}, ${asset}, 0, 'api.example',
         'https://api.example/' || i, '', ${timeOfRow(payments)}
       from ${rows(payments)}`,
    ],
    [
      "settlements",
      `insert into settlements (id, network, asset, payer, nonce, payee, amount, valid_after, valid_before, signature, purpose, subject,
         agent_id, owner_id, resource, description, state, relayer_nonce, claimed_at_block, tx_hash, block_number, created_at, ended_at)
       select pg_temp.id('stl_', i), 'base', ${asset}, ${payer}, ${nonce}, ${payee}, 1000, 0, 4102444800, '0x',
         case when ${isLink} then 'link' else 'upl' end, case when ${isLink} then ${link} else (${seller})::text end, ${seller},
         ${sellerOwner}, 'https://api.example/' || i, '', 'settled', 1, 0, pg_temp.word('tx', i / 50), 1 + i / 50, ${timeOfRow(payments)},
         ${timeOfRow(payments)}
       from ${rows(payments)}`,
    ],
    [
      "received_payments",
      `insert into received_payments (settlement_id, agent_id, owner_id, source, link_id, created_at)
       select pg_temp.id('stl_', i), ${seller}, ${sellerOwner}, case when ${isLink} then 'payment_link' else 'upl' end,
         case when ${isLink} then ${link} end, ${timeOfRow(payments)}
       from ${rows(payments)}`,
    ],
    [
      "ledger_entries",
      `insert into ledger_entries (network, payer, nonce, kind, tx_hash, block_number, block_hash, account, side, turn, amount, created_at)
       select 'base', ${payer}, ${nonce}, 'transfer', pg_temp.word('tx', i / 50), 1 + i / 50, pg_temp.word('block', i / 50),
         case side when 'debit' then ${payer} else ${payee} end, side, 0, case side when 'debit' then -1000 else 1000 end, ${timeOfRow(payments)}
       from ${rows(payments)}, (values ('debit'), ('credit')) as sides(side)`,
    ],
    [
      "events",
      `insert into events (id, type, owner_id, agent_id, subject, meta, created_at)
       select pg_temp.id('evt_', i), case i % 3 when 0 then 'settlement.settled' when 1 then 'payment.signed' else 'payment_link.paid' end,
         ${sellerOwner}, ${seller}, ${link}, '{}', ${timeOfRow(payments)}
       from ${rows(payments)}`,
    ],
    [
      "webhook_deliveries",
      `insert into webhook_deliveries (id, webhook_id, event_id, type, body, state, attempts, next_attempt_at, created_at)
       select pg_temp.id('dlv_', i), ${text(heavy.webhookId)}, pg_temp.id('evt_', i), 'payment.settled', '{}', 'delivered', 1, now(),
         now() - interval '29 days' * (${links} - i)::float8 / ${links}
       from ${rows(links)}`,
    ],
    [
      "approvals",
      `insert into approvals (id, agent_id, network, amount, payee, host, resource, description, window_seconds, token_hash, created_at,
         expires_at, denied_at, is_above_limit)
       select pg_temp.id('apr_', i), ${buyer}, 'base', 1000, ${payee}, 'api.example', 'https://api.example/' || i, '', 600,
         md5('approval' || i), ${timeOfRow(approvals)}, ${timeOfRow(approvals)} + interval '15 minutes', case when i % 2 = 0 then ${timeOfRow(approvals)} end, false
       from ${rows(approvals)}`,
    ],
    [
      "payees",
      `insert into payees (id, owner_id, origin, network, payee, agent_id, mandate_id, resource, method, amount, asked_at, why,
         confirmed_by, confirmed_at, created_at)
       select pg_temp.id('pye_', i), ${ifBought(text(heavy.ownerId), `pg_temp.id('own_', (i % ${agents}) / ${AGENTS_PER_OWNER})`)},
         'https://' || i || '.example', 'base', pg_temp.address('payee', i), ${buyer}, ${mandate}, 'https://' || i || '.example/',
         'GET', 1000, ${timeOfRow(links)}, 'no_answer', 'owner', ${timeOfRow(links)}, ${timeOfRow(links)}
       from ${rows(links)}`,
    ],
    [
      "refunds",
      `insert into refunds (refund_id, payment_id, agent_id, owner_id, amount, requested_by, cancelled_by, created_at, expires_at, cancelled_at)
       select pg_temp.id('rfd_', id), id, agent_id, owner_id, 1000, 'agent', 'owner', created_at, created_at + interval '7 days',
         created_at
       from received_payments where id % 10 < 3`,
    ],
    [
      "invoices",
      `insert into invoices (invoice_id, agent_id, owner_id, created_by, link_id, number, network, total, subtotal, seller_name,
         buyer_name, lines, issue_date, due_date, is_payable_after_due, created_at)
       select pg_temp.id('inv_', i), ${seller}, ${sellerOwner}, 'agent', ${link}, 'S-' || i, 'base', 250000, 250000, 'Seller', 'Buyer ' || i,
         '[{"description":"Report","quantity":"1","unitAmount":"250000","amount":"250000"}]', (${timeOfRow(links)})::date,
         (${timeOfRow(links)})::date + 30, true, ${timeOfRow(links)}
       from ${rows(links)}`,
    ],
  ];
}

/** Fills the tables. Resolves with the seconds that each table took. */
export async function seedData(
  client: pg.Client,
  size: Size,
  heavy: Heavy,
  say: (line: string) => void,
): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  // After a crash the seeding is simply repeated.
  await client.query("set synchronous_commit = off; set statement_timeout = 0");
  // Skips foreign key checks, which cost more than the rows.
  await client.query("set session_replication_role = replica");
  await client.query(FUNCTIONS);
  for (const [table, sql] of statements(size, heavy)) {
    const began = performance.now();
    const { rowCount } = await client.query(sql);
    await client.query(`analyze ${table}`);
    const took = (performance.now() - began) / 1000;
    seconds.set(table, took);
    say(`${table}: ${rowCount} rows in ${took.toFixed(1)} s`);
  }
  return seconds;
}
