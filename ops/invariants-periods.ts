/** Daily and monthly budgets. Each query selects rows that must not exist. */
export const PERIOD_QUERIES: { invariant: string; query: string }[] = [
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
    // Spending that a move transferred counts in the newer mandate too.
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
];
