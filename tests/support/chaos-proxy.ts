import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sentTo } from "./blocks";

export type RpcError = { code: number; message: string; data?: string };
/** Faults last until they are changed or `heal` is called. Keys are JSON-RPC methods; "*" means every method. */
export type Faults = {
  latencyMs: number;
  /** Closes connections before anything is read. */
  isRefusing: boolean;
  /** The node executes the call, and the response is lost. */
  dropReplyTo: Set<string>;
  /** The call does not reach the node. */
  errors: Map<string, RpcError>;
  /** The call does not reach the node; the HTTP response has this status and no JSON. */
  httpStatus: Map<string, number>;
  /** Replaces a method's result, given its parameters and the node's result; may be a promise. */
  answers: Map<string, (params: unknown[], result: unknown) => unknown>;
  /** The error for a call's parameters; null forwards the call. May be a promise. */
  refuses: Map<string, (params: unknown[]) => RpcError | null | Promise<RpcError | null>>;
  /** eth_getTransactionCount is too low by this number. */
  staleNonceBy: number;
  /** Added to the number of the newest block; may be negative. */
  headOffBy: number;
  /** eth_getLogs returns an empty list instead of an error. */
  isHidingLogs: boolean;
};

export type ChaosProxy = {
  url: string;
  faults: Faults;
  heal(): void;
  /** Calls per method, with or without a fault. */
  calls(method: string): number;
  resetCalls(): void;
  stop(): Promise<void>;
};

export const RPC_ERRORS = {
  nonceTooLow: { code: -32003, message: "nonce too low" },
  alreadyKnown: { code: -32000, message: "already known" },
  underpriced: { code: -32000, message: "replacement transaction underpriced" },
  rateLimited: { code: 429, message: "Too Many Requests" },
  internal: { code: -32603, message: "internal error" },
} satisfies Record<string, RpcError>;

type Call = { id: unknown; method: string; params?: unknown[] };
type Reply = { jsonrpc: "2.0"; id: unknown; result?: unknown; error?: RpcError };

/** A proxy in front of a node that injects faults: JSON-RPC over HTTP, including batches. */
export async function startChaosProxy(target: string): Promise<ChaosProxy> {
  const faults = faultless();
  const counts = new Map<string, number>();

  const server = createServer((req, res) => {
    // When the node is gone, its callers' connections break too.
    respond(req, res).catch(() => res.destroy());
  });
  server.on("connection", (socket) => {
    if (faults.isRefusing) socket.destroy();
  });

  // Node's client costs a fraction of fetch, and the service asks its nodes all the time.
  const agent = new Agent({ keepAlive: true, timeout: 4_000 });

  async function forward(body: string): Promise<string> {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const req = request(target, { method: "POST", agent, headers });
    const answered = once(req, "response");
    req.end(body);
    const [res]: IncomingMessage[] = await answered;
    if (!res) throw new Error("no response");
    return text(res);
  }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (faults.isRefusing) return void res.destroy();
    const body: Call | Call[] = JSON.parse(await text(req));
    const calls = [body].flat();
    for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
    if (faults.latencyMs > 0) await sleep(faults.latencyMs);

    const status = calls.map(({ method }) => of(faults.httpStatus, method)).find(Boolean);
    if (status) return void res.writeHead(status).end();
    const replies = await Promise.all(calls.map(reply));
    const isDropped = calls.some(({ method }) => faults.dropReplyTo.has(method) || faults.dropReplyTo.has("*"));
    if (isDropped) return void res.destroy();
    res.setHeader("content-type", "application/json");
    res.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
  }

  async function reply(call: Call): Promise<Reply> {
    const error = of(faults.errors, call.method) ?? (await faults.refuses.get(call.method)?.(call.params ?? []));
    if (error) return { jsonrpc: "2.0", id: call.id, error };
    const answered: Reply = JSON.parse(await forward(JSON.stringify({ jsonrpc: "2.0", ...call })));
    if (/^eth_send(?:Raw)?Transaction$/.test(call.method)) sentTo(target);
    return distorted(call, answered);
  }

  async function distorted(call: Call, answered: Reply): Promise<Reply> {
    const change = faults.answers.get(call.method);
    if (change) return { ...answered, result: await change(call.params ?? [], answered.result) };
    if (call.method === "eth_getTransactionCount") return shifted(answered, -faults.staleNonceBy);
    if (call.method === "eth_blockNumber") return shifted(answered, faults.headOffBy);
    if (call.method === "eth_getBlockByNumber" && call.params?.[0] === "latest")
      return asHead(answered, faults.headOffBy);
    if (call.method === "eth_getLogs" && faults.isHidingLogs) return { ...answered, result: [] };
    return answered;
  }

  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    heal: () => void Object.assign(faults, faultless()),
    calls: (method) => counts.get(method) ?? 0,
    resetCalls: () => counts.clear(),
    async stop() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}

const faultless = (): Faults => ({
  latencyMs: 0,
  isRefusing: false,
  dropReplyTo: new Set(),
  errors: new Map(),
  httpStatus: new Map(),
  answers: new Map(),
  refuses: new Map(),
  staleNonceBy: 0,
  headOffBy: 0,
  isHidingLogs: false,
});

const of = <T>(faults: Map<string, T>, method: string): T | undefined => faults.get(method) ?? faults.get("*");

function shifted(reply: Reply, by: number): Reply {
  if (by === 0 || typeof reply.result !== "string") return reply;
  return { ...reply, result: shiftedNumber(reply.result, by) };
}

/** The same block with another number. */
function asHead(reply: Reply, by: number): Reply {
  const block = reply.result as { number?: unknown } | null;
  if (by === 0 || typeof block?.number !== "string") return reply;
  return { ...reply, result: { ...block, number: shiftedNumber(block.number, by) } };
}

const shiftedNumber = (hex: string, by: number) => `0x${Math.max(0, Number(hex) + by).toString(16)}`;
