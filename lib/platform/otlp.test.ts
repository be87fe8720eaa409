import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { shownSpan, toOtlp } from "./otlp";

test("counters, gauges and histograms are exported with their values, labels and bounds", async () => {
  const registry = new Registry();
  const on = { help: "h", registers: [registry] };
  new Counter({ name: "sent_total", labelNames: ["to"], ...on }).inc({ to: "a" }, 3);
  new Gauge({ name: "open", ...on }).set(7);
  const seconds = new Histogram({ name: "wait_seconds", labelNames: ["route"], buckets: [1, 5], ...on });
  for (const each of [0.5, 1, 4, 9]) seconds.observe({ route: "/x" }, each);
  seconds.observe({ route: "/y" }, 2);

  const [sent, open, wait] = toOtlp(await registry.getMetricsAsJSON(), [1, 0], [2, 0]);
  const of = (metric: typeof sent) => metric?.dataPoints.map(({ attributes, value }) => ({ attributes, value }));
  expect(sent).toMatchObject({ descriptor: { name: "sent_total" }, isMonotonic: true });
  expect(of(sent)).toEqual([{ attributes: { to: "a" }, value: 3 }]);
  expect(of(open)).toEqual([{ attributes: {}, value: 7 }]);
  expect(wait?.descriptor.unit).toBe("s");
  expect(of(wait)).toEqual([
    {
      attributes: { route: "/x" },
      value: { buckets: { boundaries: [1, 5], counts: [2, 1, 1] }, sum: 14.5, count: 4 },
    },
    { attributes: { route: "/y" }, value: { buckets: { boundaries: [1, 5], counts: [0, 1, 0] }, sum: 2, count: 1 } },
  ]);
});

test("a trace span shows its route, but no queries, other attributes, errors or links", () => {
  class Span {
    readonly name = "GET /approve?token=secret";
    readonly attributes = {
      "http.route": "/approve?token=secret",
      "http.target": "/approve?token=secret",
      "http.status_code": 200,
      "db.query.text": "select ? from x",
      "user.agent": "secret",
    };
    readonly events = [{ name: "exception", attributes: { "exception.message": "secret" } }];
    readonly links = ["secret"];
    readonly status = { code: 2, message: "secret" };
    readonly id = "1";
    spanContext() {
      return { spanId: this.id };
    }
  }
  const shown = shownSpan(new Span());
  const { name, attributes, events, links, status } = shown;
  expect({ name, attributes, events, links, status, id: shown.spanContext().spanId }).toEqual({
    name: "GET /approve",
    attributes: { "http.route": "/approve", "http.status_code": 200, "db.query.text": "select ? from x" },
    events: [],
    links: [],
    status: { code: 2 },
    id: "1",
  });
});
