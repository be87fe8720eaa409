#!/bin/sh
# Asks the service whether an agent's credential is good. Needs curl and jq.
#
#   ./verify-vc.sh https://api.example.com "$challenge" < credential.jwt
#
# The first argument is your own audience, the second the challenge that you gave this visitor. Prints the claims and
# ends with 0 for a good credential; ends with 1 for any other, and with 2 when the service could not be asked.
# The service does not remember challenges: when this ends with 0, mark the challenge as used, in one step, and refuse
# the visitor if it already was.
set -u
service=${SERVICE:-https://tessera.example}
audience=${1:?your audience}
challenge=${2:?the challenge that you issued}

question=$(jq -Rsc --arg audience "$audience" --arg challenge "$challenge" \
  '{vc: rtrimstr("\n"), expected_audience: $audience, expected_challenge: $challenge}') || exit 2

answer=$(printf '%s' "$question" | curl -sS --max-time 10 -H 'Content-Type: application/json' \
  --data-binary @- "${service%/}/verify-vc") || exit 2

if printf '%s' "$answer" | jq -e 'select(.valid == true) | .payload'; then
  exit 0
fi
reason=$(printf '%s' "$answer" | jq -r '.error // empty') || exit 2
printf 'not verified: %s\n' "$reason" >&2
case $reason in
  invalid_or_expired_vc | audience_mismatch | challenge_mismatch) exit 1 ;;
  *) exit 2 ;;
esac
