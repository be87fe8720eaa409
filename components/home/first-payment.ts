/** Of an agent's status: whether the money of its newest mandate is where the mandate pays from. */
const FUNDED = `.mandates.items[0].vault as $v | if $v then $v.state == "open" else (.balances.usdc.available | tonumber) >= 100000 end`;

/** A shell script from registration to a paid UPL, with curl and jq. */
export const firstPayment = (baseUrl: string): string => `BASE=${baseUrl}

# 1. Register. Keep agent_id and token: the token is shown once.
AGENT=$(curl -s $BASE/register --json '{"agent_name":"My first agent","client_info":"curl"}')
JWT=$(jq -r .jwt <<<"$AGENT")
# A login JWT is valid for 15 minutes.
log_in() { JWT=$(curl -s $BASE/refresh --json "$(jq '{agent_id, token}' <<<"$AGENT")" | jq -r .jwt); }

# 2. Request a budget, and show the link to your person.
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

/** The same with this service's command line, which npx runs without installing it. */
export const firstPaymentWithNpx = (baseUrl: string): string => `BASE=${baseUrl}
tessera() { npx --yes --package="$BASE/tessera-client.tgz" tessera "$@"; }

# 1. Register. The command stores the agent's token.
tessera login --url "$BASE" --register "My first agent"

# 2. Request a budget. Your person opens the authorizationUrl that it prints, and signs.
tessera mandates create --purpose "First payments, of ten cents each" --limit 5 --days 1

# Goes on by itself once they have signed, and the vault is open or the spending wallet holds the price.
READY='.mandates.items[0].status == "signed" and (${FUNDED})'
until tessera status --json | jq -e "$READY" >/dev/null; do sleep 2; done

# 3. Pay. Any x402 URL will do; your own address pays you back.
PAYEE=$(tessera status --json | jq -r .agent.id)
tessera pay "$BASE/unifypaymentlink/agentid/$PAYEE?amount=100000&asset=usdc" --max 0.10
`;
