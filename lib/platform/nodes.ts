import type { Network } from "@/lib/x402/networks";
import { type Block, type Chain, ChainUnavailable, type SendResult } from "./chain";
import { aheadOf, type Believed, isPlausible, mayLagBehind } from "./heads";
import type { Log } from "./log";
import { metrics } from "./metrics";
import { connectNode, type Node, signTransaction } from "./node";

/** One URL of a network and its recent behaviour. Times are milliseconds of this process's monotonic clock. */
type Known = {
  node: Node;
  /** Safe for the log: URLs may contain API keys. */
  host: string;
  /** The chain id check since this node was last selected; null when it is still to be made. */
  rightChain: Promise<void> | null;
  failures: number;
  skippedUntilMs: number;
  isOfWrongChain: boolean;
};

const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 30_000;
/** A node of another chain is tried again after this time: it may have been corrected. */
const WRONG_CHAIN_MS = 60_000;
/** Of a transaction: it is in the pool, or on the chain. */
const TAKEN: ReadonlySet<SendResult> = new Set<SendResult>(["accepted", "known", "nonce_too_low"]);
/**
 * The mildest first: it counts where nodes disagree, so that one of them alone cannot have a transaction given up.
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
    (url): Known => ({
      node: connectNode(network, url),
      host: new URL(url).host,
      rightChain: null,
      failures: 0,
      skippedUntilMs: 0,
      isOfWrongChain: false,
    }),
  );
  let current: { known: Known; sinceMs: number } | null = null;
  let believed: Believed | null = null;

  /** The order of attempts. Nodes that failed recently come last, but are still tried. */
  function order(): Known[] {
    const nowMs = performance.now();
    const stays = current && nowMs - current.sinceMs < STAY_MS ? current.known : null;
    const rank = (known: Known) => (known.skippedUntilMs > nowMs ? known.skippedUntilMs : known === stays ? -1 : 0);
    return nodes.toSorted((a, b) => rank(a) - rank(b));
  }

  async function assertRightChain(known: Known): Promise<void> {
    known.rightChain ??= known.node.chainId().then((chainId) => {
      const isNews = !known.isOfWrongChain;
      known.isOfWrongChain = chainId !== network.chainId;
      if (!known.isOfWrongChain) return;
      const found = { network: network.name, node: known.host, expected: network.chainId, found: chainId };
      if (isNews) log.error(found, "chain.wrong_chain");
      known.skippedUntilMs = performance.now() + WRONG_CHAIN_MS;
      throw new ChainUnavailable(`${known.host} is a node of chain ${chainId}, not of ${network.chainId}`);
    });
    await known.rightChain;
  }

  function failed(known: Known, err: unknown): void {
    known.rightChain = null;
    const nowMs = performance.now();
    if (current && current.known !== known) current.sinceMs = nowMs;
    // Concurrent calls fail together and count as one failure.
    if (known.skippedUntilMs > nowMs) return;
    known.failures += 1;
    known.skippedUntilMs = nowMs + Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** known.failures);
    const named = { network: network.name, node: known.host };
    metrics().nodeFailures.inc(named);
    metrics().nodeUp.set(named, 0);
    log.warn({ ...named, failures: known.failures, err }, "chain.node_failed");
  }

  function worked(known: Known): void {
    const wasSkipped = known.failures > 0;
    known.failures = 0;
    known.skippedUntilMs = 0;
    if (current?.known === known && !wasSkipped) return;
    metrics().nodeUp.set({ network: network.name, node: known.host }, 1);
    if (current?.known === known) return;
    if (current) {
      current.known.rightChain = null;
      log.warn({ network: network.name, from: current.known.host, to: known.host }, "chain.node_switched");
    }
    current = { known, sinceMs: performance.now() };
  }

  /** Tries one node after another until one returns a final result. */
  async function tryNodes<T>(
    work: (known: Known) => Promise<T>,
    isFinal: (answer: T) => boolean = () => true,
  ): Promise<T> {
    let answer: { value: T } | null = null;
    let failure: unknown;
    for (const known of order()) {
      try {
        await assertRightChain(known);
        const value = await work(known);
        answer = { value };
        if (!isFinal(value)) continue;
        worked(known);
        return value;
      } catch (thrown) {
        if (!(thrown instanceof ChainUnavailable)) throw thrown;
        failure = thrown;
        // The result of a call to an unknown contract says nothing about the node.
        if (!thrown.isOfCall) failed(known, thrown);
      }
    }
    if (answer) return answer.value;
    throw failure;
  }

  async function believableHead(known: Known): Promise<Block> {
    const block = await known.node.head();
    const [nowMs, clock] = [performance.now(), new Date()];
    if (!isPlausible(block, believed, nowMs, clock) && !(await isConfirmed(known, block))) {
      log.warn({ network: network.name, node: known.host, head: block.number.toString() }, "chain.head_disbelieved");
      throw new ChainUnavailable(`${known.host} reported a head that a second lookup does not confirm`);
    }
    believed = { block, atMs: nowMs, aheadMs: aheadOf(block, clock) };
    return block;
  }

  /**
   * Looks `head` up a second time at the first other node that responds: true if it has the block, false if it lacks the
   * block without lagging. If it lags, or no other node responds, the same node has to return the block again.
   */
  async function isConfirmed(by: Known, head: Block): Promise<boolean> {
    const nowMs = performance.now();
    for (const other of order().filter((known) => known !== by && known.skippedUntilMs <= nowMs)) {
      try {
        await assertRightChain(other);
        // It only confirms. If it is selected later, its chain id is checked again.
        if (current?.known !== other) other.rightChain = null;
        if (await other.node.block(head.number)) return true;
        if (!mayLagBehind(await other.node.head(), head)) return false;
        break;
      } catch (thrown) {
        if (!(thrown instanceof ChainUnavailable)) throw thrown;
        failed(other, thrown);
      }
    }
    const again = await by.node.block(head.number);
    return again?.hash === head.hash;
  }

  /** `current` answered the first look-up. */
  async function confirmUnused(...[keys, block]: Parameters<Chain["confirmUnused"]>): Promise<boolean[] | null> {
    const first = current?.known;
    if (nodes.length === 1) return tryNodes(({ node }) => node.confirmUnused(keys, block));
    for (const other of order().filter((known) => known !== first)) {
      try {
        await assertRightChain(other);
        // As in isConfirmed.
        other.rightChain = null;
        const same = await other.node.block(block.number);
        // It lags behind.
        if (!same) continue;
        if (same.hash !== block.hash) return keys.map(() => false);
        return (await other.node.authorizationStates(keys)).map((isUsed) => !isUsed);
      } catch (thrown) {
        if (!(thrown instanceof ChainUnavailable)) throw thrown;
        failed(other, thrown);
      }
    }
    return null;
  }

  return {
    network,
    confirmUnused,
    head: () => tryNodes(believableHead),
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
    // Sending the same bytes to another node is harmless, and a refusal, of whatever kind, may be one node's error.
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
