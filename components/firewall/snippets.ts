import type { ScanRequest } from "./drafts";

export type Snippet = { value: "curl" | "typescript" | "agent"; label: string; needs: string; code: string };

/** The request as code to copy. `url` is the scanner's, `baseUrl` the wallet's. */
export function snippetsFor(url: string, baseUrl: string, { body }: ScanRequest): readonly Snippet[] {
  const json = plainJson(body);
  return [
    { value: "curl", label: "curl", needs: "PROOF is the payment, as your wallet signed it.", code: curl(url, json) },
    {
      value: "typescript",
      label: "TypeScript",
      needs: "pay() is your wallet: it takes the 402 body and returns the proof.",
      code: typescript(url, json),
    },
    {
      value: "agent",
      label: "Paid agent call",
      needs:
        "Needs bash, curl and jq; JWT is your agent's login, MANDATE the id of a signed mandate. A refusal is printed, and the script stops.",
      code: agent(url, baseUrl, json),
    },
  ];
}

/** ASCII only: invisible characters would be invisible in a terminal too, and some reorder the visible ones. */
const plainJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[^\x20-\x7e\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

// A quoted here-document: the shell expands nothing in it, and no line of the JSON can equal its delimiter.
const curl = (url: string, json: string) => `# Without X-Payment it answers 402, with the price and the recipient.
curl -s ${url} \\
  -H "X-Payment: $PROOF" --json @- <<'JSON'
${json}
JSON
`;

const typescript = (url: string, json: string) => `const body = JSON.stringify(${literal(json)});

const scan = (headers: Record<string, string> = {}) =>
  fetch("${url}", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });

let response = await scan();
if (response.status === 402) response = await scan({ "X-Payment": await pay(await response.json()) });
if (!response.ok) throw new Error(await response.text());
const { verdict, riskScore, findings } = await response.json();
if (verdict !== "pass") console.warn(verdict, riskScore, findings);
`;

const agent = (url: string, baseUrl: string, json: string) => `BASE=${baseUrl}
URL=${url}
BODY=$(cat <<'JSON'
${json}
JSON
)

scan() {
  local offer terms signed proof
  # 1. Unpaid, it answers 402: how much, to whom, and in what.
  offer=$(curl -sS "$URL" --json @- <<<"$BODY") || return
  terms=$(jq -e --arg m "$MANDATE" '.accepts[0] | values | {
    mandateId: $m, scheme, network, payTo, resource, description,
    amount: .maxAmountRequired, assetAddress: .asset,
    tokenName: .extra.name, tokenVersion: .extra.version
  }' <<<"$offer") || { echo "Not offered: $offer" >&2; return 1; }

  # 2. Have exactly that signed within the mandate.
  signed=$(curl -sS "$BASE/api/payment/x402V3Payment" \\
    -H "Authorization: Bearer $JWT" --json "$terms") || return
  proof=$(jq -er .xPaymentB64 <<<"$signed") || { echo "Not signed: $signed" >&2; return 1; }

  # 3. Send the request again with the proof: the verdict, recorded for your agent. A refused request costs nothing.
  curl -sS --fail-with-body "$URL" -H "X-Payment: $proof" -H "X-Agent-ID: $JWT" --json @- <<<"$BODY"
}
scan
`;

/** In an object literal, a member of this name would set the prototype. Only keys begin a line. */
const literal = (json: string) => json.replace(/^( *)"__proto__":/gm, '$1["__proto__"]:');
