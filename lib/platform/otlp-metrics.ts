import type { HrTime } from "@opentelemetry/api";
import { AggregationTemporality, DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import type { MetricValue } from "prom-client";
import type { MetricSnapshot } from "./metrics";

type Labels = MetricValue<string>["labels"];
type Value = MetricValue<string> & { metricName?: string };

/** The metrics in OpenTelemetry's form: one set of instruments serves both readers. `since`: the start of this process. */
export function toOtlp(metrics: readonly MetricSnapshot[], since: HrTime, now: HrTime): MetricData[] {
  return metrics.map((metric): MetricData => {
    const values: Value[] = metric.values;
    const common = {
      descriptor: { name: metric.name, description: metric.help, unit: unitOf(metric.name), valueType: DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const point = <T>(attributes: Labels, value: T) => ({ startTime: since, endTime: now, attributes, value });
    // The library's types call it an enum, its values are these words.
    const type = String(metric.type);
    if (type === "histogram") {
      const series = [...seriesOf(values)].map(([, of]) => point(of.labels, histogram(metric.name, of.values)));
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: series };
    }
    const dataPoints = values.map(({ labels, value }) => point(labels, value));
    if (type === "counter") return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

const DOUBLE = 1;

const unitOf = (name: string) => (name.endsWith("_seconds") ? "s" : "");

/** The values of a histogram by their labels other than the bucket's bound. */
function seriesOf(values: readonly Value[]): Map<string, { labels: Labels; values: Value[] }> {
  const series = new Map<string, { labels: Labels; values: Value[] }>();
  for (const value of values) {
    const { le, ...labels } = value.labels;
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const found = series.get(key) ?? { labels, values: [] };
    found.values.push(value);
    series.set(key, found);
  }
  return series;
}

/** Prometheus counts what is at most each bound; OpenTelemetry what is between two bounds, and above the last. */
function histogram(name: string, values: readonly Value[]) {
  const buckets = values.filter(({ labels }) => labels.le !== undefined && labels.le !== "+Inf");
  const sorted = buckets.toSorted((a, b) => Number(a.labels.le) - Number(b.labels.le));
  const of = (suffix: string) => values.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const upTo = [...sorted.map(({ value }) => value), of("count")];
  return {
    buckets: {
      boundaries: sorted.map(({ labels }) => Number(labels.le)),
      counts: upTo.map((count, at) => count - (upTo[at - 1] ?? 0)),
    },
    sum: of("sum"),
    count: of("count"),
  };
}
