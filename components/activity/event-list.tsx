import { ChevronRight, CircleAlert, CircleCheck, CircleDot, Info, TriangleAlert } from "lucide-react";
import { cx } from "@/components/ui/cx";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { NoteTone } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import { durationText } from "@/lib/core/time";
import { foldEvents } from "./fold-events";
import { accountWords, mandateWords, settingWords } from "./words/account";
import type { ActivityEvent, Describe, EventWords } from "./words/event";
import { linkWords, payeeWords, paymentWords, payoutWords, refundWords, settlementWords } from "./words/money";

/** What happened, newest first: one line for each sale and each refund. A line opens to the complete records. */
export function EventList({ events }: { events: readonly ActivityEvent[] }) {
  return (
    <ul aria-label="What happened, newest first" className="divide-y rounded-card border bg-card">
      {foldEvents(events).map(([event, ...others]) => (
        <li key={event.id} data-row={event.id}>
          <EventLine event={event} others={others} />
        </li>
      ))}
    </ul>
  );
}

function EventLine({ event, others }: { event: ActivityEvent; others: readonly ActivityEvent[] }) {
  const { says, tone, href } = wordsOf(event);
  const { Icon, colour } = MARKS[tone];
  return (
    <details className="group min-w-0">
      <summary className="flex min-h-12 list-none items-start gap-3 px-4 py-3.5 transition-colors hover:bg-sunk/60 sm:px-5">
        <Icon aria-hidden className={cx("mt-0.5 size-4 shrink-0", colour)} />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5">
          <span className="min-w-0 text-control">{says}</span>
          <Time at={event.at} form="short" className="text-small text-ink-2" />
        </span>
        <ChevronRight
          aria-hidden
          className="mt-0.5 size-4 shrink-0 text-ink-2 transition-transform group-open:rotate-90"
        />
      </summary>
      <div className="grid gap-4 border-t px-4 py-4 sm:px-5 sm:pl-12">
        <EventFacts event={event} />
        {others.map((other) => (
          <div key={other.id} className="grid gap-3 border-t pt-4">
            <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 text-small">
              <span className="min-w-0">{wordsOf(other).says}</span>
              <Time at={other.at} form="short" className="text-ink-2" />
            </p>
            <EventFacts event={other} />
          </div>
        ))}
        {href !== undefined && (
          <p className="text-small">
            <Link href={href} className="font-medium text-brand underline underline-offset-4">
              {hrefWords(href)}
            </Link>
          </p>
        )}
      </div>
    </details>
  );
}

function EventFacts({ event }: { event: ActivityEvent }) {
  return (
    <Facts className="text-small">
      <Fact label="Event">
        <span className="mono">{event.type}</span>
      </Fact>
      {!Object.values(event.meta).includes(event.subject) && (
        <Fact label="About">
          <span className="mono">{event.subject}</span>
        </Fact>
      )}
      {event.agentId !== null && event.agentId !== event.subject && (
        <Fact label="Agent">
          <span className="mono">{event.agentId}</span>
        </Fact>
      )}
      {Object.entries(event.meta)
        .filter(([name]) => name !== "from" && name !== "to")
        .map(([name, value]) => (
          <Fact key={name} label={spaced(name)}>
            <bdi className="mono">{written(name, value)}</bdi>
          </Fact>
        ))}
      {differences(event.meta).map(({ name, from, to }) => (
        <Fact key={name} label={spaced(name)}>
          from <bdi className="mono">{written(name, from)}</bdi> to <bdi className="mono">{written(name, to)}</bdi>
        </Fact>
      ))}
      <Fact label="Id">
        <span className="mono">{event.id}</span>
      </Fact>
    </Facts>
  );
}

const MARKS = {
  neutral: { Icon: CircleDot, colour: "text-ink-3" },
  info: { Icon: Info, colour: "text-info" },
  good: { Icon: CircleCheck, colour: "text-good" },
  warn: { Icon: TriangleAlert, colour: "text-warn" },
  bad: { Icon: CircleAlert, colour: "text-bad" },
} satisfies Record<NoteTone, { Icon: typeof Info; colour: string }>;

/** Labels for fields of credentials; other field names are split into words. */
const NAMES: Record<string, string> = {
  jti: "Credential (jti)",
  ttl_seconds: "Valid for",
  challenge_sha256: "SHA-256 of its challenge",
};

/** "limitAmount" → "Limit amount". */
const spaced = (name: string) => {
  const phrase = name
    .replaceAll("_", " ")
    .replace(
      /([a-z0-9])([A-Z])/g,
      (_, previousChar: string, capital: string) => `${previousChar} ${capital.toLowerCase()}`,
    );
  return NAMES[name] ?? phrase.charAt(0).toUpperCase() + phrase.slice(1);
};

function written(name: string, value: unknown): string {
  if (/amount/i.test(name) && typeof value === "string" && /^\d+$/.test(value)) {
    return `${value} (${usdcText(BigInt(value))})`;
  }
  if (/_seconds$/.test(name) && typeof value === "number") return `${durationText(value)} (${value} s)`;
  if (value === null || value === undefined) return "none";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > WRITTEN_MAX ? `${text.slice(0, WRITTEN_MAX)}… (the CSV has all of it)` : text;
}

const WRITTEN_MAX = 2000;

/** The changes of an edit, field by field. */
function differences({ from, to }: Record<string, unknown>): { name: string; from: unknown; to: unknown }[] {
  if (typeof from !== "object" || typeof to !== "object" || from === null || to === null) return [];
  const oldValues = new Map<string, unknown>(Object.entries(from));
  return Object.entries(to).map(([name, value]) => ({ name, from: oldValues.get(name), to: value }));
}

function hrefWords(href: string): string {
  if (href.startsWith("/mandates/")) return "See the mandate";
  if (href.startsWith("/dashboard/links/")) return "See the payment link";
  if (href.startsWith("/dashboard/invoices/")) return "See the invoice";
  if (href.startsWith("/authorize/payment/")) return "See the request";
  if (href.startsWith("/authorize/refund/")) return "See the refund";
  if (href === "/identity") return "Verify a credential";
  return href.startsWith("/receipt/") ? "See the receipt" : "See your payments";
}

/** Describes an event; an unknown type is shown by its name. */
const wordsOf = (event: ActivityEvent): EventWords =>
  (DESCRIPTIONS[event.type] ?? unknown)(event, <Name event={event} />);

/** The agent's name, which is untrusted: isolated, so that it cannot change the direction of the surrounding text. */
function Name({ event }: { event: ActivityEvent }) {
  if (event.agentName === null) return "An agent";
  return <bdi className="font-medium [overflow-wrap:anywhere]">{event.agentName}</bdi>;
}

const unknown: Describe = (event) => ({ says: <span className="mono">{event.type}</span>, tone: "neutral" });

const DESCRIPTIONS: Record<string, Describe> = {
  ...accountWords,
  ...settingWords,
  ...mandateWords,
  ...payeeWords,
  ...paymentWords,
  ...linkWords,
  ...refundWords,
  ...payoutWords,
  ...settlementWords,
};
