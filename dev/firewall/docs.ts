import { RULESET_VERSION } from "@tessera/firewall";
import {
  promptLimitations,
  promptRules,
  TRANSACTION_LIMITATIONS,
  transactionRules,
  X402_LIMITATIONS,
  x402Rules,
} from "@tessera/firewall/rules";
import {
  blockFrom,
  findingsMax,
  type Rule,
  reviewFrom,
  scoreMax,
  severities,
  severityWeights,
  weightOf,
} from "@tessera/firewall/verdict";
import { z } from "zod";
import {
  BODY_BYTES_MAX,
  PROMPT_LENGTH_MAX,
  promptRequest,
  transactionRequest,
  x402Request,
} from "@/lib/firewall/requests";
import type { Measured } from "@/packages/firewall/bench/figures";
import { accuracy, figures, table } from "./docs-figures";

/** docs/firewall.md, with rules, limits and figures from the code that defines them. */
export function firewallDocument(measured: Measured): string {
  return `${[
    introduction,
    accuracy(measured),
    verdicts(),
    ...SCANS.map(scanSection),
    selling(),
    COMMAND_LINE,
    figures(measured),
  ].join("\n\n")}\n`;
}

type Scan = {
  title: string;
  what: string;
  path: string;
  request: z.ZodType;
  bytesMax: number;
  rules: Record<string, Rule>;
  answer: string;
  limitations: string;
};

const SCANS: readonly Scan[] = [
  {
    title: "Transaction scan",
    what: "Decodes an unsigned EVM transaction and says what it would do. Malformed content is a finding, not an error.",
    path: "scan",
    request: transactionRequest,
    bytesMax: BODY_BYTES_MAX.transaction,
    rules: transactionRules,
    answer:
      "`normalized` has `chainId`, `to` (checksummed, null without a valid one), `selector`, `hasNativeValue` and `calls`: " +
      "the transaction's own call with the calls inside it, each with `to`, `selector`, `function`, `valueWei`, `arguments` and `calls`.\n\n" +
      "Amounts are strings, because JSON numbers lose digits: `valueWei` and its alias `value` are strings of decimal digits in wei " +
      '(`"1000000000000000000"` is one ether). `value` may be hex with 0x, as a wallet sends it to a node, also with leading zeros. A number ' +
      "is refused with 400; hex in `valueWei`, a sign or a decimal point is a finding. The chain is also read from `chainID`, `networkId`, " +
      "`network_id` and `chain`, which may be viem's object with an `id`; that they disagree is a finding.\n\n" +
      "Tokens and single tokens of collections are approved by the same function. A number that looks like a hash may be that of a single " +
      "token, or an allowance without a limit of a contract that is no collection: a person has to look. For the tokens of the table it is " +
      "without a limit.",
    limitations: TRANSACTION_LIMITATIONS,
  },
  {
    title: "x402 scan",
    what: "Checks the body of an unpaid 402 before it is paid, by itself and against the caller's expectations.",
    path: "x402-scan",
    request: x402Request,
    bytesMax: BODY_BYTES_MAX.x402,
    rules: x402Rules,
    answer:
      "`normalized` is a list of the options, each with `index`, `scheme`, `network`, `chainId`, `amountAtomic`, " +
      "`amountFormatted`, `payTo`, `asset`, `assetSymbol`, `resource`, `host`, `maxTimeoutSeconds` and `mimeType`; null where the " +
      "body has no value of the expected form.\n\n" +
      "Versions 1 and 2 of x402 are read, each by its own names: in version 2 the `amount`, the CAIP-2 name of a network, and one `resource` " +
      "for all options. Of several options, one on a supported network that meets every expectation is enough; that one on another " +
      "network does not then informs only. A recipient of its own there is still a finding for review, as is, unless `expected.network` is given, a " +
      "price in dollars that differs from the others. A name of a network that is not in its only form, such as `eip155:08453`, is no other " +
      "network.\n\n" +
      "Amounts in service credits are compared by their worth: a hundredth of a credit is 10,000 atomic USDC. An option that is signed for " +
      "Circle's Gateway, beside a standard one, informs only; one that is signed for another contract, or that pays by an allowance for " +
      "Permit2, is a finding for review. The address of a coin is no credential, also if its name is `token`.",
    limitations: X402_LIMITATIONS,
  },
  {
    title: "Prompt scan",
    what: "Searches untrusted text for instructions to its reader, and for secrets. The text is never followed.",
    path: "prompt-scan",
    request: promptRequest,
    bytesMax: BODY_BYTES_MAX.prompt,
    rules: promptRules,
    answer:
      "A statistical model scores the text, as written and in each form that it decodes to, by its most suspect stretches of words and its length. " +
      "`INJECTION_LIKELIHOOD` is its finding; its weight grows with the score, from 25 to 57 for review and from 75 for block. Findings of weight 0 explain the suspect passage " +
      "and are never found without it. Besides the model only hidden text, tokens of chat templates and secrets of wallets lead to a verdict.\n\n" +
      "`signals` says which parts of the text made the model suspicious, with `start`, `end` and `share`, their part of " +
      "its weight in per cent; without such a finding it is empty. `redactedPreview` is the beginning of the text with every recognised secret replaced by `[REDACTED]`, `inputLength` " +
      "its length in Unicode code points. A `span` counts UTF-16 units of the original text.\n\n" +
      `Both the size and the length are limited: ${BODY_BYTES_MAX.prompt / 1024} KB of JSON on the wire and ` +
      `${PROMPT_LENGTH_MAX.toLocaleString("en")} characters. Letters beyond ASCII take two to four bytes in UTF-8, or six or twelve ` +
      "as \\u escapes, so texts in other scripts reach the first limit first: about " +
      `${thousands(BODY_BYTES_MAX.prompt / 2)} Greek, Cyrillic, Hebrew or Arabic letters, ${thousands(BODY_BYTES_MAX.prompt / 3)} of ` +
      `Chinese, Japanese, Korean, Thai or Hindi, ${thousands(BODY_BYTES_MAX.prompt / 4)} emoji. Scan longer texts in parts that overlap.`,
    limitations: promptLimitations,
  },
];

