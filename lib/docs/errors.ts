import type { Endpoint } from "@/lib/core/endpoint";
import { type FailureTable, STATUS } from "@/lib/core/errors";
import { edgeErrors } from "@/lib/http/errors";
import type { Generated } from "./generated";
import { REMEDIES } from "./remedies";

/** A code as clients compare it, whatever its case, with everything that the contracts say about it. */
export type CodeEntry = {
  /** Lower case. */
  readonly key: string;
  /** As the different surfaces send it. */
  readonly forms: readonly string[];
  readonly statuses: readonly number[];
  readonly messages: readonly string[];
  /** Empty for a code that every endpoint can return. */
  readonly endpoints: readonly Endpoint[];
};

const CASES: Record<Endpoint["surface"], (code: string) => string> = {
  wallet: (code) => code.toLowerCase(),
  resource: (code) => code.toUpperCase(),
  identity: (code) => code,
};

type Occurrence = { form: string; status: number; message: string; endpoint: Endpoint | null };

const occurrencesIn = (table: FailureTable, endpoint: Endpoint | null): Occurrence[] =>
  Object.entries(table).map(([code, [kind, message]]) => ({
    form: CASES[endpoint?.surface ?? "wallet"](code),
    status: STATUS[kind],
    message,
    endpoint,
  }));

/** The code of a 402 that refuses a proof, and its message. */
export type RefusalTable = Readonly<Record<string, string>>;

const refusalsOf = (refusals: RefusalTable, endpoint: Endpoint): Occurrence[] =>
  endpoint.surface === "resource" && "402" in endpoint.response
    ? Object.entries(refusals).map(([form, message]) => ({
        ...{ form, message, endpoint },
        status: STATUS.payment_required,
      }))
    : [];

const distinct = <V>(values: readonly V[]): V[] => [...new Set(values)];

/** Every code that a client can receive, by its lower-case form, in alphabetical order. */
export function catalogueOf(endpoints: readonly Endpoint[], refusals: RefusalTable): readonly CodeEntry[] {
  const everywhere = occurrencesIn(edgeErrors.table, null);
  const all = [
    ...everywhere,
    ...endpoints.flatMap((endpoint) => [
      ...occurrencesIn(endpoint.errors, endpoint),
      ...refusalsOf(refusals, endpoint),
    ]),
  ];
  const keys = distinct(all.map(({ form }) => form.toLowerCase())).sort();
  return keys.map((key) => {
    const of = all.filter(({ form }) => form.toLowerCase() === key);
    const isShared = everywhere.some(({ form }) => form.toLowerCase() === key);
    return {
      key,
      forms: distinct(of.map(({ form }) => form)),
      statuses: distinct(of.map(({ status }) => status)).sort((a, b) => a - b),
      // The messages of the identity endpoints are the codes themselves.
      messages: distinct(of.map(({ message }) => message)).filter((message) => message.toLowerCase() !== key),
      endpoints: isShared ? [] : distinct(of.flatMap(({ endpoint }) => endpoint ?? [])),
    };
  });
}

export const errorPath = (code: string): string => `/docs/errors/${code.toLowerCase()}`;

/** What the reference knows of an endpoint: where its section is. */
export type Places = {
  readonly retryRuleOf: (entry: CodeEntry) => string | null;
  readonly addressOf: (endpoint: Endpoint) => string;
};

function pageOf(entry: CodeEntry, { retryRuleOf, addressOf }: Places): string {
  const { key, forms, statuses, messages, endpoints } = entry;
  const remedy = REMEDIES[key];
  const rule = retryRuleOf(entry);
  const lines = [
    `# ${forms[0] ?? key}`,
    `HTTP ${statuses.join(" or ")}.${forms.length > 1 ? ` Some endpoints spell it ${spelled(forms.slice(1))}.` : ""}`,
    ...messages.map((message) => `> ${message}`),
    ...(remedy ? ["## Cause", remedy.cause, "## What to do", remedy.remedy] : []),
    ...(rule ? ["## Retry rule", rule] : []),
    "## Where it occurs",
    endpoints.length === 0
      ? "Every endpoint can return it."
      : endpoints.map((e) => `- [\`${e.method} ${e.path}\`](${addressOf(e)})`).join("\n"),
  ];
  return `${lines.join("\n\n")}\n`;
}

const spelled = (forms: readonly string[]): string => forms.map((form) => `\`${form}\``).join(", ");

const GROUP = "Reference";

const HEAD = `# Error codes

Every error code of the service, with its HTTP status. Compare \`code\`, never the message, and read the
[retry rules](/docs/retry-rules) before you repeat a payment. Endpoints of sellers (payment links, agents' addresses, the firewall)
spell codes in upper case, all others in lower case.
`;

/** The list of all codes and one page per code. */
export function errorPages(catalogue: readonly CodeEntry[], places: Places): readonly Generated[] {
  const rows = catalogue.map(({ key, forms, statuses, messages }) => {
    return `| [\`${forms[0] ?? key}\`](${errorPath(key)}) | ${statuses.join(", ")} | ${messages[0] ?? ""} |`;
  });
  const list = `${HEAD}\n| code | status | message |\n|---|---|---|\n${rows.join("\n")}\n`;
  return [
    { slug: "errors", label: "Error codes", group: GROUP, markdown: list, isListed: true },
    ...catalogue.map((entry) => ({
      slug: `errors/${entry.key}`,
      label: entry.forms[0] ?? entry.key,
      group: GROUP,
      markdown: pageOf(entry, places),
      isListed: false,
    })),
  ];
}
