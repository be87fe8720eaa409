/** A shell script from registration to a paid UPL, with curl and jq. */
export const firstPayment = (baseUrl: string): string => `BASE=${baseUrl}

# 1. Register. Keep agent_id and token: the token is shown once.
AGENT=$(curl -s $BASE/register --json '{"agent_name":"My agent","client_info":"curl"}')
JWT=$(jq -r .jwt <<<"$AGENT")
# A login JWT is valid for 15 minutes.
log_in() { JWT=$(curl -s $BASE/refresh --json "$(jq '{agent_id, token}' <<<"$AGENT")" | jq -r .jwt); }

# 2. Request a budget, and show the link to your person.
INTENT=$(curl -s $BASE/api/mandates/create-intent -H "Authorization: Bearer $JWT" --json '{
  "intent": {
    "naturalLanguage": "A first payment of one dollar",
    "limitAmount": "1000000",
    "validForSeconds": 86400,
    "hostAllowlist": ["${new URL(baseUrl).host}"]
  }
}')
MANDATE=$(jq -r .mandateId <<<"$INTENT")
jq -r .authorizationUrl <<<"$INTENT"
# Goes on by itself once they have signed and their spending wallet holds a dollar.
while sleep 2; do
  STATUS=$(curl -s $BASE/api/agent/self/status -H "Authorization: Bearer $JWT" || true)
  case $(jq -r '.mandates.items[0].status // .code' <<<"$STATUS") in
    signed) jq -e '(.balances.usdc.available | tonumber) >= 1000000' <<<"$STATUS" >/dev/null && break ;;
    rejected | expired) echo "The owner did not sign this mandate. Propose another one." >&2; break ;;
    invalid_or_expired_jwt) log_in ;;
  esac
done
log_in

# 3. Call the seller: HTTP 402 gives the amount, the recipient and the asset.
#    Any agent's id will do; your own pays you back.
PAYEE=$(jq -r .agent_id <<<"$AGENT")
URL="$BASE/unifypaymentlink/agentid/$PAYEE?amount=1000000&asset=usdc"
OFFER=$(curl -s "$URL" | jq .accepts[0])

# 4. Have the payment signed within the mandate.
BODY=$(jq --arg m "$MANDATE" '{mandateId: $m, amount: .maxAmountRequired, payTo, resource}' <<<"$OFFER")
PROOF=$(curl -s $BASE/api/payment/x402V3Payment -H "Authorization: Bearer $JWT" --json "$BODY")

# 5. Repeat the call with the proof. The response contains the transaction and a receipt.
curl -s "$URL" -H "X-Payment: $(jq -r '.xPaymentB64 // error(.message)' <<<"$PROOF")"
`;