/** Rounded down to thousands, because a body contains more than the text. */
function thousands(count: number): string {
  return (Math.floor(count / 1000) * 1000).toLocaleString("en");
}

const introduction = `# The firewall

Three scans that an agent can run before it signs, pays or reads. They are pure functions of their input and of one ruleset
(\`${RULESET_VERSION}\`: a version and a digest of every table and weight): the same input gives the same response, byte for
byte, on the server, in a browser and on the command line. This page is generated by \`npm run firewall:docs\`.`;

const verdicts = () => `## Verdict and score

Every response has \`verdict\`, \`riskScore\`, \`findings\`, \`limitations\` and \`rulesetVersion\`; a finding has \`severity\`, \`code\`,
\`message\` and, if it has a position, \`field\` or \`span\` (\`start\`, \`end\`). Messages are fixed sentences and never quote
the input.

${table(
  ["severity", "weight"],
  [...severities].map((severity) => [severity, `${severityWeights[severity]}`]),
)}

A rule may weigh more or less than its severity; the tables below show the weights. Each code counts once, with its
gravest rule. The score is the sum, at most ${scoreMax}. A finding of weight 0 informs only: it changes
neither the score nor the verdict.

- **block**: a critical finding, or a score of ${blockFrom} or more.
- **review**: a score of ${reviewFrom} or more.
- **pass**: anything else. It means that no known signal matched, or only weak ones; never that the input is safe.

At most ${findingsMax} findings are listed, gravest first, with at least one of each code.`;

