import { failures, type Remedies } from "@/lib/core/errors";
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

export const facilitatorRemedies: Remedies = {
  invalid_api_key: {
    cause:
      "The facilitator is used with an API key of the seller, not with a JWT. The key is missing, mistyped or revoked.",
    remedy: "Create one under *Dashboard, Facilitator* and send it as `Authorization: Bearer tsk_…`.",
  },
  key_not_found: {
    cause: "The id is wrong, or the key belongs to another owner.",
    remedy: "List yours with `GET /api/facilitator/keys`.",
  },
  key_revoked: {
    cause: "A revoked key stays revoked.",
    remedy: "Create another key, and replace the old one in your server.",
  },
  too_many_keys: {
    cause: "An owner has at most 20 API keys.",
    remedy: "Revoke one that is not used.",
  },
  too_many_requests: {
    cause: "Each API key has a number of requests a minute. Nothing was done with this one.",
    remedy: "Wait the seconds in `Retry-After`, then send the same request again.",
  },
  too_many_settlements: {
    cause:
      "Each API key has a number of settlements in 24 hours, which the owner set. Those that ended before a transaction was sent for them do not count. The payment was not taken.",
    remedy:
      "Do not deliver. Settle the same proof after `Retry-After` if it is still valid then, or have the owner raise the limit.",
  },
};
