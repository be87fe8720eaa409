import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tesseraTools } from "../../packages/client/src/ai.ts";
import { run } from "../../packages/client/src/cli/run.ts";
import { Tessera } from "../../packages/client/src/index.ts";
import { registerTessera } from "../../packages/client/src/x402.ts";
import { BASE_URL } from "../support/http";
import { type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { funded } from "../support/payouts";
import { shareService } from "../support/service";
import { freshAddress } from "../support/system";
import { server } from "../support/wiring";

/** A proxy in front of the service loses a third of all answers. Each purchase is repeated until its answer arrives, and is paid once. */
const service = shareService();
/** Purchases of each kind. */
const COUNT = Number(process.env.LOST_ANSWERS ?? 20);
const AT_ONCE = 8;
const TRIES = 60;
const PRICE = 10_000n;

let proxy: Server;
let proxyUrl: string;
let directory: string;
let lost = 0;

beforeAll(async () => {
  await server();
  directory = mkdtempSync(join(tmpdir(), "tessera-cli-"));
  let requests = 0;
  proxy = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { method = "GET", url } = req;
    const { host: _, connection: __, ...headers } = req.headers;
    const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks);
    const init = { method, headers: headers as Record<string, string>, body, redirect: "manual" as const };
    const answer = await fetch(new URL(url ?? "", BASE_URL), init);
    const bytes = Buffer.from(await answer.arrayBuffer());
    // The service has answered: whatever it does is done.
    if (++requests % 3 === 0) {
      lost += 1;
      res.destroy();
      return;
    }
    const kept = [...answer.headers].filter(
      ([name]) => !/^(content-encoding|content-length|transfer-encoding)$/.test(name),
    );
    res.writeHead(answer.status, Object.fromEntries(kept)).end(bytes);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  proxyUrl = `http://localhost:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => {
  proxy?.closeAllConnections();
  proxy?.close();
  rmSync(directory, { recursive: true, force: true });
});

type Buyer = { pair: Parties; tessera: Tessera; urlOf: (index: number) => string };
/** Makes one attempt at the purchase of `url` with the name `key`; whether it is over. */
type Attempt = (url: string, key: string) => Promise<boolean>;

async function newBuyer(sellerId: string): Promise<Buyer> {
  const pair = await linkedPair();
  await funded(service.world, pair.owner, 10_000_000n);
  await signedMandate({ limitAmount: "10000000" }, pair);
  const { agentId, token } = pair.agent;
  return {
    pair,
    tessera: new Tessera({ baseUrl: proxyUrl, agentId, token }),
    urlOf: (index) => `${proxyUrl}/unifypaymentlink/agentid/${sellerId}?amount=${PRICE}&asset=usdc&order=${index}`,
  };
}

const KINDS: Record<string, (buyer: Buyer) => Attempt> = {
  "@tessera/client/x402 in @x402/fetch": ({ tessera }) => {
    const client = registerTessera(new x402Client(), { tessera, maxAmount: `${PRICE}` });
    const pay = wrapFetchWithPayment(fetch, client);
    return async (url) => {
      const answer = await pay(url);
      const { code } = (await answer.json()) as Json;
      return answer.status === 200 || code === "PAYMENT_ALREADY_USED";
    };
  },
  "tools of @tessera/client/ai": ({ tessera }) => {
    const payUrl = tesseraTools(tessera, { maxAmount: `${PRICE}`, waitSeconds: 10 }).find(
      ({ name }) => name === "pay_url",
    );
    return async (url, idempotencyKey) => {
      const result = (await payUrl?.execute({ url, idempotencyKey })) as Json;
      return result.status === 200 || result.error.outcome === "paid";
    };
  },
  "pay_url over MCP": ({ pair }) => {
    const requestInit = { headers: { Authorization: `Bearer ${pair.agent.token}` } };
    return async (url, idempotencyKey) => {
      const client = new Client({ name: "buyer", version: "1.0.0" });
      const transport = new StreamableHTTPClientTransport(new URL(`${proxyUrl}/mcp`), { requestInit });
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      const order = { name: "pay_url", arguments: { url, maxAmount: `${PRICE}`, idempotencyKey } };
      const { structuredContent } = (await client.callTool(order)) as Json;
      await client.close();
      return structuredContent.outcome === "delivered";
    };
  },
  "the command line": ({ pair }) => {
    const { agentId, token } = pair.agent;
    const env = {
      TESSERA_URL: proxyUrl,
      TESSERA_AGENT_ID: agentId,
      TESSERA_TOKEN: token,
      TESSERA_CONFIG_DIR: directory,
    };
    const resumes = new Map<string, string>();
    return async (url, key) => {
      let err = "";
      const resumed = resumes.get(key);
      const again = resumed === undefined ? ["--key", key] : ["--resume", resumed];
      const code = await run(["pay", url, "--max", "0.01", ...again], {
        env,
        out: () => {},
        err: (text) => {
          err += text;
        },
        isTerminal: false,
        readIn: async () => "",
        lines: async function* () {},
        fetch,
        signal: new AbortController().signal,
      });
      const [, printed] = /--resume (\w+)/.exec(err) ?? [];
      if (printed !== undefined) resumes.set(key, printed);
      return code === 0 || err.includes("response_lost");
    };
  },
};

test.each(Object.entries(KINDS))(
  `%s: paid once in ${COUNT} of ${COUNT} purchases`,
  async (kind, attemptsOf) => {
    const payTo = freshAddress();
    const { agent } = await linkedPair();
    await service.opened.sql`update agents set receiving_address = ${payTo} where id = ${agent.agentId}`;
    const buyer = await newBuyer(agent.agentId);
    const attempt = attemptsOf(buyer);
    const lostBefore = lost;
    const waiting = Array.from({ length: COUNT }, (_, index) => index);
    const buyNext = async (): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        let isOver = false;
        for (let tries = 0; !isOver && tries < TRIES; tries++) {
          isOver = await attempt(buyer.urlOf(index), `${kind.length}-${index}`).catch(() => false);
          if (!isOver) await sleep(100);
        }
        expect([index, isOver]).toEqual([index, true]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, buyNext));
    expect(lost - lostBefore).toBeGreaterThan(COUNT / 2);
    const paid = await service.opened.sql`select count(*) from settlements where payee = ${payTo} and state = 'settled'
      group by resource`;
    expect(paid.map(({ count }) => Number(count))).toEqual(Array.from({ length: COUNT }, () => 1));
    expect(await service.world.balanceOf(payTo)).toBe(PRICE * BigInt(COUNT));
    const [signed] = await service.opened
      .sql`select count(*) from payments where agent_id = ${buyer.pair.agent.agentId}`;
    expect(Number(signed?.count)).toBe(COUNT);
  },
  60_000 + COUNT * 5_000,
);
