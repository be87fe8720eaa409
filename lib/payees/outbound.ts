import { networkInterfaces } from "node:os";
import { agentById } from "@/lib/agents/service";
import { bareHost, isLoopback, isWithin, readRange } from "@/lib/core/ip";
import { addSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import * as mandates from "@/lib/mandates/service";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import { createSend, type Outbound, type Send } from "@/lib/platform/outbound";

/**
 * What holds for every request that the service sends to a URL that an agent named. Anybody can register agents, so it must not
 * serve strangers as a proxy.
 */

const REPLY_BYTES_MAX = 65_536;
const YOUNG_SECONDS = 86_400;

/** The headers of a request that has nothing of the agent's. They name the service and the agent, whose page says more. */
export const headersFor = ({ config, actor: { agentId } }: Ctx<Agent>): Record<string, string> => ({
  accept: "application/json, */*;q=0.8",
  "user-agent": `Tessera (+${config.baseUrl}/agent/${agentId})`,
});

/** Refuses this machine's own addresses too: what trusts its connections trusts no agent. */
export const sendFor = ({ config }: System, outbound: Partial<Outbound> = {}): Send =>
  createSend({
    allowsLoopback: config.mode === "devnet",
    replyBytesMax: REPLY_BYTES_MAX,
    isRefused: (address) => isWithin(address, config.ownAddresses) || isOfThisMachine(address),
    ...outbound,
  });

/** Loopback addresses are decided by `allowsLoopback`. */
const isOfThisMachine = (text: string): boolean => !isLoopback(text) && isWithin(text, ownRanges());

const ownRanges = () =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => readRange(address))
    .filter((range) => range !== null);

const isLocal = (url: URL) => url.hostname === "localhost" || isLoopback(bareHost(url));

/** Whether a URL is at this service: at its host with any port, except on a devnet, where sellers have other ports of the machine. */
export function isOwnUrl({ config }: System, url: URL): boolean {
  const serviceUrl = new URL(config.baseUrl);
  if (config.mode === "devnet" && url.port !== serviceUrl.port) return false;
  return bareHost(url) === bareHost(serviceUrl) || (isLocal(url) && isLocal(serviceUrl));
}

const WEB_PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);

/** Whether an agent may name this port: those of the web, so that the service scans nobody's others. */
export const isWebPort = ({ config }: System, url: URL): boolean =>
  WEB_PORTS.has(url.port) || (config.mode === "devnet" && isLocal(url));

/** Whether an owner has signed a mandate for the agent: before that, nobody answers for what it requests. */
export const isSignedFor = async ({ db, actor: { agentId, ownerId } }: Ctx<Agent>): Promise<boolean> =>
  ownerId !== null && (await mandates.listSignedFor(db, ownerId, [agentId])).length > 0;

/**
 * Counts one request that is sent for the agent to a host. Young agents of one client share a limit: each has its own otherwise,
 * and they cost nothing. Throws rate_limited.
 */
export async function takeOutboundTurn(ctx: Ctx<Agent>, url: URL): Promise<void> {
  const { agentId } = ctx.actor;
  const agent = await agentById(ctx.db, agentId);
  const isYoung = !agent?.ownerId || agent.createdAt > addSeconds(ctx.now(), -YOUNG_SECONDS);
  const waits = [
    isYoung ? await takeTurn(ctx, "outbound_per_address", ctx.caller ?? "unknown") : null,
    await takeTurn(ctx, "outbound_per_agent", agentId),
    await takeTurn(ctx, "outbound_per_host", url.hostname),
  ].filter((seconds) => seconds !== null);
  if (waits.length > 0) throw edgeErrors.rate_limited({ retryAfterSeconds: Math.max(...waits) });
}
