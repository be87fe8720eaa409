import { readFileSync, writeFileSync } from "node:fs";
import { EVENT_TYPES, entryOf } from "@/lib/webhooks/catalogue";

export const WEBHOOK_DOCS = "docs/webhooks.md";
const BEGIN = "<!-- The table is written by `npx tsx dev/docs/webhooks.ts`. -->\n";
const END = "<!-- End of the table. -->";

/** `text`, a form of docs/webhooks.md, with the table of events as the catalogue has it. */
export function withEvents(text: string): string {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${WEBHOOK_DOCS} has no place for the table`);
  const rows = EVENT_TYPES.map((type) => {
    const { says, subject, data } = entryOf(type);
    const members = Object.entries(data).map(([name, means]) => `\`${name}\`: ${means}`);
    return `| \`${type}\` | ${says} | ${[`\`${subject}\``, ...members].join("; ")} |\n`;
  });
  return `${before}${BEGIN}\n| type | when | \`data\`, besides \`agentId\` |\n|---|---|---|\n${rows.join("")}\n${END}${after}`;
}

if (import.meta.filename === process.argv[1]) {
  writeFileSync(WEBHOOK_DOCS, withEvents(readFileSync(WEBHOOK_DOCS, "utf8")));
}
