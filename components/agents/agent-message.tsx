import { Copy } from "@/components/ui/copy";

/** What an owner sends to an agent, so that it asks for a budget. */
export function AgentMessage({ baseUrl }: { baseUrl: string }) {
  const message = `Use the agent wallet at ${baseUrl}. Read ${baseUrl}/docs/quickstart.md and register, unless you have a token. Then ask for a budget of 5 USDC for one day and show me the authorizationUrl of the answer.`;
  return (
    <div className="grid gap-2.5 rounded-control bg-sunk px-3.5 py-3">
      <p className="text-small text-ink [overflow-wrap:anywhere]">{message}</p>
      <div>
        <Copy value={message} label="Copy message" />
      </div>
    </div>
  );
}
