import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { isoDate } from "@/lib/core/time";
import { identityErrors } from "./errors";
import { JWKS_CACHE_SECONDS } from "./rules";

const { invalid_token, agent_not_found } = identityErrors.table;

/** Names are shown to people who sign: one visible line, and nothing that turns the text around it. */
const agentName = z
  .string({ error: "required, 1 to 100 characters" })
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,100}$/u, "must be 1 to 100 characters on one line")
  .regex(/\S/, "must not be blank");

const clientInfo = z
  .string({ error: "required, at most 500 characters" })
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\r\n]){0,500}$/u, "must be at most 500 characters without control characters");

export const registerAgent = endpoint({
  method: "POST",
  path: "/register",
  summary: "Register an agent: its id, its permanent token (shown once) and a login JWT",
  auth: "none",
  surface: "identity",
  body: z.object({
    agent_name: agentName,
    client_info: clientInfo,
    email: z.email("must be an email address").max(254).nullish(),
  }),
  response: z.object({ agent_id: z.string(), token: z.string(), jwt: z.string() }),
  errors: {},
});

export const refreshLogin = endpoint({
  method: "POST",
  path: "/refresh",
  summary: "A new login JWT for an agent's token",
  auth: "none",
  surface: "identity",
  body: z.object({
    agent_id: z.string({ error: "required" }).min(1, "required").max(200),
    token: z.string({ error: "required" }).min(1, "required").max(200),
  }),
  response: z.object({ jwt: z.string() }),
  errors: { invalid_token, agent_not_found },
});

export const getJwks = endpoint({
  method: "GET",
  path: "/.well-known/jwks.json",
  summary: "The RS256 public keys of login JWTs and credentials; several may be published, and they rotate",
  auth: "none",
  surface: "identity",
  response: z.object({
    keys: z.array(
      z.object({
        kid: z.string(),
        kty: z.literal("RSA"),
        use: z.literal("sig"),
        alg: z.literal("RS256"),
        n: z.string(),
        e: z.string(),
      }),
    ),
  }),
  errors: {},
});

export const getPublicKey = endpoint({
  method: "GET",
  path: "/public-key.pem",
  summary: "The key that signs now, as PEM",
  auth: "none",
  surface: "identity",
  response: z.string(),
  errors: {},
});

export const getAgentCard = endpoint({
  method: "GET",
  path: "/agent/{agentId}",
  summary: "What anybody may know of an agent",
  auth: "none",
  surface: "identity",
  params: z.object({ agentId: z.string() }),
  response: z.object({
    agent_id: z.string(),
    agent_name: z.string(),
    created_at: isoDate,
    wallet_linked: z.boolean(),
  }),
  errors: { agent_not_found },
});

/** Anybody may read the keys, from any page, and keep them for as long as our rotation allows. */
export const publicHeaders = {
  "Cache-Control": `public, max-age=${JWKS_CACHE_SECONDS}`,
  "Access-Control-Allow-Origin": "*",
};
