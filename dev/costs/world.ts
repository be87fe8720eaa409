import { createECDH } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import pg from "pg";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { toUsdc } from "@/lib/core/money";
import { termsOf } from "@/lib/links/passes/rules";
import { UPSTREAM_PATHS_MAX } from "@/lib/links/upstream/limits";
import { PAID_METHODS, type Upstream } from "@/lib/links/upstream/rules";
import { toolPath } from "@/lib/links/upstream/tools/names";
import { passUrl } from "@/lib/links/urls";
import { registerAgent } from "../actors/agents";
import { type Answer, type Api, expectBody, openApi } from "../actors/api";
import { type OwnerActor, signInOwner } from "../actors/owners";
import { startTools } from "../actors/tools";
import { become } from "../bench/data";
import { type Heavy, seedData, sizeOf } from "../bench/seed-data";
import { controlRequest } from "../local/control";
import { startDatabase } from "../local/database";
import { inOwnWorld } from "../local/own-world";
import { freePort } from "../local/ports";
import type { Stack } from "../local/stack";
import { fill } from "./largest";
import { openProbe, type Probe, probed } from "./probe";
import { COUNTING, openStatements, type Statements } from "./statements";

/** `young`: an agent without an owner; anybody can register one. The other actors have accounts, which are free too. */
export type Actor = "stranger" | "young" | "agent" | "owner" | "seller";

export type CostWorld = {
  stack: Stack;
  probe: Probe;
  statements: Statements;
  api: Api;
  owner: OwnerActor;
  heavy: Heavy;
  client: pg.Client;
  /** Existing ids by the name of the path parameter. */
  ids: Readonly<Record<string, string>>;
  /** The headers that authenticate an actor. */
  headersOf: (actor: Actor) => Promise<Record<string, string>>;
};

/** Enough to fill a page of every list. */
export const PAYMENTS = 20_000;
/** Slightly more than a list for crawlers reads. */
const LISTED = 1_010;
const CONTENT_CHARACTERS = 65_000;
const DESCRIPTION_CHARACTERS = 2_000;
/** Logins expire after minutes. */
const LOGIN_MS = 60_000;

