import { exportSPKI } from "jose";
import { agentById, agentByToken, agentForAuth, createAgent } from "@/lib/agents/service";
import { type AgentId, agentId as agentIdText } from "@/lib/core/ids";
import type { Agent, System } from "@/lib/platform/context";
import { identityErrors, refuseLogin } from "./errors";
import * as keys from "./keys";
import * as ring from "./ring";
import { agentOfClaims, claimsFor } from "./rules";

export type Registration = { agentName: string; clientInfo: string; email: string | null };

/** Makes an agent. Its token is told this once and never again. */
export async function register(
  system: System,
  { agentName, clientInfo, email }: Registration,
): Promise<{ agentId: AgentId; token: string; jwt: string }> {
  const { agentId, token } = await createAgent(system, { name: agentName, clientInfo, email });
  return { agentId, token, jwt: await loginJwt(system, { id: agentId, email }) };
}

/** A new login JWT for an agent's permanent token. Throws invalid_token, agent_not_found. */
export async function refresh(system: System, proof: { agentId: string; token: string }): Promise<{ jwt: string }> {
  const id = agentIdText.safeParse(proof.agentId);
  const agent = id.success ? await agentByToken(system.db, id.data, proof.token) : "missing";
  if (agent === "missing") throw identityErrors.agent_not_found();
  if (agent === "wrong_token") throw identityErrors.invalid_token();
  return { jwt: await loginJwt(system, agent) };
}

/** The agent a bearer token logs in. Throws missing_bearer, invalid_or_expired_jwt, wrong_token_type, agent_not_found. */
export async function authenticate(system: System, bearer: string | null): Promise<Agent> {
  if (bearer === null) throw refuseLogin("missing_bearer");
  const signed = await ring.verify(system, bearer);
  // `===`, and only after the signature: libraries also take AGENT-VC and application/agent-vc for agent-vc.
  if (signed?.typ === "agent-vc") throw refuseLogin("wrong_token_type");
  const agentId = signed?.typ === "JWT" ? agentOfClaims(signed.claims, system.now()) : null;
  if (!agentId) throw refuseLogin("invalid_or_expired_jwt");
  const agent = await agentForAuth(system.db, agentId);
  if (!agent) throw refuseLogin("agent_not_found");
  return agent;
}

/** What anybody may know of an agent. Throws agent_not_found. */
export async function describeAgent(system: System, text: string) {
  const id = agentIdText.safeParse(text);
  const agent = id.success ? await agentById(system.db, id.data) : null;
  if (!agent) throw identityErrors.agent_not_found();
  return { agentId: agent.id, name: agent.name, createdAt: agent.createdAt, isLinked: agent.ownerId !== null };
}

/** The public keys, each as its JWKS entry. */
export async function jwks(system: System) {
  await ring.signingKey(system);
  const published = await ring.publishedKeys(system);
  return {
    keys: published.map(({ kid, publicJwk: { n = "", e = "" } }) => ({
      kid,
      kty: "RSA" as const,
      use: "sig" as const,
      alg: "RS256" as const,
      n,
      e,
    })),
  };
}

export const publicKeyPem = async (system: System): Promise<string> =>
  exportSPKI((await ring.signingKey(system)).publicKey);

/** The upkeep of the key ring, to be run now and then by every replica. */
export async function keepKeys(system: System): Promise<void> {
  if (await keys.keep(system)) ring.forget(system);
}

/**
 * Brings the next key's turn forward to the moment when every verifier can know it; with `force` to now. The outgoing
 * key stays published until the last token it signed has expired.
 */
export async function rotateKeys(
  system: System,
  { force = false }: { force?: boolean } = {},
): Promise<{ kid: string; activeFrom: Date }> {
  await keepKeys(system);
  const rotated = await keys.rotate(system, force);
  await keepKeys(system);
  ring.forget(system);
  return rotated;
}

/** For a key that leaked: the next one signs from now on, and what the leaked one signed is refused. */
export async function revokeKey(system: System, kid: string): Promise<void> {
  if ((await ring.signingKey(system)).kid === kid) await rotateKeys(system, { force: true });
  await keys.drop(system, kid);
  await keepKeys(system);
  ring.forget(system);
}

async function loginJwt(system: System, agent: { id: AgentId; email: string | null }): Promise<string> {
  const claims = claimsFor(agent, system.now(), system.config.jwtTtlSeconds);
  return (await ring.sign(system, "JWT", claims)).token;
}
