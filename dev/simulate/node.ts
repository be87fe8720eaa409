import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Hex, keccak256, parseTransaction } from "viem";

/** Faults of a provider's node. Each lasts until it is changed or `heal` is called. */
export type Weather = {
  slowMs: number;
  /** Connections are cut. */
  isSilent: boolean;
  /** The node executes the request, but the caller gets no response. */
  losesReplies: boolean;
  /** The newest blocks are missing. */
  lagBlocks: number;
  /** Number of the next responses about the newest block that name one far too high. */
  falseHeads: number;
  /** Every transaction is rejected with an unknown error text. */
  unknownWords: boolean;
  /** Number of the next nonces whose calls are refused permanently, at any fee. An empty transaction with the nonce is accepted. */
  refusals: number;
  /** Log queries over more blocks than this are rejected; 0 means no limit. */
  logRange: number;
  hidesLogs: boolean;
  /** Transactions are accepted and dropped. */
  forgetsTransactions: boolean;
  /** Another account submits the transfer of a simulation, and the simulation returns "exceeds balance". */
  submitsShown: boolean;
};

export type Node = {
  url: string;
  weather: Weather;
  heal: () => void;
  /** How often each fault changed a response. */
  struck: Map<keyof Weather, number>;
  stop: () => Promise<void>;
};

type Call = { jsonrpc?: string; id: unknown; method: string; params?: unknown[] };
type Reply = {
  jsonrpc: "2.0";
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: string };
};

export const calm = (): Weather => ({
  slowMs: 0,
  isSilent: false,
  losesReplies: false,
  lagBlocks: 0,
  falseHeads: 0,
  unknownWords: false,
  refusals: 0,
  logRange: 0,
  hidesLogs: false,
  forgetsTransactions: false,
  submitsShown: false,
});

const isCalm = (weather: Weather) => !Object.values(weather).some(Boolean);

function pass(body: string, res: ServerResponse): void {
  res.setHeader("content-type", "application/json");
  res.end(body);
}

