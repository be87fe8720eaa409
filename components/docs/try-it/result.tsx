import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Copy } from "@/components/ui/copy";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { type Answer, decoded } from "./response";
import type { Sending } from "./use-send";

/** The response, or what became of the request. Only the first line is read aloud when it changes. */
export function Result({ sending }: { sending: Sending }) {
  return (
    <div className="grid min-w-0 gap-3 border-t pt-4">
      <div role="status" className="text-small">
        {sending.state === "done" ? <Head answer={sending.answer} /> : WORDS[sending.state]}
      </div>
      {sending.state === "failed" && (
        <Note tone="bad" title="No response">
          The service did not answer, or redirected to another site. What the request did is unknown.
        </Note>
      )}
      {sending.state === "done" && <Details answer={sending.answer} />}
    </div>
  );
}

const WORDS = {
  empty: <span className="text-ink-2">The response appears here.</span>,
  sending: <span className="text-ink-2">Waiting for the response…</span>,
  cancelled: <span className="text-ink-2">Cancelled. The service may have received the request.</span>,
  failed: <span className="sr-only">No response. What the request did is unknown.</span>,
};

const Head = ({ answer: { status, statusText, milliseconds } }: { answer: Answer }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <Badge tone={toneOf(status)}>
      {status} {statusText}
    </Badge>
    <span className="text-ink-2">{milliseconds} ms</span>
  </span>
);

const toneOf = (status: number): BadgeTone => {
  if (status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "info" : "good";
};

function Details({ answer: { headers, text, isCut } }: { answer: Answer }) {
  const contents = headers.flatMap(([name, value]) => {
    const content = decoded(value);
    return content === null ? [] : [{ name, content }];
  });
  return (
    <>
      {headers.length > 0 && (
        <dl className="grid gap-2 text-small">
          {headers.map(([name, value]) => (
            <div key={name} className="grid items-baseline gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
              <dt className="text-ink-2">{name}</dt>
              <dd className="flex min-w-0 items-center gap-1.5">
                <span className="line-clamp-3 min-w-0 flex-1 [overflow-wrap:anywhere]">{value}</span>
                <Copy value={value} label={`Copy ${name}`} iconOnly />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {contents.map(({ name, content }) => (
        <div key={name} className="grid min-w-0 gap-1.5">
          <p className="text-small font-medium">{name}, decoded</p>
          <JsonView value={content} label={`${name}, decoded`} />
        </div>
      ))}
      <div className="grid min-w-0 gap-1.5">
        <p className="text-small font-medium">Body</p>
        {text === "" ? (
          <p className="text-small text-ink-2">The response has no body.</p>
        ) : (
          <JsonView value={text} label="Response body" />
        )}
        {isCut && <p className="text-small text-ink-2">Only the beginning is shown. Use curl to get all of it.</p>}
      </div>
    </>
  );
}
