import { type SQL, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { OwnerId } from "@/lib/core/ids";
import { paymentLinks, receivedPayments } from "@/lib/links/tables";
import { mandates, reservations } from "@/lib/mandates/tables";
import { payments } from "@/lib/payments/tables";
import type { Queryable } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import type { SearchResult } from "./limits";

/**
 * Each query reads a bounded number of rows, newest first, along an index on the owner (or on their mandates or agents), and
 * compares only these. A complete id is found by its key.
 */
const ROWS_READ = 500;
const GROUPS_READ = 50;
const OF_GROUP_READ = 50;
export const RESULTS_MAX = 5;

type Search = { ownerId: OwnerId; text: string };
type Row = { id: string; title: string; detail: string };

function mentions(text: string, ...columns: SQL[]): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const conditions = columns.map((column) => sql`${column} ilike ${pattern}`);
  return sql`(${sql.join(conditions, sql` or `)})`;
}

async function fetchResults(db: Queryable, kind: SearchResult["kind"], query: SQL): Promise<SearchResult[]> {
  const { rows } = await db.execute<Row>(query);
  return rows.map(({ id, title, detail }) => ({ kind, id: String(id), title, detail }));
}

export const findAgents = (db: Queryable, { ownerId, text }: Search): Promise<SearchResult[]> =>
  fetchResults(
    db,
    "agent",
    sql`select a.id::text as id, a.name as title, a.id::text as detail
      from (select * from ${agents} where ${agents.ownerId} = ${ownerId} and ${agents.deletedAt} is null
        order by ${agents.createdAt} desc limit ${ROWS_READ}) a
      where ${mentions(text, sql`a.name`, sql`a.id::text`)} limit ${RESULTS_MAX}`,
  );

export const findMandates = (db: Queryable, { ownerId, text }: Search): Promise<SearchResult[]> =>
  fetchResults(
    db,
    "mandate",
    sql`select m.id, m.natural_language as title, m.state as detail
      from ((select * from ${mandates} where ${mandates.ownerId} = ${ownerId}
          order by ${mandates.createdAt} desc, ${mandates.id} desc limit ${ROWS_READ})
        union (select * from ${mandates} where ${mandates.id} = ${text} and ${mandates.ownerId} = ${ownerId})) m
      where ${mentions(text, sql`m.natural_language`, sql`m.id`, sql`m.category`, sql`array_to_string(m.host_allowlist, ' ')`)}
      order by m.created_at desc limit ${RESULTS_MAX}`,
  );

export const findLinks = (db: Queryable, { ownerId, text }: Search): Promise<SearchResult[]> =>
  fetchResults(
    db,
    "link",
    sql`select l.link_id as id, coalesce(l.title, l.description) as title, l.link_id as detail
      from ((select l.* from (select ${agents.id} from ${agents} where ${agents.ownerId} = ${ownerId}
            and ${agents.deletedAt} is null order by ${agents.createdAt} desc limit ${GROUPS_READ}) a
          cross join lateral (select * from ${paymentLinks} where ${paymentLinks.agentId} = a.id
            and ${paymentLinks.deletedAt} is null order by ${paymentLinks.id} desc limit ${OF_GROUP_READ}) l)
        union (select ${paymentLinks}.* from ${paymentLinks} join ${agents} on ${agents.id} = ${paymentLinks.agentId}
          where ${paymentLinks.linkId} = ${text} and ${agents.ownerId} = ${ownerId}
            and ${agents.deletedAt} is null and ${paymentLinks.deletedAt} is null)) l
      where ${mentions(text, sql`l.title`, sql`l.description`, sql`l.link_id`, sql`l.reference`)}
      order by l.id desc limit ${RESULTS_MAX}`,
  );

/** Payments by the owner's agents under mandates. */
export const findPayments = (db: Queryable, { ownerId, text }: Search): Promise<SearchResult[]> =>
  fetchResults(
    db,
    "payment",
    sql`select p.id, p.host as title, r.amount::text as detail
      from ((select p.* from (select ${mandates.id} from ${mandates} where ${mandates.ownerId} = ${ownerId}
            order by ${mandates.createdAt} desc, ${mandates.id} desc limit ${GROUPS_READ}) m
          cross join lateral (select * from ${payments} where ${payments.mandateId} = m.id
            order by ${payments.createdAt} desc limit ${OF_GROUP_READ}) p)
        union (select ${payments}.* from ${payments} join ${mandates} on ${mandates.id} = ${payments.mandateId}
          where ${payments.id} = ${text} and ${mandates.ownerId} = ${ownerId})) p
      join ${reservations} r on r.id = p.reservation_id
      where ${mentions(text, sql`p.host`, sql`p.resource`, sql`p.description`, sql`p.id`, sql`r.payee`)}
      order by p.created_at desc limit ${RESULTS_MAX}`,
  );

/** Payments that the owner's agents received. */
export const findSales = (db: Queryable, { ownerId, text }: Search): Promise<SearchResult[]> =>
  fetchResults(
    db,
    "sale",
    sql`select s.id::text as id, coalesce(s.title, t.description) as title, t.amount::text as detail
      from ((select * from ${receivedPayments} where ${receivedPayments.ownerId} = ${ownerId}
          order by ${receivedPayments.id} desc limit ${ROWS_READ})
        union (select * from ${receivedPayments} where ${receivedPayments.settlementId} = ${text}
          and ${receivedPayments.ownerId} = ${ownerId})) s
      join ${settlements} t on t.id = s.settlement_id
      where ${mentions(text, sql`s.title`, sql`t.description`, sql`t.payer`, sql`s.settlement_id`, sql`s.link_id`)}
      order by s.id desc limit ${RESULTS_MAX}`,
  );
