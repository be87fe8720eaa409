import { Resolver } from "node:dns/promises";
import { type Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { collector } from "@/lib/core/collect";
import { bareHost, isAddress, isLoopback, isPublicAddress } from "@/lib/core/ip";
import type { Connections } from "./connections";

/** Why there was no response. */
export type Unreached = "address_refused" | "name_unknown" | "timeout" | "certificate" | "connection" | "not_http";
export type Reply =
  /** `body`: the part within the limits; invalid UTF-8 is replaced. */
  { isAnswered: true; status: number; body: string; retryAfter: string | null } | Unanswered;

/**
 * The response to a request. `end`: `broken` if the connection closed or the time ran out before the end of the body; `isLate`: it was the
 * time.
 */
export type OutboundResponse = {
  isAnswered: true;
  status: number;
  /** Names in lower case; a repeated header's values are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** The part within the limit. */
  bytes: Buffer;
  end: "whole" | "too_large" | "broken";
  isLate?: boolean;
};
export type Unanswered = { isAnswered: false; why: Unreached };

/** All addresses of a name, in any order. Rejects, or returns none, when the name does not exist. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;
/** Sends one POST; never throws. Without a response the request may still have arrived. */
export type Post = (url: URL, headers: Record<string, string>, body: string) => Promise<Reply>;

export type OutboundRequest = {
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer | undefined;
  msMax?: number;
  /** Ends the request. */
  signal?: AbortSignal | undefined;
  /** Sees the response while it arrives, before `Send` resolves. */
  watch?: Watch | undefined;
};
export type Watch = {
  head: (status: number, headers: OutboundResponse["headers"]) => void;
  /** `arrived`: all of the body until now. Not called for the part over the limit. */
  chunk: (arrived: Buffer) => void;
};
/**
 * Sends one request; never throws. Without a response the request may still have arrived. It is sent a second time only if it may be (RFC
 * 9110, section 9.2.2), and the connection of an earlier one, which it used, brought no response.
 */
export type Send = (url: URL, request: OutboundRequest) => Promise<OutboundResponse | Unanswered>;

export type Outbound = {
  /** For a devnet, where receivers run on the same machine. */
  allowsLoopback: boolean;
  /** Public addresses that are refused like private ones. */
  isRefused?: (address: string) => boolean;
  resolve?: Resolve;
  totalMsMax?: number;
  replyBytesMax?: number;
  /** For requests by GET and HEAD without a body. By default, each request has a connection of its own. */
  connections?: Connections;
};

const TOTAL_MS_MAX = 10_000;
const REPLY_BYTES_MAX = 65_536;
/**
 * Node gives up an address of several after 250 ms, also when this process was busy meanwhile. The others often do not work, such as those
 * of IPv6 without a route.
 */
const CONNECTING = { autoSelectFamilyAttemptTimeout: 3_000 };

/**
 * Sends requests to URLs that strangers chose. A name is resolved once, all its addresses are checked, and only these are
 * used: no second lookup can return a different address. Redirects are not followed and no proxy is used. Lookup,
 * connection, request and reply together take at most ten seconds (or `totalMsMax`, or the request's `msMax`), and at most
 * 64 KB of the reply (or `replyBytesMax`) are read. With `connections`, the addresses and connections of earlier requests are used. A
 * request with a body has a connection of its own: a server that does not read the body would take it for the next request.
 */
export function createSend({
  allowsLoopback,
  isRefused = () => false,
  resolve = resolveByDns,
  totalMsMax = TOTAL_MS_MAX,
  replyBytesMax = REPLY_BYTES_MAX,
  connections,
}: Outbound): Send {
  const isAllowed = (address: string) =>
    (isPublicAddress(address) || (allowsLoopback && isLoopback(address))) && !isRefused(address);

  async function addressesOf(url: URL, signal: AbortSignal): Promise<readonly string[] | Unreached> {
    const host = bareHost(url);
    const lookup = isAddress(host) ? [host] : resolve(host, signal);
    const timeout = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    const addresses = await Promise.race([lookup, timeout]);
    if (addresses.length === 0) return "name_unknown";
    return addresses.every(isAllowed) ? addresses : "address_refused";
  }

  /** `shared`: the connections to use. What they no longer lead to is looked up and sent once more. */
  async function exchangeWith(
    url: URL,
    sending: Omit<OutboundRequest, "msMax" | "signal"> & { signal: AbortSignal },
    shared?: Connections,
  ): Promise<OutboundResponse | Unanswered> {
    const { signal } = sending;
    const known = shared?.find(url) ?? null;
    const addresses = known?.addresses ?? (await addressesOf(url, signal));
    if (typeof addresses === "string") return { isAnswered: false, why: addresses };
    const agent = shared ? (known ?? shared.open(url, addresses)).agent : false;
    try {
      return await exchange(url, { ...sending, addresses, replyBytesMax, agent });
    } catch (error) {
      shared?.forget(url);
      const isStale = error instanceof ConnectionClosed || (known !== null && isUnconnected(error));
      if (isStale && !signal.aborted) return exchangeWith(url, sending);
      throw error;
    }
  }

  return async (url, { msMax = totalMsMax, signal: cancelling, ...request }) => {
    // In place of AbortSignal.any and AbortSignal.timeout, which cost several times as much.
    const ending = new AbortController();
    const { signal } = ending;
    let isLate = false;
    const cancel = () => ending.abort(cancelling?.reason);
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort(new DOMException("no answer in time", "TimeoutError"));
    }, msMax).unref();
    try {
      cancelling?.throwIfAborted();
      cancelling?.addEventListener("abort", cancel);
      const reply = await exchangeWith(url, { ...request, signal }, isRepeatable(request) ? connections : undefined);
      return reply.isAnswered && reply.end === "broken" ? { ...reply, isLate } : reply;
    } catch (error) {
      if (signal.aborted || cancelling?.aborted) return { isAnswered: false, why: isLate ? "timeout" : "connection" };
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code.startsWith("HPE_")) return { isAnswered: false, why: "not_http" };
      const isOfCertificate = /CERT|SELF_SIGNED|VERIFY|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code);
      return { isAnswered: false, why: isOfCertificate ? "certificate" : "connection" };
    } finally {
      clearTimeout(timer);
      cancelling?.removeEventListener("abort", cancel);
    }
  };
}

