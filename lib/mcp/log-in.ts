import { AppError } from "@/lib/core/errors";
import { bearerToken } from "@/lib/http/credentials";
import { identityErrors } from "@/lib/identity/errors";
import * as identity from "@/lib/identity/service";
import * as oauth from "@/lib/oauth/service";
import type { Agent, System } from "@/lib/platform/context";

/**
 * The agent of a request to /mcp: by its permanent token, its login JWT or the access token of an app. Throws missing_bearer,
 * invalid_token, invalid_or_expired_jwt, wrong_token_type, agent_not_found, in words for who configures a host.
 */
export async function logIn(system: System, req: Request): Promise<Agent> {
  const bearer = bearerToken(req);
  if (bearer !== null && oauth.isAccessToken(bearer)) {
    const agent = await oauth.logInByApp(system, bearer);
    if (agent) return agent;
    throw refuse(identityErrors.invalid_token(), ACCESS_ENDED);
  }
  try {
    return await identity.logIn(system, bearer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw refuse(error, MESSAGES[error.code] ?? error.message);
  }
}

const PUT = "Put the agent's permanent token (tok_...) into this server's configuration";

/** ASCII without quotation marks: they are also sent in WWW-Authenticate. */
const ACCESS_ENDED =
  "The access of this app has expired, or the owner has disconnected the app. Refresh it, or connect the app again";

const MESSAGES: Readonly<Record<string, string>> = {
  missing_bearer: "The Authorization header must be the word Bearer, a space and the agent's token (tok_...)",
  invalid_token:
    "This agent token (tok_...) is wrong or was replaced. Put the newest one into this server's configuration; the agent's owner can make one on the Agents page",
  invalid_or_expired_jwt: `This token is not valid here, or it is a login that has expired. ${PUT}: it does not expire`,
  wrong_token_type: `This is a credential, which shows who an agent is and logs nobody in. ${PUT}`,
  agent_not_found:
    "The agent of this login no longer exists. Call init_agent_id without a token to register another one",
};

/** At the address for hosts that connect by OAuth. */
export const refuseWithoutToken = (): AppError =>
  refuse(
    identityErrors.missing_bearer(),
    "This address needs a login: connect it as an app (OAuth), or send the agent's token",
  );

const refuse = ({ code, kind }: AppError, message: string): AppError =>
  new AppError(code, kind, message, {
    message,
    payment_model_context: {
      primer: "This wallet acts for a registered agent, which every request names by its token.",
      instructions: message,
    },
  });