/** A service with its own database and chains, and the largest data that its limits allow one owner. Its jobs do not run. */
export async function inCostWorld<T>(say: (line: string) => void, play: (world: CostWorld) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-costs-data-"));
  const socket = join(directory, "probe.sock");
  const [dir, port] = [join(directory, "postgres"), await freePort()];
  const database = await startDatabase({ dir, port, isDurable: false, settings: COUNTING });
  const control = join(directory, "control.sock");
  const settings = { DATABASE_URL: database.url, CONTROL_SOCKET: control, ...probed(socket), ...MAILING };
  try {
    return await inOwnWorld("costs", { settings, log: say }, async (stack) => {
      const closing: (() => unknown)[] = [];
      try {
        const probe = openProbe(socket);
        closing.push(probe.close);
        const statements = await openStatements(database.url);
        closing.push(statements.close);
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        closing.push(() => client.end());
        const tools = await startTools(openTools);
        closing.push(tools.close);
        // The server is ready only while its jobs run, so they are stopped after startup.
        await controlRequest(control, { do: "jobs", isRunning: false });
        return await play({ stack, probe, statements, client, ...(await furnish(stack, client, say, tools.url)) });
      } finally {
        for (const close of closing) await close();
      }
    });
  } finally {
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** No server listens there: mails are queued and never sent. */
const MAILING = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "mail@wallet.example" };

export async function furnish(
  stack: Pick<Stack, "baseUrl">,
  client: pg.Client,
  say: (line: string) => void,
  toolsUrl = UPSTREAM.url,
) {
  let cookie = "";
  const api = openApi(stack.baseUrl, ({ who, answer }) => {
    const [session] = /[^\s;,]*next-auth\.session-token=[^;]+/.exec(answer.headers.getSetCookie().join("\n")) ?? [];
    if (who === "Owner" && session) cookie = session;
  });
  const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
  const agent = await registerAgent(api, "Agent");
  const young = await registerAgent(api, "Young");
  const heavy = await become(owner, agent, client);
  await seedData(client, sizeOf(PAYMENTS), heavy, () => {});
  await enlarge(client, heavy, toolsUrl);
  await client.query("vacuum analyze");
  say("The data is there");
  const { secret, ...made } = await createItems(owner, heavy);
  const logins = new Map<string, { jwt: string; sinceMs: number }>();
  const login = async ({ agentId, token }: { agentId: string; token: string }) => {
    const known = logins.get(agentId);
    if (known && performance.now() - known.sinceMs < LOGIN_MS) return known.jwt;
    const response = await api.call("Agent", "POST", "/refresh", { json: { agent_id: agentId, token } });
    const { jwt } = expectBody(response, 200, z.object({ jwt: z.string() }), "/refresh");
    logins.set(agentId, { jwt, sinceMs: performance.now() });
    return jwt;
  };
  const headersOf = async (actor: Actor): Promise<Record<string, string>> => {
    if (actor === "stranger") return {};
    if (actor === "owner") return { cookie, origin: stack.baseUrl };
    if (actor === "seller") return { authorization: `Bearer ${secret}` };
    return { authorization: `Bearer ${await login(actor === "agent" ? agent.tessera : young.tessera)}` };
  };
  return { api, owner, heavy, headersOf, ids: { ...SEEDED, ...idsOf(heavy), ...made } };
}

/** Seeded rows of the heavy owner. */
const SEEDED = {
  linkId: "lnk_seed00000000000000000000",
  settlementId: "stl_seed00000000000000000000",
  refundId: "rfd_seed00000000000000000001",
  invoiceId: "inv_seed00000000000000000000",
  approvalId: "apr_seed00000000000000000001",
  payeeId: "pye_seed00000000000000000001",
  deliveryId: "dlv_seed00000000000000000001",
  paymentRecordId: "pay_seed00000000000000000001",
  /** The id of a sale. */
  paymentId: "1",
  firewallId: "sentinel",
  network: "base",
};

const idsOf = ({ agentId, mandateId, webhookId, wallet }: Heavy) => ({
  agentId,
  mandateId,
  webhookId,
  address: wallet,
});

/** Sells calls at many paths. */
export const LINK_WITH_UPSTREAM = "lnk_seed00000000000000001995";
const PASS = { calls: 1_000, hours: null, isByUse: false, amount: "1000000", isRefundable: false };
const UPSTREAM: Upstream = {
  kind: "http",
  url: "http://localhost:9",
  methods: [...PAID_METHODS],
  paths: Array.from({ length: UPSTREAM_PATHS_MAX }, (_, index) => ({ path: `/${index}/{name}`, amount: null })),
  secondsMax: 1,
  answerBytesMax: 1,
  headerNames: [],
  pass: PASS,
};
/** Sells its pass. */
export const PASS_PATH = passUrl("", LINK_WITH_UPSTREAM, termsOf(UPSTREAM, PASS, toUsdc(1n)));

/** Sells tools. */
export const LINK_WITH_TOOLS = "lnk_seed00000000000000001990";
const TOOLS = Array.from({ length: UPSTREAM_PATHS_MAX }, (_, index) => `tool_${index}`);

/** A server whose tools have descriptions nearly as long as the service keeps. */
function openTools(): McpServer {
  const server = new McpServer({ name: "tools", version: "1.0.0" });
  for (const [index, name] of TOOLS.entries())
    server.registerTool(name, { description: fill(DESCRIPTION_CHARACTERS, index) }, () => ({ content: [] }));
  return server;
}

/** Sets the longest contents and texts, and lists as many links as catalogues read. */
async function enlarge(client: pg.Client, { agentId }: Heavy, toolsUrl: string): Promise<void> {
  await client.query(
    `update payment_links set is_listed = true, agent_id = $1, title = $3, description = $4, resource_content = $2 || link_id
     where id in (select id from payment_links order by id desc limit ${LISTED})`,
    [agentId, fill(CONTENT_CHARACTERS, 1), fill(100, 2), fill(500, 3)],
  );
  await client.query(
    "update payment_links set upstream = $2, resource_content = null, is_listed = false where link_id = $1",
    [LINK_WITH_UPSTREAM, JSON.stringify(UPSTREAM)],
  );
  const paths = TOOLS.map((name) => ({ path: toolPath(name), amount: null }));
  const upstream: Upstream = { ...UPSTREAM, kind: "mcp", url: toolsUrl, methods: ["POST"], paths, secondsMax: 10 };
  await client.query(
    "update payment_links set upstream = $2, resource_content = null, is_listed = false where link_id = $1",
    [LINK_WITH_TOOLS, JSON.stringify(upstream)],
  );
}

/** Items that are not seeded, created by their owner. */
async function createItems(owner: OwnerActor, { agentId }: Heavy) {
  const create = async <S extends z.ZodType>(path: string, json: unknown, shape: S): Promise<z.output<S>> => {
    const response = await owner.call("POST", path, json);
    return expectBody(response, response.status < 300 ? response.status : 200, shape, path);
  };
  const { secret, key } = await create(
    "/api/facilitator/keys",
    { name: "Shop" },
    z.object({ secret: z.string(), key: z.object({ keyId: z.string() }) }),
  );
  const { domain } = await create(
    "/api/seller/domains",
    { domain: "shop.example.com" },
    z.object({ domain: z.object({ domainId: z.string() }) }),
  );
  const keys = { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: "A".repeat(22) };
  const { browsers } = await create(
    "/api/notices/browsers",
    { endpoint: "https://push.example.com/1", keys },
    z.object({ browsers: z.array(z.object({ browserId: z.string() })) }),
  );
  const { payout } = await create(
    "/api/wallet/payouts",
    {
      payoutId: "cost-1",
      toAddress: `0x${"5b38da6a701c568545dcfcb03fcb875f56beddc4"}`,
      amount: "10000",
      approve: false,
    },
    z.object({ payout: z.object({ payoutRecordId: z.string() }) }),
  );
  const sessions = expectBody(
    await owner.call("GET", "/api/sessions"),
    200,
    z.object({ sessions: z.array(z.object({ sessionId: z.string() })) }),
    "/api/sessions",
  );
  return {
    secret,
    keyId: key.keyId,
    domainId: domain.domainId,
    browserId: browsers[0]?.browserId ?? "",
    payoutId: "cost-1",
    payoutRecordId: payout.payoutRecordId,
    sessionId: sessions.sessions[0]?.sessionId ?? "",
    agentOfFile: agentId,
  };
}

export type { Answer };
