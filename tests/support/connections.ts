import { Agent } from "node:http";

const agents = new Map<number, Agent>();

/** The open connections to the server at a local port. Requests reuse them. */
export function connections(port: number): Agent {
  const existing = agents.get(port);
  if (existing) return existing;
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  agents.set(port, agent);
  return agent;
}

/** Must be called once that server has ended: a reused connection of a killed server would look alive. */
export function closeConnections(port: number): void {
  agents.get(port)?.destroy();
  agents.delete(port);
}
