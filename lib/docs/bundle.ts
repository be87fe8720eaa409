import { type File, filesIn, zip } from "./zip";

const asked = (member: string) => `${"$"}{user_config.${member}}`;
const MAIN = "server/dist/client/src/cli/main.js";

/** The manifest of the bundle (MCPB 0.3). The host asks its user for `user_config` and keeps the token in the system's keychain. */
const manifest = (baseUrl: string, version: string) => ({
  manifest_version: "0.3",
  name: "tessera",
  display_name: "Tessera agent wallet",
  version,
  description: "Pay and get paid in USDC, with a key of the agent's own on this computer",
  author: { name: "Tessera", url: baseUrl },
  documentation: `${baseUrl}/docs/mcp`,
  license: "MIT",
  server: {
    type: "node",
    entry_point: MAIN,
    mcp_config: {
      command: "node",
      args: [`${"$"}{__dirname}/${MAIN}`, "mcp"],
      env: {
        TESSERA_URL: asked("url"),
        TESSERA_AGENT_ID: asked("agent_id"),
        TESSERA_TOKEN: asked("token"),
      },
    },
  },
  user_config: {
    url: {
      type: "string",
      title: "Service",
      description: "The address of the wallet's service",
      default: baseUrl,
      required: true,
    },
    agent_id: { type: "string", title: "Agent id", description: "From Keys in the dashboard", required: true },
    token: {
      type: "string",
      title: "Token",
      description: "The agent's permanent token (tok_…)",
      sensitive: true,
      required: true,
    },
  },
  tools_generated: true,
  compatibility: { runtimes: { node: ">=20.12" } },
});

/** The client's MCP server with its manifest, for hosts that install bundles (`.mcpb`). `archive`: the packed client. */
export function bundleOf(archive: Buffer, baseUrl: string): Buffer {
  const packed = filesIn(archive).filter(({ name }) => !name.endsWith(".d.ts"));
  const manifestOfClient = packed.find(({ name }) => name === "package.json");
  if (!manifestOfClient) throw new Error("the packed client has no package.json");
  const { version }: { version: string } = JSON.parse(manifestOfClient.bytes.toString("utf8"));
  const text = JSON.stringify(manifest(baseUrl, version), null, 2);
  const files: File[] = packed.map(({ name, bytes }) => ({ name: `server/${name}`, bytes }));
  return zip([{ name: "manifest.json", bytes: Buffer.from(text) }, ...files]);
}
