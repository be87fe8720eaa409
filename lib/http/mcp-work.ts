import { createHash } from "node:crypto";
import { setBounded } from "@/lib/core/bounded";
import { AppError } from "@/lib/core/errors";
import type { Agent, System } from "@/lib/platform/context";
import { takeWork } from "@/lib/platform/limiter";
import { edgeErrors } from "./errors";

/** Largest cost of refusing a token: a look-up in the database. */
const LOGIN_WORK = 4;
/** Agents without an owner, which anybody can register at no cost, share what one stranger has at an address. */
const UNOWNED_FACTOR = 5;

type IsPaying = (agent: Agent) => Promise<boolean>;

/**
 * Takes the work of an agent's call at /mcp from its owner, or from the agent if it has none, and from all parties of the address.
 * Throws rate_limited.
 */
export async function takeAgentWork(
  system: System,
  agent: Agent,
  caller: string,
  work: number,
  isPaying: IsPaying,
): Promise<void> {
  const { agentId, ownerId } = agent;
  const isOwned = ownerId !== null;
  const units = isOwned ? work : work * UNOWNED_FACTOR;
  const retryAfterSeconds =
    (await takeWork(system, "mcp_work_per_party", ownerId ?? agentId, units)) ??
    (await takeWork(system, "mcp_work_per_address", isOwned ? caller : `${caller} unowned`, units));
  if (retryAfterSeconds !== null && !(await isPaying(agent))) throw edgeErrors.rate_limited({ retryAfterSeconds });
}

const VERIFIED_MS = 600_000;
/** Each takes some 400 bytes. */
const VERIFIED_MAX = 20_000;

/** The agents of tokens that this process has lately seen valid, by their hash. */
const verified = new Map<string, { agent: Agent; untilMs: number }>();

type Admission = { caller: string; work: number; isPaying: IsPaying; verify: () => Promise<Agent> };

/**
 * Verifies the token of a call to /mcp and takes the call's work. A token that was lately valid is verified at the cost of its agent, so a
 * flood of wrong tokens from its address does not shut it out; every other one at the cost of the address. Throws rate_limited, and what
 * `verify` throws.
 * Why: docs/decisions.md, 442.
 */
export async function admitToken(
  system: System,
  authorization: string,
  { caller, work, isPaying, verify }: Admission,
): Promise<Agent> {
  const hash = createHash("sha256").update(authorization).digest("base64");
  const last = verified.get(hash);
  const isKnown = last !== undefined && Date.now() < last.untilMs;
  if (isKnown) await takeAgentWork(system, last.agent, caller, work, isPaying);
  else {
    const retryAfterSeconds = await takeWork(system, "login_work_per_address", caller, LOGIN_WORK);
    if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  }
  const agent = await verify().catch((error: unknown) => {
    if (error instanceof AppError) verified.delete(hash);
    throw error;
  });
  setBounded(verified, hash, { agent, untilMs: Date.now() + VERIFIED_MS }, VERIFIED_MAX);
  if (!isKnown) await takeAgentWork(system, agent, caller, work, isPaying);
  return agent;
}
