import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { context, type HrTime, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  emptyResource,
  envDetector,
  hostDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { measure } from "@/lib/metrics";
import type { System } from "@/lib/platform/context";
import { shownSpan, toOtlp } from "@/lib/platform/otlp";

export type Tracing = {
  /** Runs a handler inside the span of a request. `run` resolves to false if another handler responds. */
  trace: (req: IncomingMessage, res: ServerResponse, route: string, run: () => Promise<boolean>) => Promise<boolean>;
  stop: () => Promise<void>;
};

const SERVICE = "tessera";
const STOP_MS_MAX = 1_000;
const TIMEOUT_MS = 30_000;

/**
 * Sends traces and metrics over OTLP/HTTP. The SDK reads its own OTEL_ variables: address, headers, sampling, interval. Next and
 * ops/server create a span for each request, and db.ts one for each query.
 */
export function startTelemetry({ log }: System): Tracing {
  const since = hrTime();
  // The SDK reads this variable only for readers that it creates itself.
  const intervalMs = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL);
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    ...(intervalMs > 0 && {
      exportIntervalMillis: intervalMs,
      exportTimeoutMillis: Math.min(intervalMs, TIMEOUT_MS),
    }),
    metricProducers: [
      {
        collect: async () => ({
          resourceMetrics: {
            resource: emptyResource(),
            scopeMetrics: [{ scope: { name: SERVICE }, metrics: toOtlp(await measure(), since, hrTime()) }],
          },
          errors: [],
        }),
      },
    ],
  });
  // The process detector is left out: it would send the command line.
  const resource = resourceFromAttributes({ "service.instance.id": randomUUID() })
    .merge(detectResources({ detectors: [envDetector, hostDetector] }))
    .merge(resourceFromAttributes({ "service.name": process.env.OTEL_SERVICE_NAME ?? SERVICE }));
  const meters = new MeterProvider({ resource, readers: [reader] });
  const tracers = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new ShownSpans())] });
  tracers.register();
  return {
    trace: traceRequest,
    // A receiver that does not answer must not delay the end of this process.
    stop: async () => {
      const shutdown = Promise.all([tracers.shutdown(), meters.shutdown()]).catch((err: unknown) =>
        log.warn({ err }, "telemetry.export_failed"),
      );
      await Promise.race([shutdown, sleep(STOP_MS_MAX)]);
    },
  };
}

/** Runs `run` inside the span of a request, which continues the caller's trace. `run` resolves to false if another handler responds. */
async function traceRequest(
  req: IncomingMessage,
  res: ServerResponse,
  route: string,
  run: () => Promise<boolean>,
): Promise<boolean> {
  const attributes = { "http.method": req.method ?? "", "http.route": route };
  const caller = propagation.extract(context.active(), req.headers);
  const span = trace
    .getTracer(SERVICE)
    .startSpan(`${req.method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller);
  const end = (status: number) => {
    span.setAttribute("http.status_code", status);
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  try {
    const isDone = await context.with(trace.setSpan(caller, span), run);
    // A span that does not end is never sent.
    if (isDone) end(res.statusCode);
    return isDone;
  } catch (error) {
    end(FAILED);
    throw error;
  }
}

/** The status that ops/server sends when a handler throws. */
const FAILED = 500;

class ShownSpans extends OTLPTraceExporter {
  override export(...[spans, done]: Parameters<OTLPTraceExporter["export"]>): void {
    super.export(spans.map(shownSpan), done);
  }
}

function hrTime(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
