import { Resolver } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { bareHost, isAddress, isLoopback, isPublicAddress } from "@/lib/core/ip";

/** Why there was no response. */
export type Unreached = "address_refused" | "name_unknown" | "timeout" | "certificate" | "connection" | "not_http";
export type Reply =
  /** `body`: the part within the limits; invalid UTF-8 is replaced. */
  { isAnswered: true; status: number; body: string; retryAfter: string | null } | { isAnswered: false; why: Unreached };

/** All addresses of a name, in any order. Rejects, or returns none, when the name does not exist. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;
/** Sends one POST; never throws. Without a response the request may still have arrived. */
export type Post = (url: URL, headers: Record<string, string>, body: string) => Promise<Reply>;

export type Outbound = {
  /** For a devnet, where receivers run on the same machine. */
  allowsLoopback: boolean;
  resolve?: Resolve;
  totalMsMax?: number;
};

const TOTAL_MS_MAX = 10_000;
const REPLY_BYTES_MAX = 65_536;

/**
 * POSTs to URLs that strangers chose. A name is resolved once, all its addresses are checked, and only these are used: no
 * second lookup can return a different address. Redirects are not followed and no proxy is used. Lookup, connection,
 * request and reply together take at most ten seconds, and at most 64 KB of the reply are read.
 */
export function createPost({ allowsLoopback, resolve = resolveByDns, totalMsMax = TOTAL_MS_MAX }: Outbound): Post {
  return async (url, headers, body) => {
    const signal = AbortSignal.timeout(totalMsMax);
    try {
      const addresses = await within(signal, addressesOf(url, resolve, signal));
      if (addresses.length === 0) return { isAnswered: false, why: "name_unknown" };
      if (!addresses.every((address) => isReachable(address, allowsLoopback)))
        return { isAnswered: false, why: "address_refused" };
      return await exchange(url, { headers, body, addresses, signal });
    } catch (thrown) {
      return { isAnswered: false, why: signal.aborted ? "timeout" : reasonOf(thrown) };
    }
  };
}

const isReachable = (address: string, allowsLoopback: boolean) =>
  isPublicAddress(address) || (allowsLoopback && isLoopback(address));

async function addressesOf(url: URL, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const host = bareHost(url);
  return isAddress(host) ? [host] : resolve(host, signal);
}

/**
 * Queries the name servers directly. getaddrinfo would block one of the process's few threads for as long as a stranger's
 * name server takes, and would read /etc/hosts, which strangers' names must not reach.
 */
async function resolveByDns(host: string, signal: AbortSignal): Promise<string[]> {
  // RFC 6761: always loopback, never resolved by DNS.
  if (host === "localhost") return ["127.0.0.1", "::1"];
  const resolver = new Resolver();
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.removeEventListener("abort", cancel);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, late]);
}

type Request = { headers: Record<string, string>; body: string; addresses: string[]; signal: AbortSignal };

function exchange(url: URL, { headers, body, addresses, signal }: Request): Promise<Reply> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      // A separate connection: not pooled, not kept alive, not through a proxy.
      agent: false,
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      lookup: answering(addresses),
      signal,
    });
    const unanswered = () => reject(new Error("closed without an answer"));
    sent.once("error", reject).once("close", unanswered);
    // On a protocol switch Node emits only 'upgrade', with the raw socket.
    sent.once("upgrade", (_res, socket) => {
      socket.destroy();
      resolve({ isAnswered: false, why: "not_http" });
    });
    sent.once("response", (res) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      // The status is the result. A body that is too slow or breaks off does not change it.
      const finish = () => {
        const text = Buffer.concat(chunks).subarray(0, REPLY_BYTES_MAX).toString("utf8");
        const retryAfter = res.headers["retry-after"] ?? null;
        resolve({ isAnswered: true, status: res.statusCode ?? 0, body: text, retryAfter });
        sent.destroy();
      };
      sent.off("close", unanswered).off("error", reject).on("error", finish);
      res.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= REPLY_BYTES_MAX) finish();
      });
      res.once("end", finish).once("error", finish).once("close", finish);
    });
    sent.end(body);
  });
}

/** A `lookup` function for Node that always returns the checked addresses. */
const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const [first] = found;
    if (options.all || !first) done(null, found);
    else done(null, first.address, first.family);
  };

function reasonOf(thrown: unknown): Unreached {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (code.startsWith("HPE_")) return "not_http";
  if (/CERT|SELF_SIGNED|VERIFY|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code)) return "certificate";
  return "connection";
}
