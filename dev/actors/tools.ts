import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";

/** An MCP server over HTTP, which knows nothing of payments. `openServer` makes it for each request. */
export async function startTools(openServer: () => McpServer) {
  const handler = createMcpHandler(openServer);
  const server = createServer(async (req, res) => {
    const body = await text(req);
    const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
    const request = new Request(`http://localhost${req.url}`, {
      method: req.method ?? "GET",
      headers,
      body: body || null,
    });
    const response = await handler.fetch(request);
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}/mcp`, close };
}
