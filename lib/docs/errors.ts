import type { Endpoint } from "@/lib/core/endpoint";
import { type FailureTable, type Remedies, STATUS } from "@/lib/core/errors";
import { RETRY_RULES, type RetryRule, retryRule } from "@/lib/core/retry";
import { edgeErrors } from "@/lib/http/errors";
import { codesOf, isPaid } from "@/lib/openapi/failures";
import type { Generated } from "./generated";
import * as remedies from "./remedies";

/** The remedies of all modules. */
export const REMEDIES: Remedies = Object.fromEntries(Object.values(remedies).flatMap((some) => Object.entries(some)));

/** An error code, compared case-insensitively, with everything that the contracts say about it. */
export type CodeEntry = {
  /** Lower case. */
  readonly key: string;
  /** The spellings that the surfaces send. */
  readonly forms: readonly string[];
  readonly statuses: readonly number[];
  readonly messages: readonly string[];
  readonly rules: readonly RetryRule[];
  readonly endpoints: readonly Endpoint[];
};

type Occurrence = { form: string; status: number; message: string | undefined; endpoint: Endpoint };

/** Codes of a 402 that refuses a proof, with their messages. */
export type RefusalTable = Readonly<Record<string, string>>;

const messageIn = (table: FailureTable, form: string): string | undefined =>
  Object.entries(table).find(([code]) => code.toLowerCase() === form.toLowerCase())?.[1][1];

function occurrencesIn(endpoint: Endpoint, refusals: RefusalTable): Occurrence[] {
  const declared = [...codesOf(endpoint)].flatMap(([status, forms]) =>
    [...forms].map((form) => {
      const message = messageIn(endpoint.errors, form) ?? messageIn(edgeErrors.table, form);
      return { form, status, message, endpoint };
    }),
  );
  const refusalOccurrences = Object.entries(isPaid(endpoint) ? refusals : {}).map(([form, message]) => {
    return { form, message, endpoint, status: STATUS.payment_required };
  });
  return [...declared, ...refusalOccurrences];
}

const distinct = <V>(values: readonly V[]): V[] => [...new Set(values)];

const KIND_OF = new Map(
  Object.entries(STATUS).map(([kind, status]) => [status as number, kind as keyof typeof STATUS]),
);

const ruleOf = ({ form, status }: Occurrence): RetryRule => retryRule(form, KIND_OF.get(status) ?? "internal");

/** Every code that a client can receive, sorted by its lower-case form. */
export function catalogueOf(endpoints: readonly Endpoint[], refusals: RefusalTable): readonly CodeEntry[] {
  const all = endpoints.flatMap((endpoint) => occurrencesIn(endpoint, refusals));
  const keys = distinct(all.map(({ form }) => form.toLowerCase())).sort();
  return keys.map((key) => {
    const occurrences = all.filter(({ form }) => form.toLowerCase() === key);
    return {
      key,
      forms: distinct(occurrences.map(({ form }) => form)),
      statuses: distinct(occurrences.map(({ status }) => status)).sort((a, b) => a - b),
      // Identity endpoints use the code itself as the message.
      messages: distinct(occurrences.flatMap(({ message }) => message ?? [])).filter(
        (message) => message.toLowerCase() !== key,
      ),
      rules: distinct(occurrences.map(ruleOf)),
      endpoints: distinct(occurrences.map(({ endpoint }) => endpoint)),
    };
  });
}

export const errorPath = (code: string): string => `/docs/errors/${code.toLowerCase()}`;

/** Above this number, endpoints are counted instead of listed. */
const LISTED_MAX = 30;

function pageOf({ key, forms, statuses, messages, rules, endpoints }: CodeEntry, addressOf: AddressOf): string {
  const remedy = REMEDIES[key];
  const lines = [
    `# ${forms[0] ?? key}`,
    `HTTP ${statuses.join(" or ")}.${forms.length > 1 ? ` Some endpoints spell it ${spelled(forms.slice(1))}.` : ""}`,
    ...messages.map((message) => `> ${message}`),
    ...(remedy ? ["## Cause", remedy.cause, "## What to do", remedy.remedy] : []),
    "## Retry rule",
    ...rules.map((rule) => `\`${rule}\`: ${RETRY_RULES[rule]}. The error's own \`retry\` decides.`),
    "## Where it occurs",
    endpoints.length > LISTED_MAX
      ? `${endpoints.length} endpoints can return it; the [reference](/docs/reference) has the codes of each.`
      : endpoints.map((e) => `- [\`${e.method} ${e.path}\`](${addressOf(e)})`).join("\n"),
  ];
  return `${lines.join("\n\n")}\n`;
}

/** The URL of an endpoint's section in the reference. */
export type AddressOf = (endpoint: Endpoint) => string;

const spelled = (forms: readonly string[]): string => forms.map((form) => `\`${form}\``).join(", ");

const GROUP = "Reference";

const HEAD = `# Error codes

Every error code of the service, with its HTTP status. Compare \`code\`, never the message, and read the
[retry rules](/docs/retry-rules) before you repeat a payment. Endpoints of what is sold and of its payments (links, agents'
addresses and invoices, received payments, refunds by agents, settlements, the firewall, top-ups, discovery) spell codes in upper case, all
others in lower case: compare without regard to case.
`;

/** A list of all codes, and one page per code. */
export function errorPages(catalogue: readonly CodeEntry[], addressOf: AddressOf): readonly Generated[] {
  const rows = catalogue.map(({ key, forms, statuses, messages }) => {
    return `| [\`${forms[0] ?? key}\`](${errorPath(key)}) | ${statuses.join(", ")} | ${messages[0] ?? ""} |`;
  });
  const rules = Object.entries(RETRY_RULES).map(([rule, text]) => `| \`${rule}\` | ${text} |`);
  const meaning = `## What retry means\n\n| \`retry\` | do |\n|---|---|\n${rules.join("\n")}\n`;
  const list = `${HEAD}\n${meaning}\n## All codes\n\n| code | status | message |\n|---|---|---|\n${rows.join("\n")}\n`;
  return [
    {
      slug: "errors",
      label: "Error codes",
      summary: "Every error code with its status, its cause, its remedy and its retry rule",
      group: GROUP,
      markdown: list,
      isListed: true,
    },
    ...catalogue.map((entry) => ({
      slug: `errors/${entry.key}`,
      label: entry.forms[0] ?? entry.key,
      summary: `Cause and remedy of the error ${entry.forms[0] ?? entry.key}`,
      group: GROUP,
      markdown: pageOf(entry, addressOf),
      isListed: false,
    })),
  ];
}
