import { listOf, type Site } from "./site";

const HEAD = (baseUrl: string) => `# Tessera

> A wallet for software agents. An owner signs a mandate once: how much an agent may spend, until when and at which hosts. The agent
> then pays x402 requests within it, in USDC on Base, and can be paid at a permanent address.

Never pay twice: read the [retry rules](${baseUrl}/docs/retry-rules.md) before you repeat a payment whose outcome is unknown.
Amounts are strings of atomic USDC: "1000000" is 1.00 USDC.

- [OpenAPI document](${baseUrl}/openapi.json): every endpoint, in OpenAPI 3.1
- [MCP server](${baseUrl}/mcp): the same service as tools, over streamable HTTP
- [Skills](${baseUrl}/.well-known/agent-skills/index.json): instructions for agents that pay or sell
- [Error catalogue](${baseUrl}/docs/errors.md): every error code with its cause, its remedy and its retry rule
- [All pages in one file](${baseUrl}/llms-full.txt)
`;

/** /llms.txt: a summary of the service, and each page with its summary. */
export function llmsText(baseUrl: string, { pages }: Site): string {
  return `${HEAD(baseUrl)}\n${listOf(pages, ({ path }) => `${baseUrl}${path}.md`)}`;
}

/** /llms-full.txt: all listed pages in one file. */
export function llmsFullText(baseUrl: string, { pages }: Site): string {
  const listed = pages.filter(({ isListed }) => isListed);
  const texts = listed.map(({ path, markdown }) => `<!-- ${baseUrl}${path} -->\n\n${markdown.trim()}\n`);
  return `${HEAD(baseUrl)}\n${texts.join("\n---\n\n")}`;
}
