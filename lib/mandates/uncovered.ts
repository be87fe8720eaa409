import type { MandateId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Agent, Ctx } from "@/lib/platform/context";
import type { NetworkName } from "@/lib/x402/networks";
import { isUndecided, tokens } from "./access";
import { mandateErrors } from "./errors";
import { listForAgent } from "./lists";
import { explain } from "./responses";
import { refusal } from "./rules";

const READ_MAX = 50;

/** Why no mandate covers a payment. `mandateId` and `authorizationUrl` are those of the mandate that comes closest. */
export type Uncovered = {
  code: string;
  message: string;
  mandateId: MandateId | null;
  authorizationUrl: string | null;
};

/** Why no mandate of the agent covers this payment: the mandate to have signed, or what the nearest one lacks. */
export async function uncovered(
  ctx: Ctx<Agent>,
  { host, amount, network }: { host: string; amount: Usdc; network: NetworkName },
): Promise<Uncovered> {
  const now = ctx.now();
  const charge = { host, amount, network, defaultPort: "443" };
  const { rows } = await listForAgent(ctx, { limit: READ_MAX });
  const ofNetwork = rows.filter((mandate) => mandate.network === network);
  // Checked as if it were signed: the agent needs this signature, not a second proposal.
  const waiting = ofNetwork.find(
    (m) => isUndecided(m, now) && refusal({ ...m, state: "signed", isEnabled: true }, charge, now) === null,
  );
  const nearest = waiting ?? ofNetwork[0];
  const code = nearest && refusal(nearest, charge, now);
  if (!nearest || !code) {
    const message = `This agent has no mandate for this payment on ${network}. Propose one with POST /api/mandates/create-intent and have the user sign it`;
    return { code: "mandate_not_found", message, mandateId: null, authorizationUrl: null };
  }
  const details = explain(code, nearest, charge, now, ctx.config.baseUrl, await tokens(ctx));
  const { message = mandateErrors.table[code][1], authorizationUrl = null } = details;
  return { code, message, mandateId: nearest.id, authorizationUrl };
}
