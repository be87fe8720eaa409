import { Resolver } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { bareHost, isAddress, isLoopback, isPublicAddress } from "@/lib/core/ip";

/** Why nobody answered. */
export type Unreached = "address_refused" | "name_unknown" | "timeout" | "certificate" | "connection" | "not_http";
export type Reply =
  /** `body`: what came of it within the limits; bytes that are no UTF-8 are replaced. */
  { isAnswered: true; status: number; body: string; retryAfter: string | null } | { isAnswered: false; why: Unreached };

/** Every address of a name, in any order. Rejects, or answers none, when there is no such name. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;
/** Sends one POST; never throws. An answer that did not come may all the same have been a request that did arrive. */
export type Post = (url: URL, headers: Record<string, string>, body: string) => Promise<Reply>;

export type Outbound = {
  /** For a devnet, where the receiver is a program on the same machine. */
  allowsLoopback: boolean;
  resolve?: Resolve;
  totalMsMax?: number;
};

const TOTAL_MS_MAX = 10_000;
const REPLY_BYTES_MAX = 65_536;

/**
 * POSTs to addresses that strangers chose. A name is resolved once, all its addresses are checked, and only checked ones are
 * connected to: there is no second look-up that could answer differently. Redirects are not followed and proxies not
 * asked; name, connection, request and reply together take at most ten seconds, and 64 KB of the reply are read.
 */
export function makePost({ allowsLoopback, resolve = resolveByDns, totalMsMax = TOTAL_MS_MAX }: Outbound): Post {
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
 * Asks the name servers directly. getaddrinfo would hold one of the process's few threads for as long as a stranger's name
 * server likes to think, and read /etc/hosts, which is nobody's business here.
 */
async function resolveByDns(host: string, signal: AbortSignal): Promise<string[]> {
  // RFC 6761: it has no other meaning, and no server to ask.
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
      // A connection of its own: none is shared, kept or made through a proxy.
      agent: false,
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      lookup: answering(addresses),
      signal,
    });
    const unanswered = () => reject(new Error("closed without an answer"));
    sent.once("error", reject).once("close", unanswered);
    // Node hands over the socket of whoever switches protocols, and tells of nothing else any more.
    sent.once("upgrade", (_res, socket) => {
      socket.destroy();
      resolve({ isAnswered: false, why: "not_http" });
    });
    sent.once("response", (res) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      // The status is the answer. A body that does not end in time, or breaks off, takes nothing back.
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

/** Tells node what was found and checked, whatever it asks for. */
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
