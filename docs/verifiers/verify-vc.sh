#!/bin/sh
# Verifies an agent's credential by calling the service. Needs curl and jq.
#
#   CHALLENGE=the-challenge-you-gave-this-visitor ./verify-vc.sh https://api.example.com < credential.jwt
#
# The argument is your own audience. For a valid credential it prints the claims and exits with 0. It exits with 1 for an
# invalid one, and with 2 if the service could not be reached.
# The service does not store challenges: after exit code 0, mark the challenge as used, atomically, and refuse the visitor
# if it was used before.
set -u
service=${SERVICE:-https://tessera.example}
if [ -z "${1-}" ] || [ -z "${CHALLENGE-}" ]; then
  echo 'usage: CHALLENGE=… verify-vc.sh AUDIENCE < credential' >&2
  exit 2
fi

# From the environment: every user of the machine can read arguments.
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
