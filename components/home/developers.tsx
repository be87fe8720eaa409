import { Disclosure } from "@/components/ui/disclosure";
import { CodeBox } from "./code-box";
import { firstPayment, firstPaymentWithNpx } from "./first-payment";
import { mcpHosts } from "./mcp-hosts";

/** How a developer connects an agent: a first payment in a shell, MCP in four hosts, the client, and the documentation. */
export const Developers = ({ baseUrl }: { baseUrl: string }) => (
  <section aria-labelledby="developers" className="grid min-w-0 gap-4 [&_a]:underline [&_a]:underline-offset-4">
    <div>
      <h2 id="developers" className="text-title">
        For developers
      </h2>
      <p className="mt-1.5 measure text-control text-ink-2">
        The <a href="/docs/quickstart">quickstart</a> is in curl, TypeScript and Python. The{" "}
        <a href="/docs/client">client</a> pays with one call; install it with{" "}
        <code className="mono [overflow-wrap:anywhere]">npm install {baseUrl}/tessera-client.tgz</code>. Read the{" "}
        <a href="/docs/retry-rules">retry rules</a> before you ship. The whole API is in the{" "}
        <a href="/docs/reference">reference</a> and in <a href="/openapi.json">openapi.json</a>; language models read{" "}
        <a href="/llms.txt">llms.txt</a>.
      </p>
    </div>
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid min-w-0 gap-2.5">
        <h3 className="text-body">A first payment, from a shell</h3>
        <p className="text-small text-ink-2">Needs bash, curl and jq. It waits once, for a person to sign.</p>
        <CodeBox text={firstPayment(baseUrl)} label="the commands" />
        <Disclosure summary="The same with npx and the command line">
          <div className="grid gap-2.5">
            <p className="text-small text-ink-2">
              Needs bash, Node 20.12 and jq. It installs nothing: npx runs the client that this service serves.
            </p>
            <CodeBox text={firstPaymentWithNpx(baseUrl)} label="the commands with npx" />
          </div>
        </Disclosure>
      </div>
      <div className="grid min-w-0 gap-2.5">
        <h3 className="text-body">In an agent host that speaks MCP</h3>
        <p className="text-small text-ink-2">
          It needs only the agent’s permanent token, which{" "}
          <code className="mono whitespace-nowrap">POST /register</code> returns.
        </p>
        {mcpHosts(baseUrl).map(({ host, where, text }, index) => (
          <Disclosure key={host} summary={host} open={index === 0}>
            <div className="grid gap-2.5">
              <p className="text-small text-ink-2">{where}</p>
              <CodeBox text={text} label={`the configuration of ${host}`} />
            </div>
          </Disclosure>
        ))}
        <p className="mt-1 text-small text-ink-2">
          Your agent can show other services who it is, with <a href="/identity">a credential</a> that they verify
          themselves, and have what it is about to sign, pay or read scanned by <a href="/firewall">the firewall</a>.
        </p>
      </div>
    </div>
  </section>
);
