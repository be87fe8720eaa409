/** A shell script from registration to a paid UPL, with curl and jq. */
export const firstPayment = (baseUrl: string): string => `BASE=${baseUrl}

# 1. Register. Keep agent_id and token: the token is shown once.
AGENT=$(curl -s $BASE/register --json '{"agent_name":"My agent","client_info":"curl"}')
JWT=$(jq -r .jwt <<<"$AGENT")

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
until curl -s $BASE/api/agent/self/status -H "Authorization: Bearer $JWT" | jq -e '
  .mandates.items[0].status == "signed" and (.balances.usdc.available | tonumber) >= 1000000' >/dev/null
do sleep 2; done

# 3. Call the seller: HTTP 402 gives the amount, the recipient and the asset.
#    Any agent's id will do; your own pays you back.
PAYEE=$(jq -r .agent_id <<<"$AGENT")
URL="$BASE/unifypaymentlink/agentid/$PAYEE?amount=1000000&asset=usdc"
OFFER=$(curl -s "$URL" | jq .accepts[0])

# 4. Have the payment signed within the mandate.
BODY=$(jq --arg m "$MANDATE" '{mandateId: $m, amount: .maxAmountRequired, payTo, resource}' <<<"$OFFER")
PROOF=$(curl -s $BASE/api/payment/x402V3Payment -H "Authorization: Bearer $JWT" --json "$BODY")

# 5. Repeat the call with the proof. The response contains the transaction and a receipt.
curl -s "$URL" -H "X-Payment: $(jq -r .xPaymentB64 <<<"$PROOF")"
`;
