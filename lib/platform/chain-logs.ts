import type { Hex, PublicClient } from "viem";
import { toAddress } from "@/lib/core/address";
import { fromUnixSeconds } from "@/lib/core/time";
import type { Network } from "@/lib/x402/networks";
import { TOKEN_ABI } from "@/lib/x402/token";
import type { AuthorizationLog, Block, Chain, LogPage } from "./chain";
import { answered, failureOf } from "./rpc-answers";

const [usedEvent, canceledEvent] = TOKEN_ABI;

type Client = Pick<PublicClient, "getLogs" | "request">;
type Range = { from: bigint; to: bigint };
type Key = Parameters<Chain["authorizationLogs"]>[1];

/** Maximum number of blocks per request. */
const REACH_MAX = 10_000n;

/** After this many full responses a larger range is tried. */
const ANSWERS_BEFORE_MORE = 10;

/**
 * Learns how many blocks one node accepts per request. A refusal halves the size of the refused range. It doubles again
 * after a while, because some nodes limit logs rather than blocks.
 */
function createReach() {
  let reach = REACH_MAX;
  let answers = 0;
  return {
    /** The last block of the next request. */
    end: ({ from, to }: Range) => (to - from < reach ? to : from + reach - 1n),
    refused: (blocks: bigint) => {
      answers = 0;
      const half = blocks / 2n;
      if (half < reach) reach = half > 1n ? half : 1n;
    },
    given: (blocks: bigint) => {
      if (blocks < reach || ++answers < ANSWERS_BEFORE_MORE) return;
      answers = 0;
      reach = 2n * reach < REACH_MAX ? 2n * reach : REACH_MAX;
    },
  };
}

/** Reads authorization logs from one node, in ranges as large as it accepts. */
export function logReader(client: Client, network: Network): Chain["authorizationLogs"] {
  // A query for one authorization has few logs and is seldom limited in the same way.
  const [reachOfAll, reachOfOne] = [createReach(), createReach()];

  return async (range, key) => {
    const reach = key ? reachOfOne : reachOfAll;
    for (;;) {
      const page = { from: range.from, to: reach.end(range) };
      const blocks = page.to - page.from + 1n;
      try {
        const found = await fetchPage(client, network, page, key);
        reach.given(blocks);
        return found;
      } catch (thrown) {
        const failure = failureOf(thrown);
        if (failure === "refused" || failure === "slow") reach.refused(blocks);
        // A node that refuses a single block cannot serve logs at all. A slow one gets a smaller range next time.
        if (failure !== "refused" || blocks === 1n) return answered(Promise.reject(thrown));
      }
    }
  };
}

async function fetchPage(client: Client, network: Network, { from, to }: Range, key: Key): Promise<LogPage> {
  // In one batch: a node that lacks the block also lacks its logs, whatever it returns for them.
  const [last, logs] = await Promise.allSettled([blockAt(client, to), logsOf(client, network, { from, to }, key)]);
  if (last.status === "rejected") throw last.reason;
  if (last.value === null) return { logs: [], last: null };
  if (logs.status === "rejected") throw logs.reason;
  return { logs: logs.value, last: last.value };
}

async function logsOf(client: Client, network: Network, { from, to }: Range, key: Key): Promise<AuthorizationLog[]> {
  const range = { address: network.usdc, fromBlock: from, toBlock: to };
  const events = [usedEvent, canceledEvent];
  const found = key
    ? await Promise.all(
        events.map((event) => client.getLogs({ ...range, event, args: { authorizer: key.payer, nonce: key.nonce } })),
      )
    : [await client.getLogs({ ...range, events })];
  return found.flat().map((log) => ({
    kind: log.eventName === "AuthorizationUsed" ? "used" : "canceled",
    payer: toAddress(log.args.authorizer ?? ""),
    nonce: log.args.nonce ?? "0x",
    txHash: log.transactionHash,
    block: { number: log.blockNumber, hash: log.blockHash },
  }));
}

/** All authorization logs of a range, and its last block: null when no node has reached that block. */
export async function allLogs(chain: Chain, { from, to }: Range, key?: Key): Promise<LogPage> {
  let logs: AuthorizationLog[] = [];
  for (let next = from; next <= to; ) {
    const page = await chain.authorizationLogs({ from: next, to }, key);
    if (!page.last || page.last.number < next) return { logs, last: null };
    logs = logs.concat(page.logs);
    if (page.last.number === to) return { logs, last: page.last };
    next = page.last.number + 1n;
  }
  return { logs, last: null };
}

export async function blockAt(client: Pick<PublicClient, "request">, number: bigint): Promise<Block | null> {
  const block = await client.request({
    method: "eth_getBlockByNumber",
    params: [`0x${number.toString(16)}`, false],
  });
  if (!block?.hash || block.number === null) return null;
  return toBlock({ number: BigInt(block.number), hash: block.hash, timestamp: BigInt(block.timestamp) });
}

export const toBlock = (block: { number: bigint; hash: Hex; timestamp: bigint }): Block => ({
  number: block.number,
  hash: block.hash,
  time: fromUnixSeconds(Number(block.timestamp)),
});
