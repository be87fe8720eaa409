import type { LocalAccount } from "viem/accounts";
import { z } from "zod";
import { type AgentActor, resumeAgent } from "../actors/agents";
import { askFor, proofIn, signedByMandate } from "./buyers";
import type { Offer } from "./cast";
import { orNull, sellerOf, submit, type Turn, uplOf } from "./game";
import { addressOf, fresh } from "./strangers";

const HOST = "https://thief.example/";
/** No server listens there, so the owner has to confirm its payee. */
const SILENT = "http://localhost:9/";
const VALID_SECONDS = 604_800;

const asked = z.object({ typedData: z.custom<Parameters<LocalAccount["signTypedData"]>[0]>() });
const added = z.object({ agent: z.object({ agentId: z.string() }), token: z.string() });
const rotated = z.object({ token: z.string() });
const waiting = z.object({ payeeId: z.string() });
const wished = z.object({ approvalId: z.string() });

/** Actions that a session must not perform without the wallet. */
export const THEFTS = [
  ...["token", "resumption", "scan", "webhook", "payee", "approval", "approvals", "receiving address"],
  ...["address book", "approval limit", "payout", "split payout", "credits"],
] as const;
type Kind = (typeof THEFTS)[number];

/**
 * A thief with an owner's session cookie and another wallet tries, in random order, everything that could let money go to them, and
 * then takes what they can.
 */
export async function steal(turn: Turn): Promise<void> {
  const { game, step, random } = turn;
  const { owner, agent, mandateId } = sellerOf(turn);
  const thief = fresh(turn, "thief");
  const loot = addressOf(thief);
  game.memory.loot.add(loot);
  const offer: Offer = { ...uplOf(sellerOf(turn), BigInt(step.amount)), url: HOST, payTo: loot };

  /** Tries with the cookie alone, then with a signature of the thief's wallet. */
  async function attempt(kind: Kind, method: string, path: string, json: object = {}) {
    const note = async (body: object) => {
      const response = await orNull(owner.call(method, path, body));
      game.memory.thefts.push({ kind, answer: response });
      return response;
    };
    const first = await note(json);
    const data = asked.safeParse(first?.body).data?.typedData;
    return data ? note({ ...json, signature: await thief.account.signTypedData(data) }) : first;
  }

  async function spend(agentActor: AgentActor, under: string): Promise<void> {
    const proof = await signedByMandate(turn, offer, "stolen", { agent: agentActor, mandateId: under });
    if (proof) await submit(game, proof);
  }

  const resumed = (credentials: { agentId: string; token: string }) =>
    resumeAgent(game.world.api, { name: "thief", ...credentials });

  /** Adds an agent for the thief, which needs no signature. */
  async function plant(): Promise<AgentActor | null> {
    const created = added.safeParse((await orNull(owner.call("POST", "/api/agents", { name: "Helper" })))?.body).data;
    return created ? resumed({ agentId: created.agent.agentId, token: created.token }) : null;
  }

  const planted = await plant();
  const prey = await prepare(turn, offer);
  const wish = (more: object = {}) => {
    const json = { amount: String(step.amount), payTo: loot, resource: HOST, ...more };
    return planted && orNull(planted.call("POST", "/api/payment/x402V1Payment", json));
  };

  const tries: Record<Kind, () => Promise<unknown>> = {
    token: async () => {
      const path = `/api/agents/${agent.tessera.agentId}/token`;
      const { token } =
        rotated.safeParse((await attempt("token", "POST", path, { revokeOld: false }))?.body).data ?? {};
      if (token) await spend(resumed({ agentId: agent.tessera.agentId, token }), mandateId);
    },
    resumption: async () => {
      if (!prey?.isPaused) return;
      await attempt("resumption", "POST", `/api/mandates/${prey.mandateId}/enabled`, { isEnabled: true });
    },
    scan: async () => {
      const path = `/api/agents/${planted?.tessera.agentId}`;
      const stricter = planted && (await orNull(owner.call("PATCH", path, { paymentScan: "review" })));
      if (stricter?.status === 200) await attempt("scan", "PATCH", path, { paymentScan: "off" });
    },
    webhook: () => attempt("webhook", "POST", "/api/webhooks", { url: `${HOST}${random.hex(4)}` }),
    payee: async () => {
      if (prey?.payeeId) await attempt("payee", "POST", `/api/payees/${prey.payeeId}/confirm`);
    },
    approval: async () => {
      const { approvalId } = wished.safeParse((await wish())?.body).data ?? {};
      if (!approvalId) return;
      await attempt("approval", "POST", `/api/approvals/${approvalId}/approve`);
      const proof = proofIn(turn, offer, "stolen", await wish({ approvalId }));
      if (proof) await submit(game, proof);
    },
    approvals: async () => {
      const { approvalId } = wished.safeParse((await wish())?.body).data ?? {};
      if (approvalId) await attempt("approvals", "POST", "/api/approvals/approve", { approvalIds: [approvalId] });
    },
    "receiving address": () =>
      attempt("receiving address", "PATCH", `/api/agents/${agent.tessera.agentId}`, { receivingAddress: loot }),
    "address book": () => attempt("address book", "POST", "/api/wallet/addresses", { address: loot, name: "Rent" }),
    "approval limit": () =>
      attempt("approval limit", "POST", "/api/wallet/approval-limit", { limit: `${10n ** 12n + BigInt(turn.at)}` }),
    payout: () => attempt("payout", "POST", "/api/wallet/payouts", payoutTo(turn, loot)),
    "split payout": () =>
      attempt("split payout", "POST", "/api/wallet/payouts", payoutTo(turn, loot, owner.account.address)),
    credits: () => attempt("credits", "POST", "/api/credits/purchases", { amount: "1000000" }),
  };
  for (const left: Kind[] = [...THEFTS]; left.length > 0; ) {
    const [kind] = left.splice(random.int(0, left.length - 1), 1);
    if (kind) await tries[kind]();
  }
  // Whatever succeeded, an agent of the thief must not spend the owner's mandates.
  if (planted) for (const under of [mandateId, ...(prey ? [prey.mandateId] : [])]) await spend(planted, under);
}

const payoutTo = ({ game, at, step }: Turn, ...to: string[]) => ({
  payoutId: `stolen-${game.plan.seed}-${at}-${to.length}`,
  recipients: to.map((toAddress) => ({ toAddress, amount: String(step.amount) })),
  approve: true,
});

/** A mandate that its owner has signed and paused, and a new payee that awaits confirmation. Null if faults prevent it. */
async function prepare(turn: Turn, offer: Offer) {
  const { agent, owner } = sellerOf(turn);
  const proposed = {
    naturalLanguage: "Buy what the simulation says, after I have seen who is paid",
    confirmPayees: true,
  };
  const proposeMandate = async () => {
    const terms = { ...proposed, limitAmount: "90000000", validForSeconds: VALID_SECONDS };
    const { authorizationUrl } = await agent.tessera.mandates.create(terms);
    return (await owner.signMandate(await owner.claim(authorizationUrl))).mandateId;
  };
  const mandateId = await proposeMandate().catch(() => null);
  if (!mandateId) return null;
  const waits = await askFor(turn, { ...offer, url: SILENT }, { agent, mandateId });
  const paused = await orNull(owner.call("POST", `/api/mandates/${mandateId}/enabled`, { isEnabled: false }));
  return { mandateId, isPaused: paused?.status === 200, payeeId: waiting.safeParse(waits?.body).data?.payeeId };
}
