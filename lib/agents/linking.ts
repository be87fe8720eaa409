import type { AgentId } from "@/lib/core/ids";

/** The page that explains how to link an agent. It grants nothing: an agent is linked only by the URL of its own request. */
export function addAgentUrl(
  baseUrl: string,
  { agentId, name }: { agentId: AgentId; name?: string | undefined },
): string {
  const url = new URL("/add-agent", baseUrl);
  url.searchParams.set("agentId", agentId);
  if (name !== undefined) url.searchParams.set("name", name);
  return url.href;
}

/** The next step for an unlinked agent, worded for a language model. */
const LINK_FIRST = {
  primer: "A person has to link this agent to their account before it can pay or be paid.",
  instructions:
    "Create a mandate with POST /api/mandates/create-intent and show the user the authorizationUrl of its response: opening it links the agent. The page at the authorizationUrl of this error explains that to them. Then repeat this request.",
};

/** Details of an error for an agent that has no owner. */
export const linkFirst = (baseUrl: string, agent: { agentId: AgentId; name?: string | undefined }) => ({
  authorizationUrl: addAgentUrl(baseUrl, agent),
  payment_model_context: LINK_FIRST,
});