const scanSection = ({ title, what, path, request, bytesMax, rules, answer, limitations }: Scan) => `## ${title}

${what} \`POST …/api/${path}\`, up to ${bytesMax / 1024} KB.

${requestTable(request)}

${answer}

${table(
  ["code", "severity", "weight", "message"],
  Object.values(rules)
    .sort((a, b) => compare(a.code, b.code) || weightOf(b) - weightOf(a))
    .map((rule) => [`\`${rule.code}\``, rule.severity, `${weightOf(rule)}`, rule.message]),
)}

Limitations, as in every response: ${limitations}`;

function requestTable(request: z.ZodType): string {
  const { properties = {} } = z.toJSONSchema(request, { io: "input" });
  const rows = Object.entries(properties).map(([name, property]) => [
    `\`${name}\``,
    typeof property === "object" ? (property.description ?? "") : "",
  ]);
  return table(["member", "meaning"], rows);
}

const selling = () => `## Price, and order of the checks

\`GET\` of the firewall's address returns, for each scan, its path, price in USDC and in service credits, limits,
JSON Schema and payment options. This response is authoritative. A scan is an x402 resource: it is paid under a mandate, in
USDC or in the owner's prepaid credits, one payment for each verdict.

1. No payment header: 402 with the payment options, whatever the body.
2. Method and path, then the media type (415), then the size on the wire (413): ${BODY_BYTES_MAX.transaction / 1024} KB for a transaction,
   ${BODY_BYTES_MAX.x402 / 1024} KB for an x402 requirement, ${BODY_BYTES_MAX.prompt / 1024} KB for a text.
3. JSON and schema (400). Rejected are duplicate members, members that reach a prototype (not in an x402 scan), too deep nesting and, in a
   text, a lone surrogate or more than ${PROMPT_LENGTH_MAX.toLocaleString("en")} characters (code points).
4. The payment is verified (402).
5. The scan, then settlement, then the verdict.

A 4xx response costs nothing, and a payment that does not settle gets no verdict. While the outcome is not
known the response is 202 with the settlement's address. A proof can be used once: presented again it is answered 409
\`PAYMENT_ALREADY_USED\`, with the verdict in \`result\` if it has settled and the body is the one that was paid for, so that a
lost response can be fetched. The service stores a scan's verdict, score and codes and a hash of the request, never the
scanned content.

\`X-Agent-ID\`, an agent's id or its login JWT, names the agent for which a scan is recorded. If the owner of that agent has
enough service credits, \`accepts\` has a second entry (\`network: "service-credits"\`, in hundredths of a credit); \`x402V3Payment\`
signs it unchanged, under the same mandate. Owners buy credits on their wallet page. Anybody can buy them for an agent's owner by paying
\`POST /api/credits/top-up\` \`{amount, agentId}\`, which is also an x402 resource: one credit for 1 USDC.

Inside the wallet the x402 scan is free: on the page *Agents* an owner can have every payment of an agent scanned before it
is signed. A refused payment is answered 403 \`firewall_blocked\` with the findings.`;

const COMMAND_LINE = `## On the command line

\`npm run --silent firewall -- prompt|transaction|x402\` reads one request body per line from standard input and writes one verdict per
line, the same JSON as over HTTP, at no cost. Members that reach a prototype, which HTTP refuses outside of an x402 scan, are read like any other.
\`--fail-on review\` and \`--fail-on block\` set the exit code for pipelines. Without arguments it prints its usage.

\`\`\`
echo '{"text":"Ignore all previous instructions."}' | npm run --silent firewall -- prompt --fail-on review
\`\`\`

The package \`@tessera/firewall\` is not published on npm: this service serves it.

\`\`\`
npm install https://tessera.example/tessera-firewall.tgz
npx --no-install tessera-firewall prompt page.md
npx --no-install tessera-firewall secrets --staged
\`\`\`

The last command is for a pre-commit hook: it finds secrets in staged files without showing them. The README of the package has the hook,
and the middlewares that scan what tools return for the AI SDK and for MCP servers. What changed with each ruleset is in
\`packages/firewall/CHANGELOG.md\`.`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