/** `createSend` for one POST: the status is the result, whether or not the body arrives. */
export function createPost(outbound: Outbound): Post {
  const send = createSend(outbound);
  return async (url, headers, body) => {
    const reply = await send(url, { method: "POST", headers, body });
    if (!reply.isAnswered) return reply;
    const { status, bytes } = reply;
    return {
      isAnswered: true,
      status,
      body: bytes.toString("utf8"),
      retryAfter: reply.headers["retry-after"] ?? null,
    };
  };
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
  const lookups = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.removeEventListener("abort", cancel);
  return lookups.flatMap((lookup) => (lookup.status === "fulfilled" ? lookup.value : []));
}

const isRepeatable = ({ method, body }: Pick<OutboundRequest, "method" | "body">): boolean =>
  (method === "GET" || method === "HEAD") && body === undefined;

type AddressedRequest = Omit<OutboundRequest, "msMax" | "signal"> & {
  addresses: readonly string[];
  signal: AbortSignal;
  replyBytesMax: number;
  /** False for a connection of its own, which closes after it. */
  agent: Agent | false;
};

/** Nothing was sent. Several addresses fail with an error that has those of each. */
const isUnconnected = (error: unknown): boolean =>
  error instanceof AggregateError || (error instanceof Error && "syscall" in error && error.syscall === "connect");

/** The connection of an earlier request brought no response to this one. */
class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed";
}

function exchange(url: URL, sending: AddressedRequest): Promise<OutboundResponse | Unanswered> {
  const { method, headers, body, addresses, signal, replyBytesMax, agent, watch } = sending;
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, {
      method,
      // Never the global one, which may lead through a proxy.
      agent,
      headers: { ...headers, ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }) },
      lookup: answering(addresses),
      ...CONNECTING,
      signal,
    });
    const fail = (error: Error) =>
      reject(clientRequest.reusedSocket ? new ConnectionClosed(error.message, { cause: error }) : error);
    const unanswered = () => fail(new Error("closed without an answer"));
    clientRequest.once("error", fail).once("close", unanswered);
    // On a protocol switch Node emits only 'upgrade', with the raw socket.
    clientRequest.once("upgrade", (_res, socket) => {
      socket.destroy();
      resolve({ isAnswered: false, why: "not_http" });
    });
    clientRequest.once("response", (res) => {
      const add = collector(replyBytesMax);
      let arrived: Buffer = Buffer.alloc(0);
      const finish = (end: OutboundResponse["end"]) => {
        resolve({ isAnswered: true, status: res.statusCode ?? 0, headers: headersOf(res), bytes: arrived, end });
        if (end !== "whole" || agent === false) clientRequest.destroy();
      };
      const breakOff = () => finish("broken");
      clientRequest.off("close", unanswered).off("error", fail).on("error", breakOff);
      watch?.head(res.statusCode ?? 0, headersOf(res));
      res.on("data", (chunk: Buffer) => {
        const isTooLarge = arrived.length + chunk.length > replyBytesMax;
        arrived = add(chunk);
        if (isTooLarge) finish("too_large");
        else watch?.chunk(arrived);
      });
      res
        .once("end", () => finish("whole"))
        .once("error", breakOff)
        .once("close", breakOff);
    });
    clientRequest.end(body);
  });
}

/**
 * From the raw lines: Node's own `headersDistinct` throws for a header named `__proto__` before 20.20.2, 22.22.2 and 24.14.1. A Map and
 * Object.fromEntries, because such a name must not reach the object's prototype.
 */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    const key = name.toLowerCase();
    const previousValue = headers.get(key);
    headers.set(key, previousValue === undefined ? value : `${previousValue}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** A `lookup` function for Node that always returns the checked addresses. */
const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, done) => {
    const lookupAddresses = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const [first] = lookupAddresses;
    if (options.all || !first) done(null, lookupAddresses);
    else done(null, first.address, first.family);
  };
