import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mcpHosts } from "@/components/home/mcp-hosts";
import { readDocs } from "@/lib/docs/read";
import type { TestAgent } from "../support/actors";
import { type Json, linkedPair } from "../support/mandates";
import { type Served, serve } from "../support/serve";
import { runService } from "../support/service";

/** Each host's configuration as it is printed: its URL and headers connect to the real service, its command is run. */
runService();

type Remote = { url: string; headers: Record<string, string> };

let server: Served;
let agent: TestAgent;
let home: string;

beforeAll(async () => {
  server = await serve();
  ({ agent } = await linkedPair());
  home = mkdtempSync(join(tmpdir(), "tessera-host-"));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const textFor = (host: string): string => {
  const match = mcpHosts(server.url).find((each) => each.host === host);
  if (!match) throw new Error(`the front page has no ${host}`);
  return match.text;
};
const jsonFor = (host: string): Json => JSON.parse(textFor(host));
const guide = () => readDocs("mcp.md", server.url);

/** The arguments that the printed command passes to `claude`, as a shell splits and expands them. */
function argumentsOfClaude(): string[] {
  const script = `claude() { printf '%s\\0' "$@"; }\n${textFor("Claude Code")}`;
  const env = { PATH: process.env.PATH, TESSERA_TOKEN: agent.token } as unknown as NodeJS.ProcessEnv;
  return execFileSync("bash", ["-euc", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

const headerIn = (line: string): Record<string, string> => {
  const [, name = "", value = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  return { [name]: value };
};

/** What each host makes of its configuration, by its own documentation. */
const REMOTES: Record<string, () => Remote> = {
  "Claude Code": () => {
    const [mcp, add, flag, transport, name, url = "", option, header = "", ...rest] = argumentsOfClaude();
    expect([mcp, add, flag, transport, name, option, rest]).toEqual([
      ...["mcp", "add", "--transport", "http", "tessera", "--header", []],
    ]);
    return { url, headers: headerIn(header) };
  },
  // mcp-remote replaces ${NAME} in a header by the variable, and splits the header at the first colon.
  "Claude Desktop": () => {
    const { command, args, env } = jsonFor("Claude Desktop").mcpServers.tessera;
    expect([command, args[0], args[1], args[3]]).toEqual(["npx", "-y", "mcp-remote", "--header"]);
    expect(args).toHaveLength(5);
    const header = args[4].replace(/\$\{(\w+)\}/g, (_: string, name: string) => env[name]);
    return { url: args[2], headers: headerIn(header.replace("<token>", agent.token)) };
  },
  Cursor: () => {
    const { url, headers } = jsonFor("Cursor").mcpServers.tessera;
    const from = (text: string) => text.replace(/\$\{env:TESSERA_TOKEN\}/, agent.token);
    return { url, headers: { Authorization: from(headers.Authorization) } };
  },
  "VS Code": () => {
    const { inputs, servers } = jsonFor("VS Code");
    const { type, url, headers } = servers.tessera;
    expect([type, inputs[0].type]).toEqual(["http", "promptString"]);
    const place = `${"$"}{input:${inputs[0].id}}`;
    return { url, headers: { Authorization: headers.Authorization.replace(place, agent.token) } };
  },
  Codex: () => {
    const [, toml = ""] = /```toml\n([\s\S]*?)```/.exec(guide()) ?? [];
    const value = (name: string) => new RegExp(`^${name} = "(.*)"$`, "m").exec(toml)?.[1] ?? "";
    expect([toml.split("\n")[0], value("bearer_token_env_var")]).toEqual(["[mcp_servers.tessera]", "TESSERA_TOKEN"]);
    return { url: value("url"), headers: { Authorization: `Bearer ${agent.token}` } };
  },
};

type Connected = Pick<Client | ClientV2, "listTools" | "callTool" | "close">;

/** Lists the tools and calls one. */
async function expectWorks(client: Connected): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["get_agent_status", "pay_url"]));
  const { structuredContent, isError } = await client.callTool({ name: "get_agent_status", arguments: {} });
  expect(isError ?? false).toBe(false);
  expect(JSON.stringify(structuredContent)).toContain(agent.agentId);
  await client.close();
}

const INFO = { name: "a host", version: "1.0.0" };

test("the front page and docs/mcp.md list exactly the tested hosts", () => {
  expect(Object.keys(REMOTES)).toEqual([...mcpHosts(server.url).map(({ host }) => host), "Codex"]);
  for (const host of Object.keys(REMOTES)) expect(guide()).toContain(host);
});

describe.each(Object.entries(REMOTES))("%s", (_, remote) => {
  test("connects with the given URL and headers (sdk 1.x and client 2.x)", async () => {
    const { url, headers } = remote();
    expect(Object.keys(headers)).toEqual(["Authorization"]);
    const v1 = new Client(INFO);
    // Its types were not written for exactOptionalPropertyTypes.
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    await v1.connect(transport as Parameters<typeof v1.connect>[0]);
    await expectWorks(v1);
    const v2 = new ClientV2(INFO);
    await v2.connect(new TransportV2(new URL(url), { requestInit: { headers } }));
    await expectWorks(v2);
  });

  test("is refused with another token", async () => {
    const { url, headers } = remote();
    const requestInit = { headers: { ...headers, Authorization: "Bearer tok_nobody" } };
    const client = new Client(INFO);
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
    await expect(client.connect(transport as Parameters<typeof client.connect>[0])).rejects.toThrow();
  });
});

test("the documented command for an agent with its own key works as printed", async () => {
  const section = guide().split("## A key of the agent's own")[1] ?? "";
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
  const { command, args, env } = JSON.parse(json).mcpServers.tessera;
  const filled = { ...env, TESSERA_AGENT_ID: agent.agentId, TESSERA_TOKEN: agent.token };
  expect([env.TESSERA_AGENT_ID, env.TESSERA_TOKEN]).toEqual(["<agent id>", "<token>"]);
  const client = new Client(INFO);
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: home,
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "", HOME: home, ...filled },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  await expectWorks(client);
});

test("the program in docs/mcp.md works as printed", async () => {
  const [, program = ""] = /```typescript\n([\s\S]*?)```/.exec(guide()) ?? [];
  const file = join(home, "agent.mjs");
  writeFileSync(file, program);
  mkdirSync(join(home, "node_modules"));
  const packages = "node_modules/@modelcontextprotocol";
  symlinkSync(resolve(packages), join(home, packages));
  const env = { PATH: process.env.PATH, TESSERA_TOKEN: agent.token } as unknown as NodeJS.ProcessEnv;
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  expect(stdout).toContain(agent.agentId);
});
