import { Copy } from "lucide-react";
import { Disclosure } from "@/components/ui/disclosure";
import { mcpHosts } from "./mcp-hosts";

/** How a developer connects an agent: a first payment in a shell, MCP in four hosts, and the documentation. */
export const Developers = ({ baseUrl }: { baseUrl: string }) => (
  <section aria-labelledby="developers" className="grid min-w-0 gap-4 [&_a]:underline [&_a]:underline-offset-4">
    <div>
      <h2 id="developers" className="text-title">
        For developers
      </h2>
      <p className="mt-1.5 measure text-control text-ink-2">
        The <a href="/docs/quickstart">quickstart</a> takes five minutes. Read the{" "}
        <a href="/docs/retry-rules">retry rules</a> before you ship. Also: <a href="/docs/client">TypeScript client</a>,{" "}
        <a href="/docs/reference">reference</a>, <a href="/openapi.json">openapi.json</a>,{" "}
        <a href="/llms.txt">llms.txt</a>, <a href="/identity">credentials</a> and <a href="/firewall">the firewall</a>.
      </p>
    </div>
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-2.5">
        <h3 className="text-body">A first payment, from a shell</h3>
        <Disclosure summary="With curl">
          <div className="grid gap-2.5">
            <p className="text-small text-ink-2">Needs bash, curl and jq. It waits once, for a person to sign.</p>
            <CodeBox text={firstPayment(baseUrl)} label="the commands" />
          </div>
        </Disclosure>
        <Disclosure summary="With npx">
          <div className="grid gap-2.5">
            <p className="text-small text-ink-2">
              Needs bash, Node 20.12 and jq. It installs nothing: npx runs the client that this service serves.
            </p>
            <CodeBox text={firstPaymentWithNpx(baseUrl)} label="the commands with npx" />
          </div>
        </Disclosure>
      </div>
      <div className="grid min-w-0 gap-2.5">
        <h3 className="text-body">In an agent host that speaks MCP</h3>
        {mcpHosts(baseUrl).map(({ host, where, text }) => (
          <Disclosure key={host} summary={host}>
            <div className="grid gap-2.5">
              <p className="text-small text-ink-2">
                Needs the agent’s token, which <code className="mono whitespace-nowrap">POST /register</code> returns.{" "}
                {where}
              </p>
              <CodeBox text={text} label={`the configuration of ${host}`} />
            </div>
          </Disclosure>
        ))}
      </div>
    </div>
  </section>
);

/** Code in a scrolling region. public/home.js runs the copy button. */
const CodeBox = ({ text, label }: { text: string; label: string }) => (
  <div className="relative min-w-0" data-code>
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-control bg-sunk"
    >
      <pre className="p-4 pr-14 text-tiny leading-relaxed" dir="ltr">
        {text}
      </pre>
    </section>
    <button
      type="button"
      data-copies
      aria-label={`Copy ${label}`}
      title={`Copy ${label}`}
      className="absolute top-1 right-1 inline-grid size-9 place-items-center rounded-control bg-sunk text-ink-2 transition-colors hover:text-ink max-sm:size-11"
    >
      <Copy aria-hidden className="size-3.5" />
    </button>
    <span role="status" data-said className="sr-only" />
  </div>
);

/** A jq filter on an agent's status: true if the newest mandate can pay, from its open vault or from a funded spending wallet. */
const FUNDED = `.mandates.items[0].vault as $v | if $v then $v.state == "open" else (.balances.usdc.available | tonumber) >= 100000 end`;

/** A shell script from registration to a paid UPL, with curl and jq. */
export const firstPayment = (baseUrl: string): string => `BASE=${baseUrl}

# 1. Register. Keep agent_id and token: the token is shown once.
AGENT=$(curl -s $BASE/register --json '{"agent_name":"My first agent","client_info":"curl"}')
JWT=$(jq -r .jwt <<<"$AGENT")
# A login JWT is valid for 15 minutes.
log_in() { JWT=$(curl -s $BASE/refresh --json "$(jq '{agent_id, token}' <<<"$AGENT")" | jq -r .jwt); }

# 2. Request a budget, and show the link to the owner.
INTENT=$(curl -s $BASE/api/mandates/create-intent -H "Authorization: Bearer $JWT" --json '{
  "intent": {
    "naturalLanguage": "First payments, of ten cents each",
    "limitAmount": "5000000",
    "validForSeconds": 86400,
    "hostAllowlist": ["${new URL(baseUrl).host}"]
  }
}')
MANDATE=$(jq -r .mandateId <<<"$INTENT")
echo "The owner of agent $(jq -r .agent_id <<<"$AGENT") signs at $(jq -r .authorizationUrl <<<"$INTENT")"
# Goes on by itself once they have signed, and the vault is open or the spending wallet holds the price.
READY='${FUNDED}'
while sleep 2; do
  STATUS=$(curl -s $BASE/api/agent/self/status -H "Authorization: Bearer $JWT" || true)
  STATE=$(jq -r '.mandates.items[0].status // .code' <<<"$STATUS")
  echo "The mandate: $STATE"
  case $STATE in
    signed) jq -e "$READY" <<<"$STATUS" >/dev/null && break || echo "Its money is not there yet" ;;
    rejected | expired) echo "The owner did not sign this mandate. Propose another one: the next steps would fail"; break ;;
    invalid_or_expired_jwt) log_in ;;
  esac
done
log_in

# 3. Call the seller: HTTP 402 gives the amount, the recipient and the asset.
#    Any agent's id will do; your own pays you back.
PAYEE=$(jq -r .agent_id <<<"$AGENT")
URL="$BASE/unifypaymentlink/agentid/$PAYEE?amount=100000&asset=usdc"
OFFER=$(curl -s "$URL" | jq .accepts[0])

# 4. Have the payment signed within the mandate.
BODY=$(jq --arg m "$MANDATE" '{mandateId: $m, amount: .maxAmountRequired, payTo, resource}' <<<"$OFFER")
PROOF=$(curl -s $BASE/api/payment/x402V3Payment -H "Authorization: Bearer $JWT" --json "$BODY")

# 5. Repeat the call with the proof. The response contains the transaction and a receipt.
curl -s "$URL" -H "X-Payment: $(jq -r '.xPaymentB64 // error(.message)' <<<"$PROOF")" | jq .
`;

/** The script for this service's command line. npx runs it without installing. */
export const firstPaymentWithNpx = (baseUrl: string): string => `BASE=${baseUrl}
tessera() { npx --yes --package="$BASE/tessera-client.tgz" tessera "$@"; }

# 1. Register. The command stores the agent's token.
tessera login --url "$BASE" --register "My first agent"

# 2. Request a budget. The owner opens the authorizationUrl that it prints, and signs.
tessera mandates create --purpose "First payments, of ten cents each" --limit 5 --days 1

# Goes on by itself once they have signed, and the vault is open or the spending wallet holds the price.
READY='.mandates.items[0].status == "signed" and (${FUNDED})'
until tessera status --json | jq -e "$READY" >/dev/null; do sleep 2; done

# 3. Pay. Any x402 URL will do; your own address pays you back.
PAYEE=$(tessera status --json | jq -r .agent.id)
tessera pay "$BASE/unifypaymentlink/agentid/$PAYEE?amount=100000&asset=usdc" --max 0.10
`;