/** A JSON-RPC proxy before `target` that misbehaves on demand. `submit` sends a token call as another account's transaction. */
export async function startNode(target: string, submit: (data: Hex) => Promise<void>): Promise<Node> {
  const weather = calm();
  const struck: Node["struck"] = new Map();
  const refusedNonces = new Set<number>();
  const strike = (kind: keyof Weather) => void struck.set(kind, (struck.get(kind) ?? 0) + 1);

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const sent = await text(req);
    if (isCalm(weather) && refusedNonces.size === 0) return pass(await relay(sent), res);
    const body: Call | Call[] = JSON.parse(sent);
    if (weather.isSilent) {
      strike("isSilent");
      return void res.destroy();
    }
    if (weather.slowMs > 0) {
      strike("slowMs");
      await sleep(weather.slowMs);
    }
    const isLost = weather.losesReplies;
    const replies = await Promise.all([body].flat().map(reply));
    if (isLost) {
      strike("losesReplies");
      return void res.destroy();
    }
    pass(JSON.stringify(Array.isArray(body) ? replies : replies[0]), res);
  }

  const agent = new Agent({ keepAlive: true });
  const relay = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const onward = request(target, { method: "POST", headers, agent }, (res) => text(res).then(resolve, reject));
      onward.once("error", reject).end(body);
    });
  const forward = async (call: Call): Promise<Reply> =>
    JSON.parse(await relay(JSON.stringify({ ...call, jsonrpc: "2.0" })));

  const head = async () => Number((await forward({ id: 0, method: "eth_blockNumber", params: [] })).result);
  const refuse = (call: Call, message: string, data?: string): Reply => ({
    jsonrpc: "2.0",
    id: call.id,
    error: { code: -32000, message, ...(data && { data }) },
  });

  async function reply(call: Call): Promise<Reply> {
    const changed = (await strange(call)) ?? (await lagging(call));
    return changed ?? forward(call);
  }

  async function strange(call: Call): Promise<Reply | null> {
    const [first] = call.params ?? [];
    switch (call.method) {
      case "eth_sendRawTransaction":
        if (weather.unknownWords) {
          strike("unknownWords");
          return refuse(call, "the gate keeper does not like this colour");
        }
        if (isRefusedForEver(first as Hex))
          return refuse(call, "oversized data: transaction size 131073, limit 131072");
        if (!weather.forgetsTransactions) return null;
        strike("forgetsTransactions");
        return { jsonrpc: "2.0", id: call.id, result: keccak256(first as Hex) };
      case "eth_getLogs":
        return logs(call, first as { fromBlock?: string; toBlock?: string });
      case "eth_call":
        return showTransfer(call, first as { data?: string });
      case "eth_getBlockByNumber":
        if (weather.falseHeads <= 0 || first !== "latest") return null;
        weather.falseHeads--;
        strike("falseHeads");
        return falseHead(call);
      default:
        return null;
    }
  }

  function isRefusedForEver(raw: Hex): boolean {
    const { nonce = 0, data = "0x" } = parseTransaction(raw);
    if (data === "0x") return false;
    if (refusedNonces.has(nonce)) return true;
    if (weather.refusals <= 0) return false;
    weather.refusals--;
    strike("refusals");
    refusedNonces.add(nonce);
    return true;
  }

  async function falseHead(call: Call): Promise<Reply> {
    const truth = await forward(call);
    const block = truth.result as { number: string; hash: string };
    const number = `0x${(Number(block.number) + 5_000).toString(16)}`;
    return { ...truth, result: { ...block, number, hash: `0x${"fa".repeat(32)}` } };
  }

  async function logs(call: Call, { fromBlock = "0x0", toBlock = "0x0" }: { fromBlock?: string; toBlock?: string }) {
    const blocks = Number(toBlock) - Number(fromBlock) + 1;
    if (weather.logRange > 0 && blocks > weather.logRange) {
      strike("logRange");
      return refuse(call, `this plan reads ${weather.logRange} blocks at once, sorry`);
    }
    if (!weather.hidesLogs) return null;
    strike("hidesLogs");
    return { jsonrpc: "2.0" as const, id: call.id, result: [] };
  }

  async function showTransfer(call: Call, { data = "" }: { data?: string }): Promise<Reply | null> {
    const [transfer] = TRANSFER.exec(data) ?? [];
    if (!weather.submitsShown || !transfer) return null;
    strike("submitsShown");
    await submit(`0x${transfer}`);
    return refuse(call, "execution reverted: ERC20: transfer amount exceeds balance", EXCEEDS_BALANCE);
  }

  async function lagging(call: Call): Promise<Reply | null> {
    const { lagBlocks } = weather;
    if (lagBlocks === 0) return null;
    const seen = Math.max(0, (await head()) - lagBlocks);
    const [first] = call.params ?? [];
    if (call.method === "eth_getBlockByNumber") {
      strike("lagBlocks");
      if (first === "latest") return forward({ ...call, params: [`0x${seen.toString(16)}`, false] });
      return Number(first) > seen ? { jsonrpc: "2.0", id: call.id, result: null } : null;
    }
    if (call.method === "eth_getTransactionReceipt") {
      const truth = await forward(call);
      const block = (truth.result as { blockNumber?: string } | null)?.blockNumber;
      return block && Number(block) > seen ? { ...truth, result: null } : truth;
    }
    if (call.method === "eth_getTransactionCount") {
      return forward({ ...call, params: [first, `0x${seen.toString(16)}`] });
    }
    return null;
  }

  // Connections break only by a drawn fault, never for idleness.
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    // If the upstream node is down, the caller's connection is cut too.
    respond(req, res).catch(() => res.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    weather,
    heal: () => void Object.assign(weather, calm()),
    struck,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}

/** transferWithAuthorization with a 65-byte signature: a selector and eleven words. */
const TRANSFER = /cf092995[0-9a-f]{704}/;

/** ABI-encoded Error(string) with the token's text. */
const EXCEEDS_BALANCE = `0x08c379a0${"20".padStart(64, "0")}${"26".padStart(64, "0")}${Buffer.from(
  "ERC20: transfer amount exceeds balance",
)
  .toString("hex")
  .padEnd(128, "0")}`;
