import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
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
import { shareService } from "../support/service";
import { unzipped } from "../support/unzip";

/** Each host's configuration as it is printed: its URL and headers connect to the real service, its command is run. */
shareService();

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

/** The arguments that a printed command passes to `program`, as a shell splits and expands them. */
function argumentsOf(program: string, text: string): string[] {
  const script = `${program}() { printf '%s\\0' "$@"; }\n${text}`;
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
    const [mcp, add, flag, transport, name, url = "", option, header = "", ...rest] = argumentsOf(
      "claude",
      textFor("Claude Code"),
    );
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
  "Gemini CLI": () => {
    const [mcp, add, scope, user, flag, transport, option, header = "", name, url = "", ...rest] = argumentsOf(
      "gemini",
      lineOf("gemini mcp add"),
    );
    expect([mcp, add, scope, user, flag, transport, option, name, rest]).toEqual([
      ...["mcp", "add", "--scope", "user", "--transport", "http", "--header", "tessera", []],
    ]);
    return { url, headers: headerIn(header) };
  },
};

/** The line of docs/mcp.md that begins with `start`. */
const lineOf = (start: string): string =>
  guide()
    .split("\n")
    .find((line) => line.startsWith(start)) ?? "";

describe("the one-line installers of docs/mcp.md", () => {
  const url = () => `${server.url}/mcp`;

  test("Claude Code: the line of the front page", () => {
    expect(lineOf("claude mcp add")).toBe(textFor("Claude Code"));
  });

  test("Codex: the same server as its file", () => {
    expect(argumentsOf("codex", lineOf("codex mcp add"))).toEqual([
      ...["mcp", "add", "tessera", "--url", url(), "--bearer-token-env-var", "TESSERA_TOKEN"],
    ]);
    expect(REMOTES.Codex?.().url).toBe(url());
  });

  test("VS Code: a server of type http that signs its user in", () => {
    const [option, json = ""] = argumentsOf("code", lineOf("code --add-mcp"));
    expect([option, JSON.parse(json)]).toEqual(["--add-mcp", { name: "tessera", type: "http", url: `${url()}/oauth` }]);
  });

  test("Cursor: a link with the configuration in base64", () => {
    const link = new URL(execFileSync("bash", ["-euc", lineOf('echo "cursor://')], { encoding: "utf8" }).trim());
    expect(link.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
    const config = Buffer.from(link.searchParams.get("config") ?? "", "base64").toString();
    expect([link.searchParams.get("name"), JSON.parse(config)]).toEqual(["tessera", { url: `${url()}/oauth` }]);
  });
});

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
  expect(Object.keys(REMOTES)).toEqual([...mcpHosts(server.url).map(({ host }) => host), "Codex", "Gemini CLI"]);
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

test("the bundle starts as its manifest says", async () => {
  const folder = join(home, "bundle");
  mkdirSync(folder);
  const archive = Buffer.from(await (await fetch(`${server.url}/tessera.mcpb`)).arrayBuffer());
  for (const [name, bytes] of unzipped(archive)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  const { server: program, user_config: config } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const given: Record<string, string> = {
    __dirname: folder,
    "user_config.url": config.url.default,
    "user_config.agent_id": agent.agentId,
    "user_config.token": agent.token,
  };
  const filled = (text: string) => text.replace(/\$\{([\w.]+)\}/g, (_, name: string) => given[name] ?? "");
  const { command, args, env } = program.mcp_config;
  const values = Object.entries<string>(env).map(([name, value]) => [name, filled(value)]);
  const transport = new StdioClientTransport({
    command: command === "node" ? process.execPath : command,
    args: args.map(filled),
    stderr: "pipe",
    env: { HOME: home, ...Object.fromEntries(values) },
  });
  const client = new Client(INFO);
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
