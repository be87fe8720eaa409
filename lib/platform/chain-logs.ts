import { decodeEventLog, type Hex, type PublicClient } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { fromUnixSeconds } from "@/lib/core/time";
import type { Network } from "@/lib/x402/networks";
import { TOKEN_ABI } from "@/lib/x402/token";
import type { AuthorizationLog, AuthorizationUse, Block, Chain, LogPage, TransferLog } from "./chain";
import { answered, failureOf } from "./rpc-answers";

const [usedEvent, canceledEvent, transferEvent] = TOKEN_ABI;

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
  let responseCount = 0;
  return {
    /** The last block of the next request. */
    end: ({ from, to }: Range) => (to - from < reach ? to : from + reach - 1n),
    refused: (blocks: bigint) => {
      responseCount = 0;
      const half = blocks / 2n;
      if (half < reach) reach = half > 1n ? half : 1n;
    },
    given: (blocks: bigint) => {
      if (blocks < reach || ++responseCount < ANSWERS_BEFORE_MORE) return;
      responseCount = 0;
      reach = 2n * reach < REACH_MAX ? 2n * reach : REACH_MAX;
    },
  };
}

/** Reads logs from one node, in ranges as large as it accepts. */
export function logReader(
  client: Client,
  network: Network,
): Pick<Chain, "authorizationLogs" | "transferLogs" | "emitters"> {
  // A query for one authorization has few logs and is seldom limited in the same way.
  const [reachOfAll, reachOfOne, reachOfTransfers] = [createReach(), createReach(), createReach()];
  const reachOfEvents = createReach();
  return {
    authorizationLogs: (range, key) =>
      readWithinReach(client, range, key ? reachOfOne : reachOfAll, (page) => logsOf(client, network, page, key)),
    transferLogs: (range, accounts) =>
      readWithinReach(client, range, reachOfTransfers, (page) => transfersOf(client, network, page, accounts)),
    emitters: (range, events) =>
      readWithinReach(client, range, reachOfEvents, async ({ from, to }) => {
        const logs = await client.getLogs({ events, fromBlock: from, toBlock: to });
        return logs.map(({ address }) => toAddress(address));
      }),
  };
}

async function readWithinReach<L>(
  client: Client,
  range: Range,
  reach: ReturnType<typeof createReach>,
  readLogs: (page: Range) => Promise<L[]>,
): Promise<LogPage<L>> {
  for (;;) {
    const page = { from: range.from, to: reach.end(range) };
    const blocks = page.to - page.from + 1n;
    try {
      const logPage = await fetchPage(client, page, readLogs);
      reach.given(blocks);
      return logPage;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === "refused" || failure === "slow") reach.refused(blocks);
      // A node that refuses a single block cannot serve logs at all. A slow one gets a smaller range next time.
      if (failure !== "refused" || blocks === 1n) return answered(Promise.reject(error));
    }
  }
}

async function fetchPage<L>(client: Client, page: Range, readLogs: (page: Range) => Promise<L[]>): Promise<LogPage<L>> {
  // In one batch: a node that lacks the block also lacks its logs, whatever it returns for them.
  const [last, logs] = await Promise.allSettled([blockAt(client, page.to), readLogs(page)]);
  if (last.status === "rejected") throw last.reason;
  if (last.value === null) return { logs: [], last: null };
  if (logs.status === "rejected") throw logs.reason;
  return { logs: logs.value, last: last.value };
}

async function logsOf(client: Client, network: Network, { from, to }: Range, key: Key): Promise<AuthorizationLog[]> {
  const range = { address: network.usdc, fromBlock: from, toBlock: to };
  const events = [usedEvent, canceledEvent];
  const responses = key
    ? await Promise.all(
        events.map((event) => client.getLogs({ ...range, event, args: { authorizer: key.payer, nonce: key.nonce } })),
      )
    : [await client.getLogs({ ...range, events })];
  return responses.flat().map((log) => ({
    kind: log.eventName === "AuthorizationUsed" ? "used" : "canceled",
    payer: toAddress(log.args.authorizer ?? ""),
    nonce: log.args.nonce ?? "0x",
    txHash: log.transactionHash,
    block: { number: log.blockNumber, hash: log.blockHash },
  }));
}

async function transfersOf(
  client: Client,
  network: Network,
  { from, to }: Range,
  accounts: readonly Address[],
): Promise<TransferLog[]> {
  const range = { address: network.usdc, event: transferEvent, fromBlock: from, toBlock: to };
  const either = [{ from: [...accounts] }, { to: [...accounts] }];
  const responses = await Promise.all(either.map((args) => client.getLogs({ ...range, args })));
  // A transfer between two of the accounts is in both responses.
  const logs = new Map(responses.flat().map((log) => [`${log.blockHash} ${log.logIndex}`, log]));
  return [...logs.values()].map(({ args, transactionHash, logIndex, blockNumber, blockHash }) => ({
    from: toAddress(args.from ?? ""),
    to: toAddress(args.to ?? ""),
    value: toUsdc(args.value ?? 0n),
    txHash: transactionHash,
    logIndex,
    block: { number: blockNumber, hash: blockHash },
  }));
}

/** All authorization logs of a range, and its last block: null when no node has reached that block. */
export const allLogs = (chain: Chain, range: Range, key?: Key): Promise<LogPage> =>
  allPages(range, (next) => chain.authorizationLogs(next, key));

/** All transfers of `accounts` in a range; otherwise like `allLogs`. */
export const allTransfers = (chain: Chain, range: Range, accounts: readonly Address[]): Promise<LogPage<TransferLog>> =>
  allPages(range, (next) => chain.transferLogs(next, accounts));

async function allPages<L>({ from, to }: Range, readPage: (range: Range) => Promise<LogPage<L>>): Promise<LogPage<L>> {
  let logs: L[] = [];
  for (let next = from; next <= to; ) {
    const page = await readPage({ from: next, to });
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

/**
 * Pairs each AuthorizationUsed with its Transfer: the next one from the same account before any other use. An
 * authorization that was used without a transfer has no payment.
 */
export function usesIn(logs: { topics: readonly Hex[]; data: Hex }[]): AuthorizationUse[] {
  const uses: AuthorizationUse[] = [];
  let open: AuthorizationUse | undefined;
  for (const log of logs) {
    const event = decodeTokenLog(log);
    if (event?.eventName === "AuthorizationUsed") {
      open = { payer: toAddress(event.args.authorizer), nonce: event.args.nonce, transfer: null };
      uses.push(open);
    } else if (event?.eventName === "Transfer" && open && toAddress(event.args.from) === open.payer) {
      open.transfer = { to: toAddress(event.args.to), value: toUsdc(event.args.value) };
      open = undefined;
    }
  }
  return uses;
}

function decodeTokenLog(log: { topics: readonly Hex[]; data: Hex }) {
  try {
    return decodeEventLog({ abi: TOKEN_ABI, topics: log.topics as [Hex, ...Hex[]], data: log.data });
  } catch {
    // Another event of the token (Approval, Mint).
    return null;
  }
}
