import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { exercise, withData } from "@/dev/bench/data";
import { readingsOf } from "@/dev/bench/plans";
import { sizeOf } from "@/dev/bench/seed-data";

/** Every list and every hot path reads a few rows along an index, however much there is. DATA_PAYMENTS sets how much. */
const START_MS = 900_000;
const PAYMENTS = Number(process.env.DATA_PAYMENTS ?? 30_000);
/**
 * Statements that do read more, and why. Figures sum up what they are about.
 */
const KNOWN: readonly RegExp[] = [
  // Figures of sales in a period.
  /^select "settlements"\."network", "received_payments"\."created_at" >= \$1 as "is_current"/,
  // Figures of all payments of an owner's agents.
  /^select "reservations"\."network", coalesce\(sum\("reservations"\."amount"\) filter/,
  // A filter by a type of event that hardly occurs reads the events of the other types.
  /from "events" where \(\("events"\."owner_id" = \$1 and "events"\."agent_id" = \$2\) and "events"\."type" = \$3\)/,
  // The search looks through a fixed number of the newest rows.
  /^select s\.id::text as id, coalesce\(s\.title, t\.description\) as title/,
];
/** A page has at most a few hundred rows. Statements that read more would become slower with every payment. */
const ROWS_MAX = 1_500;
const BIG = new Set([
  "payments",
  "reservations",
  "settlements",
  "received_payments",
  "ledger_entries",
  "events",
  "payment_links",
  "link_visits",
  "webhook_deliveries",
  "approvals",
  "payees",
  "refunds",
  "invoices",
]);

test(
  `no list reads more than ${ROWS_MAX} rows from a table with ${PAYMENTS} payments`,
  async () => {
    await withData(
      sizeOf(PAYMENTS),
      () => {},
      async (service) => {
        const timed = await exercise(service);
        expect(timed.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
        await sleep(1_000);
        const plans = service.plans();
        expect(plans.length).toBeGreaterThan(100);
        const readings = readingsOf(plans).filter(({ relation }) => BIG.has(relation));
        const tooMuch = readings.filter(({ rows, text }) => rows > ROWS_MAX && !KNOWN.some((each) => each.test(text)));
        expect(
          tooMuch.map(({ how, relation, rows, text }) => `${how} ${relation}: ${rows} rows: ${text.slice(0, 300)}`),
        ).toEqual([]);
        // Whole tables, even where the test's are small enough for it.
        const whole = readings.filter(
          ({ how, text }) => how.includes("Seq Scan") && !KNOWN.some((each) => each.test(text)),
        );
        expect(whole.map(({ how, relation, text }) => `${how} ${relation}: ${text.slice(0, 300)}`)).toEqual([]);
        for (const { path, ms } of timed.toSorted((a, b) => b.ms - a.ms).slice(0, 8))
          console.log(`${ms.toFixed(0)} ms ${path}`);
      },
    );
  },
  START_MS,
);
