import { failures } from "@/lib/core/errors";

/** The messages are the wire strings of the identity surface. */
export const identityErrors = failures({
  missing_bearer: ["unauthenticated", "missing_bearer"],
  invalid_or_expired_jwt: ["unauthenticated", "invalid_or_expired_jwt"],
  wrong_token_type: ["unauthenticated", "wrong_token_type"],
  invalid_token: ["unauthenticated", "invalid_token"],
  agent_not_found: ["not_found", "agent_not_found"],
  invalid_or_expired_vc: ["unauthenticated", "invalid_or_expired_vc"],
  rate_limited: ["limited", "rate_limited"],
});

/** The wallet API's messages for the same errors: its callers are language models, which need the next step. */
const ADVICE = {
  missing_bearer: "Send your login JWT: Authorization: Bearer <jwt>. POST /register or POST /refresh returns one",
  invalid_or_expired_jwt:
    "The login JWT is not valid or has expired. Get a new one with POST /refresh {agent_id, token}",
  wrong_token_type: "This is a credential (agent-vc), not a login JWT. Use the jwt of POST /register or POST /refresh",
  agent_not_found: "The agent of this login JWT no longer exists. Register again with POST /register",
} as const;

/** A permanent token where a login JWT is required. */
export const refuseToken = () =>
  identityErrors.invalid_or_expired_jwt({
    message:
      "This is an agent's permanent token (tok_…), not a login JWT. Get a JWT with POST /refresh {agent_id, token}; only /mcp takes the token itself",
  });

export const refuseLogin = (code: keyof typeof ADVICE) => identityErrors[code]({ message: ADVICE[code] });
