/** Each query selects rows that must not exist. */
export const VAULT_QUERIES: { invariant: string; query: string }[] = [
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
];
