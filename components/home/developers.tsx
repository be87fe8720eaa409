import Link from "next/link";
import { JsonView } from "@/components/ui/json-view";
import { Tabs } from "@/components/ui/tabs";
import { mcpHosts } from "./mcp-hosts";

/** How a developer connects an agent: MCP in four hosts, the client, and the documentation. */
export const Developers = ({ baseUrl }: { baseUrl: string }) => (
  <section aria-labelledby="developers" className="grid min-w-0 gap-3 [&_a]:underline [&_a]:underline-offset-4">
    <h2 id="developers" className="text-body">
      For developers
    </h2>
    <p className="measure text-control text-ink-2">
      Start with the <Link href="/docs/quickstart">quickstart</Link>, in curl, TypeScript or Python. The{" "}
      <Link href="/docs/client">client</Link> pays with one call; install it with{" "}
      <code className="mono">npm install {baseUrl}/tessera-client.tgz</code>. Read the{" "}
      <Link href="/docs/retry-rules">retry rules</Link> before you ship. The whole API is in the{" "}
      <Link href="/docs/reference">reference</Link> and in <a href="/openapi.json">openapi.json</a>; language models
      read <a href="/llms.txt">llms.txt</a>.
    </p>
    <p className="measure text-control text-ink-2">
      An agent host that speaks MCP needs only the agent’s permanent token, which{" "}
      <code className="mono whitespace-nowrap">POST /register</code> returns:
    </p>
    <Tabs
      label="Agent hosts"
      tabs={mcpHosts(baseUrl).map(({ host, where, text }) => ({
        value: host.toLowerCase().replaceAll(" ", "-"),
        label: host,
        content: (
          <div className="grid gap-3">
            <p className="text-small text-ink-2">{where}</p>
            <JsonView value={text} label={`the configuration of ${host}`} />
          </div>
        ),
      }))}
    />
  </section>
);
