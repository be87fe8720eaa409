import type { HrTime } from "@opentelemetry/api";
import { AggregationTemporality, DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import type { MetricValue } from "prom-client";
import type { MetricSnapshot } from "./metrics";

type Labels = MetricValue<string>["labels"];
type SeriesValue = MetricValue<string> & { metricName?: string };

/** The metrics in OpenTelemetry's form: one set of instruments serves both readers. `since`: the start of this process. */
export function toOtlp(metrics: readonly MetricSnapshot[], since: HrTime, endTime: HrTime): MetricData[] {
  return metrics.map((metric): MetricData => {
    const values: SeriesValue[] = metric.values;
    const common = {
      descriptor: {
        name: metric.name,
        description: metric.help,
        unit: metric.name.endsWith("_seconds") ? "s" : "",
        valueType: DOUBLE,
      },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const point = <T>(attributes: Labels, value: T) => ({ startTime: since, endTime: endTime, attributes, value });
    // The library types it as an enum, but its values are these strings.
    const type = String(metric.type);
    if (type === "histogram") {
      const series = [...seriesOf(values)].map(([, group]) =>
        point(group.labels, histogram(metric.name, group.values)),
      );
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: series };
    }
    const dataPoints = values.map(({ labels, value }) => point(labels, value));
    if (type === "counter") return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

const DOUBLE = 1;

/** Groups a histogram's values by their labels without `le`. */
function seriesOf(values: readonly SeriesValue[]): Map<string, { labels: Labels; values: SeriesValue[] }> {
  const series = new Map<string, { labels: Labels; values: SeriesValue[] }>();
  for (const value of values) {
    const { le, ...labels } = value.labels;
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = series.get(key) ?? { labels, values: [] };
    group.values.push(value);
    series.set(key, group);
  }
  return series;
}

/** Prometheus counts the values up to each bound; OpenTelemetry those between two bounds, and above the last. */
function histogram(name: string, values: readonly SeriesValue[]) {
  const buckets = values.filter(({ labels }) => labels.le !== undefined && labels.le !== "+Inf");
  const sorted = buckets.toSorted((a, b) => Number(a.labels.le) - Number(b.labels.le));
  const readTotal = (suffix: string) => values.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const upTo = [...sorted.map(({ value }) => value), readTotal("count")];
  return {
    buckets: {
      boundaries: sorted.map(({ labels }) => Number(labels.le)),
      counts: upTo.map((count, index) => count - (upTo[index - 1] ?? 0)),
    },
    sum: readTotal("sum"),
    count: readTotal("count"),
  };
}

/** Attributes of spans that leave the service. Everything else could hold a query, a token or a key, and is left out. */
const SHOWN = new Set([
  "http.method",
  "http.route",
  "http.status_code",
  "next.route",
  "next.span_name",
  "next.span_type",
  "db.system.name",
  "db.query.text",
  "db.response.status_code",
]);

type Attributes = Record<string, unknown>;

/** The name of a span may contain a request's path and query. */
const withoutQuery = (text: string): string => (/^[A-Z]+ \/|^\//.test(text) ? (text.split("?")[0] ?? "") : text);

/** The span without data that must not leave the service: other attributes, recorded errors, links and the status message. */
export function shownSpan<S extends { name: string; attributes: Attributes; status: { code: number } }>(span: S): S {
  const overrides = {
    name: withoutQuery(span.name),
    attributes: Object.fromEntries(
      Object.entries(span.attributes).flatMap(([name, value]) =>
        SHOWN.has(name) ? [[name, typeof value === "string" ? withoutQuery(value) : value]] : [],
      ),
    ),
    events: [],
    links: [],
    status: { code: span.status.code },
  };
  return Object.create(
    span,
    Object.fromEntries(Object.entries(overrides).map(([name, value]) => [name, { value, enumerable: true }])),
  );
}
