import { failures, type Remedies } from "@/lib/core/errors";

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

/** The error for a permanent token where a login JWT is required. */
export const refuseToken = () =>
  identityErrors.invalid_or_expired_jwt({
    message:
      "This is an agent's permanent token (tok_…), not a login JWT. Get a JWT with POST /refresh {agent_id, token}; only /mcp takes the token itself",
  });

export const refuseLogin = (code: keyof typeof ADVICE) => identityErrors[code]({ message: ADVICE[code] });

export const identityRemedies: Remedies = {
  agent_not_found: {
    cause: "The agent was deleted, the id is wrong, or the agent belongs to another owner.",
    remedy:
      "An owner lists agents with `GET /api/agents`. The JWT and the token of a deleted agent never work again: register another agent.",
  },
  invalid_or_expired_jwt: {
    cause: "Login JWTs are valid for minutes, 15 by default. This one has expired, or was not issued by this service.",
    remedy:
      "`POST /refresh` with `agent_id` and `token` returns a new one. At `/mcp` the permanent token works too, and does not expire.",
  },
  wrong_token_type: {
    cause:
      "A credential (`typ: agent-vc`) was sent in place of a login JWT. A credential identifies; it cannot log in.",
    remedy: "Send the `jwt` of `/register` or `/refresh`.",
  },
  missing_bearer: {
    cause: "The endpoint is for agents, and the request has no `Authorization: Bearer`.",
    remedy: "Send the `jwt` of `POST /register` or `POST /refresh`.",
  },
  invalid_token: {
    cause:
      "The long-lived token is wrong, or was replaced by `POST /token/rotate`. At `/mcp` also an app's token that has expired or whose connection was ended.",
    remedy:
      "Use the newest token. If it is lost, the agent's owner can issue one in the dashboard. An app refreshes its token, or is connected again.",
  },
  invalid_or_expired_vc: {
    cause:
      "The credential has expired, was changed, or was not issued by this service. A credential is valid for a day at most.",
    remedy: "Ask the agent for a new one, for your audience and with your challenge.",
  },
};
