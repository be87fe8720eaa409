import type { Network } from "@/lib/x402/networks";
import { type Block, type Chain, ChainUnavailable, type SendResult } from "./chain";
import { type AcceptedHead, isPlausible, mayLagBehind } from "./heads";
import type { Log } from "./log";
import { metrics } from "./metrics";
import { connectNode, type Node, signTransaction } from "./node";

/** One URL of a network and its recent behaviour. Times are milliseconds of this process's monotonic clock. */
type Endpoint = {
  node: Node;
  /** Safe for the log: URLs may contain API keys. */
  host: string;
  /** The chain id check since this node was last selected; null until it is made. */
  rightChain: Promise<void> | null;
  failures: number;
  skippedUntilMs: number;
  isOfWrongChain: boolean;
};

const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 30_000;
/** A node of another chain is tried again after this time: it may have been corrected. */
const WRONG_CHAIN_MS = 60_000;
/** Results of a transaction that is in the pool or on the chain. */
const TAKEN: ReadonlySet<SendResult> = new Set<SendResult>(["accepted", "known", "nonce_too_low"]);
/**
 * Mildest first. Where nodes disagree the mildest counts, so that one node alone cannot make the relayer give up a transaction.
 * Why: docs/decisions.md, 436.
 */
const REFUSALS: readonly SendResult[] = ["underpriced", "unfunded", "rejected", "impossible"];
/** How long to stay with a working node before an earlier one in the list is tried again. */
const STAY_MS = 60_000;

/**
 * A network through the first of `urls` that works. It stays with a node while that node responds, so that responses of a
 * lagging node and a current one do not mix; each method call gets its whole result from one node. A node that fails is
 * left at once and skipped for a while. The chain id is checked each time a node is selected, and a wrong one disables the
 * node. Methods throw ChainUnavailable when no node responded.
 */
