import { failures } from "@/lib/core/errors";
import { KEYS_MAX } from "./rules";

export const facilitatorErrors = failures({
  invalid_api_key: [
    "unauthenticated",
    "The API key is missing, wrong or revoked. Send Authorization: Bearer tsk_… with a key that its owner created at /dashboard/facilitator",
  ],
  too_many_requests: ["limited", "This API key has used all its requests of this minute. Nothing was done"],
  too_many_settlements: [
    "limited",
    "This API key has used all its settlements of this day. The payment was not taken: settle it after the number of seconds in Retry-After, or raise the limit",
  ],
  rate_limited: ["limited", "Too many requests; wait before the next one. Nothing was done"],
  key_not_found: ["not_found", "There is no such API key"],
  too_many_keys: ["conflict", `You already have ${KEYS_MAX} API keys, the maximum. Revoke one first`],
  key_revoked: ["conflict", "The API key is revoked and cannot be changed. Create a new one"],
});
