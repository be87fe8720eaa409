/** Each query selects rows that must not exist. */
export const VAULT_QUERIES: { invariant: string; query: string }[] = [
  {
    invariant:
      "I20 a mandate pays from its vault exactly if it was signed with one, and from its owner's wallet otherwise",
    query: `select r.id, m.id as mandate, r.payer from reservations r join mandates m on m.id = r.mandate_id
            left join vaults v on v.mandate_id = m.id left join wallets w on w.id = m.wallet_id
            where r.payer is distinct from case m.mode when 'vault' then v.address else w.address end`,
  },
  {
    invariant: "I20 what a vault has signed is within its terms, which are those of the signed mandate",
    query: `select r.id::text, v.mandate_id from reservations r join vaults v on v.mandate_id = r.mandate_id
            where r.payer = v.address and (r.amount > coalesce(v.per_payment, r.amount) or r.valid_before > v.ends_at
              or (v.payees is not null and not (r.payee = any(v.payees))))
            union all
            select null, m.id from mandates m left join vaults v on v.mandate_id = m.id
            where m.mode = 'vault' and (v.state is null or v.state = 'proposed'
              or v.mandate_hash is distinct from m.mandate_hash or v.limit_amount <> m.limit_amount)`,
  },
];