export function connectChain(network: Network, urls: readonly [string, ...string[]], log: Log): Chain {
  const nodes = urls.map(
    (url): Endpoint => ({
      node: connectNode(network, url),
      host: new URL(url).host,
      rightChain: null,
      failures: 0,
      skippedUntilMs: 0,
      isOfWrongChain: false,
    }),
  );
  let current: { endpoint: Endpoint; sinceMs: number } | null = null;
  let acceptedHead: AcceptedHead | null = null;

  /** The order of attempts. Nodes that failed recently come last, but are still tried. */
  function order(): Endpoint[] {
    const nowMs = performance.now();
    const stays = current && nowMs - current.sinceMs < STAY_MS ? current.endpoint : null;
    const rank = (endpoint: Endpoint) =>
      endpoint.skippedUntilMs > nowMs ? endpoint.skippedUntilMs : endpoint === stays ? -1 : 0;
    return nodes.toSorted((a, b) => rank(a) - rank(b));
  }

  async function assertRightChain(endpoint: Endpoint): Promise<void> {
    endpoint.rightChain ??= endpoint.node.chainId().then((chainId) => {
      const isNews = !endpoint.isOfWrongChain;
      endpoint.isOfWrongChain = chainId !== network.chainId;
      if (!endpoint.isOfWrongChain) return;
      const mismatch = { network: network.name, node: endpoint.host, expected: network.chainId, found: chainId };
      if (isNews) log.error(mismatch, "chain.wrong_chain");
      endpoint.skippedUntilMs = performance.now() + WRONG_CHAIN_MS;
      throw new ChainUnavailable(`${endpoint.host} is a node of chain ${chainId}, not of ${network.chainId}`);
    });
    await endpoint.rightChain;
  }

  function recordFailure(endpoint: Endpoint, err: unknown): void {
    endpoint.rightChain = null;
    const nowMs = performance.now();
    if (current && current.endpoint !== endpoint) current.sinceMs = nowMs;
    // Concurrent calls fail together and count as one failure.
    if (endpoint.skippedUntilMs > nowMs) return;
    endpoint.failures += 1;
    endpoint.skippedUntilMs = nowMs + Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** endpoint.failures);
    const named = { network: network.name, node: endpoint.host };
    metrics().nodeFailures.inc(named);
    metrics().nodeUp.set(named, 0);
    log.warn({ ...named, failures: endpoint.failures, err }, "chain.node_failed");
  }

  function recordSuccess(endpoint: Endpoint): void {
    const wasSkipped = endpoint.failures > 0;
    endpoint.failures = 0;
    endpoint.skippedUntilMs = 0;
    if (current?.endpoint === endpoint && !wasSkipped) return;
    metrics().nodeUp.set({ network: network.name, node: endpoint.host }, 1);
    if (current?.endpoint === endpoint) return;
    if (current) {
      current.endpoint.rightChain = null;
      log.warn({ network: network.name, from: current.endpoint.host, to: endpoint.host }, "chain.node_switched");
    }
    current = { endpoint, sinceMs: performance.now() };
  }

  /** Tries one node after another until one returns a final result. */
  async function tryNodes<T>(
    work: (endpoint: Endpoint) => Promise<T>,
    isFinal: (result: T) => boolean = () => true,
  ): Promise<T> {
    let lastResult: { value: T } | null = null;
    let failure: unknown;
    for (const endpoint of order()) {
      try {
        await assertRightChain(endpoint);
        const value = await work(endpoint);
        lastResult = { value };
        if (!isFinal(value)) continue;
        recordSuccess(endpoint);
        return value;
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        failure = error;
        // The result of a call to an unknown contract says nothing about the node.
        if (!error.isOfCall) recordFailure(endpoint, error);
      }
    }
    if (lastResult) return lastResult.value;
    throw failure;
  }

  async function readHead(endpoint: Endpoint): Promise<Block> {
    const block = await endpoint.node.head();
    const [nowMs, clock] = [performance.now(), new Date()];
    if (!isPlausible(block, acceptedHead, nowMs, clock) && !(await isConfirmed(endpoint, block))) {
      log.warn({ network: network.name, node: endpoint.host, head: block.number.toString() }, "chain.head_disbelieved");
      throw new ChainUnavailable(`${endpoint.host} reported a head that a second lookup does not confirm`);
    }
    acceptedHead = { block, atMs: nowMs, aheadMs: block.time.getTime() - clock.getTime() };
    return block;
  }

  /**
   * Looks `head` up a second time at the first other node that responds: true if it has the block, false if it lacks the
   * block without lagging. If it lags, or no other node responds, the same node has to return the block again.
   */
  async function isConfirmed(reporter: Endpoint, head: Block): Promise<boolean> {
    const nowMs = performance.now();
    for (const otherEndpoint of order().filter(
      (endpoint) => endpoint !== reporter && endpoint.skippedUntilMs <= nowMs,
    )) {
      try {
        await assertRightChain(otherEndpoint);
        // This node only confirms. If it is selected later, its chain id is checked again.
        if (current?.endpoint !== otherEndpoint) otherEndpoint.rightChain = null;
        if (await otherEndpoint.node.block(head.number)) return true;
        if (!mayLagBehind(await otherEndpoint.node.head(), head)) return false;
        break;
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        recordFailure(otherEndpoint, error);
      }
    }
    const recheckedBlock = await reporter.node.block(head.number);
    return recheckedBlock?.hash === head.hash;
  }

  /** Uses another node than `current`, which served the first lookup. */
  async function confirmUnused(...[keys, block]: Parameters<Chain["confirmUnused"]>): Promise<boolean[] | null> {
    const first = current?.endpoint;
    if (nodes.length === 1) return tryNodes(({ node }) => node.confirmUnused(keys, block));
    for (const otherEndpoint of order().filter((endpoint) => endpoint !== first)) {
      try {
        await assertRightChain(otherEndpoint);
        // As in isConfirmed.
        otherEndpoint.rightChain = null;
        const same = await otherEndpoint.node.block(block.number);
        // This node lags behind.
        if (!same) continue;
        if (same.hash !== block.hash) return keys.map(() => false);
        return (await otherEndpoint.node.authorizationStates(keys)).map((isUsed) => !isUsed);
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        recordFailure(otherEndpoint, error);
      }
    }
    return null;
  }

  return {
    network,
    confirmUnused,
    head: () => tryNodes(readHead),
    headNumber: () => tryNodes(({ node }) => node.headNumber()),
    block: (number) => tryNodes(({ node }) => node.block(number)),
    authorizationLogs: (range, key) => tryNodes(({ node }) => node.authorizationLogs(range, key)),
    transferLogs: (range, accounts) => tryNodes(({ node }) => node.transferLogs(range, accounts)),
    emitters: (range, events) => tryNodes(({ node }) => node.emitters(range, events)),
    receipt: (hash) => tryNodes(({ node }) => node.receipt(hash)),
    simulate: (from, calls, gas) => tryNodes(({ node }) => node.simulate(from, calls, gas)),
    simulateAlone: (from, call, gas) => tryNodes(({ node }) => node.simulateAlone(from, call, gas)),
    balances: (accounts) => tryNodes(({ node }) => node.balances(accounts)),
    nativeBalance: (account) => tryNodes(({ node }) => node.nativeBalance(account)),
    authorizationStates: (keys) => tryNodes(({ node }) => node.authorizationStates(keys)),
    wasUsed: (key, block) =>
      tryNodes(
        ({ node }) => node.wasUsed(key, block),
        (result) => result !== null,
      ),
    readAt: (calls, block) =>
      tryNodes(
        ({ node }) => node.readAt(calls, block),
        (result) => result !== null,
      ),
    codes: (accounts) => tryNodes(({ node }) => node.codes(accounts)),
    acceptsSignature: (account, digest, signature) =>
      tryNodes(({ node }) => node.acceptsSignature(account, digest, signature)),
    transactionCount: (account) => tryNodes(({ node }) => node.transactionCount(account)),
    fees: () => tryNodes(({ node }) => node.fees()),
    signTransaction: (privateKey, transaction) => signTransaction(network, privateKey, transaction),
    // A refusal of any kind may be one node's error, and sending the same bytes to another node is harmless.
    send: async (raw) => {
      const results: SendResult[] = [];
      const last = await tryNodes(
        async ({ node }) => {
          const result = await node.send(raw);
          results.push(result);
          return result;
        },
        (result) => TAKEN.has(result),
      );
      return TAKEN.has(last) ? last : (REFUSALS.find((refusal) => results.includes(refusal)) ?? last);
    },
  };
}
