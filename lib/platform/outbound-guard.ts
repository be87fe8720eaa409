import { networkInterfaces } from "node:os";
import { bareHost, isLoopback, isThisDevice, isWithin, readRange } from "@/lib/core/ip";
import { type Connections, createConnections } from "./connections";
import type { System } from "./context";
import { createSend, type Outbound, type Send } from "./outbound";

const REPLY_BYTES_MAX = 65_536;

/**
 * Sends to URLs that agents and sellers name. Also refuses this machine's own addresses: services that trust connections from this machine
 * must not be open to agents.
 */
export const sendFor = ({ config }: System, outbound: Partial<Outbound> = {}): Send =>
  createSend({
    allowsLoopback: config.mode === "devnet",
    replyBytesMax: REPLY_BYTES_MAX,
    isRefused: (address) => {
      if (isWithin(address, config.ownAddresses)) return true;
      // `allowsLoopback` decides about these.
      if (isLoopback(address)) return false;
      const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
      const ranges = interfaces.map((own) => readRange(own.address)).filter((range) => range !== null);
      return isWithin(address, ranges);
    },
    ...outbound,
  });

/** A process has one configuration, except in tests. */
const connections = new WeakMap<System["config"], ReturnType<typeof createConnections>>();

/** The open connections of this process for one scope, such as a link: other scopes use none of them. */
export function connectionsOf({ config }: Pick<System, "config">, scope: string): Connections {
  const opened = connections.get(config) ?? createConnections();
  connections.set(config, opened);
  return opened.of(scope);
}

/** Whether a URL is this service's: its host, at any port. On a devnet the port must match, because sellers use other ports. */
export function isOwnUrl({ config }: System, url: URL): boolean {
  const serviceUrl = new URL(config.baseUrl);
  if (config.mode === "devnet" && url.port !== serviceUrl.port) return false;
  return bareHost(url) === bareHost(serviceUrl) || (isThisDevice(url) && isThisDevice(serviceUrl));
}

const WEB_PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);

/** Whether agents and sellers may name this port. Only web ports, so that nobody can scan ports through the service. */
export const isWebPort = ({ config }: System, url: URL): boolean =>
  WEB_PORTS.has(url.port) || (config.mode === "devnet" && isThisDevice(url));
