#!/bin/sh
# Asks the service whether an agent's credential is good. Needs curl and jq.
#
#   CHALLENGE=the-challenge-you-gave-this-visitor ./verify-vc.sh https://api.example.com < credential.jwt
#
# The argument is your own audience. Prints the claims and ends with 0 for a good credential; ends with 1 for any other,
# and with 2 when the service could not be asked.
# The service does not remember challenges: when this ends with 0, mark the challenge as used, in one step, and refuse
# the visitor if it already was.
set -u
service=${SERVICE:-https://tessera.example}
if [ -z "${1-}" ] || [ -z "${CHALLENGE-}" ]; then
  echo 'usage: CHALLENGE=… verify-vc.sh AUDIENCE < credential' >&2
  exit 2
fi

# From the environment: arguments can be read by everybody on the machine.
export CHALLENGE
question=$(jq -Rsc --arg audience "$1" \
  '{vc: rtrimstr("\n"), expected_audience: $audience, expected_challenge: env.CHALLENGE}') || exit 2

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
