import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

export type Run = (args: unknown[]) => unknown;

/** Runs a query inside a span with its text, never its parameters. Only within another span: jobs that poll would fill the receiver. */
export function tracedQuery(args: unknown[], run: Run): unknown {
  const text = textOf(args[0]);
  if (text === null || !trace.getActiveSpan()) return run(args);
  const span = trace.getTracer("tessera").startSpan(nameOf(text), {
    kind: SpanKind.CLIENT,
    attributes: { "db.system.name": "postgresql", "db.query.text": text },
  });
  const done = args.at(-1);
  if (typeof done === "function") {
    const ended = (...result: unknown[]) => {
      end(span, result[0]);
      done(...result);
    };
    return run([...args.slice(0, -1), ended]);
  }
  return Promise.resolve(run(args)).then(
    (value) => {
      end(span, null);
      return value;
    },
    (error: unknown) => {
      end(span, error);
      throw error;
    },
  );
}

function end(span: Span, error: unknown): void {
  if (error) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const nameOf = (text: string) => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "SQL";

function textOf(query: unknown): string | null {
  if (typeof query === "string") return query;
  if (typeof query !== "object" || query === null || !("text" in query)) return null;
  return typeof query.text === "string" ? query.text : null;
}
