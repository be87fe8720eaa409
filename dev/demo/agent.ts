import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PaymentError, type Proof, TesseraError } from "@tessera/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { type AgentActor, registerAgent, resumeAgent } from "../actors/agents";
import { type Api, openApi } from "../actors/api";
import { signInOwner } from "../actors/owners";
import type { Say } from "../local/build";

const PRICE = 250_000n;
const LIMIT = 5_000_000n;
const VALID_SECONDS = 7 * 86_400;
const PAYMENTS = 4;
const PAUSE_MS = 6_000;
const LOOK_MS = 2_000;
const AFTER_FAILURE_MS = 15_000;

const credentials = z.object({ name: z.string(), agentId: z.string(), token: z.string() });
const play = z.object({
  buyer: credentials,
  vendor: credentials,
  mandateId: z.string(),
  /** The page on which a person signs the mandate. */
  authorizationUrl: z.string(),
  paidCount: z.number(),
});
type Play = z.output<typeof play>;
type Begin = Play & { isSigned: boolean };

export type DemoAgent = {
  authorizationUrl: string;
  isSigned: boolean;
  /** Makes a few payments as soon as it is allowed and funded. Never throws. */
  run: (log: Say, signal: AbortSignal) => Promise<void>;
};

/**
 * A demo buyer and seller that use only the public HTTP API. They are stored in DATA_DIR and reused by the next start. Null if the
 * setup fails; the service runs without them.
 */
export async function prepareDemoAgent(baseUrl: string, dataDir: string, log: Say): Promise<DemoAgent | null> {
  const api = openApi(baseUrl);
  const file = join(dataDir, "demo.json");
  try {
    const { isSigned, ...current } = (await resumed(api, file)) ?? (await begun(api));
    save(file, current);
    return {
      authorizationUrl: current.authorizationUrl,
      isSigned,
      run: (say, signal) => run(api, file, current, say, signal),
    };
  } catch (error) {
    log(`The demo agents could not be set up: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** The demo of an earlier start, with a new mandate if the old one has ended. Null if this database does not know it. */
async function resumed(api: Api, file: string): Promise<Begin | null> {
  const kept = existsSync(file) ? play.safeParse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  if (!kept?.success) return null;
  try {
    const buyer = resumeAgent(api, kept.data.buyer);
    const { status } = await buyer.tessera.mandates.get(kept.data.mandateId);
    const isGoingOn = ["draft", "pending_signature", "signed"].includes(status) && kept.data.paidCount < PAYMENTS;
    if (isGoingOn) return { ...kept.data, isSigned: status === "signed" };
    return { ...kept.data, ...(await propose(api, buyer)), paidCount: 0, isSigned: false };
  } catch (error) {
    if (TesseraError.is(error) && [401, 404].includes(error.status)) return null;
    throw error;
  }
}

async function begun(api: Api): Promise<Begin> {
  const buyer = await registerAgent(api, "Research agent");
  const vendor = await registerAgent(api, "Data vendor");
  await giveOwner(api, vendor);
  const toStored = ({ name, tessera: { agentId, token } }: AgentActor) => ({ name, agentId, token });
  return {
    buyer: toStored(buyer),
    vendor: toStored(vendor),
    ...(await propose(api, buyer)),
    paidCount: 0,
    isSigned: false,
  };
}

/** The key of the vendor's owner is not stored: the vendor's money is never spent. */
async function giveOwner(api: Api, vendor: AgentActor): Promise<void> {
  const owner = await signInOwner(api, "Vendor's owner", privateKeyToAccount(generatePrivateKey()));
  const terms = { naturalLanguage: "Link this vendor to its owner", limitAmount: "1", validForSeconds: 3_600 };
  await owner.claim((await vendor.tessera.mandates.create(terms)).authorizationUrl);
}

async function propose(api: Api, buyer: AgentActor) {
  const { mandateId, authorizationUrl } = await buyer.tessera.mandates.create({
    naturalLanguage: "Buy data sets from the data vendor for the weekly report",
    category: "research",
    limitAmount: LIMIT.toString(),
    validForSeconds: VALID_SECONDS,
    hostAllowlist: [new URL(api.baseUrl).host],
  });
  return { mandateId, authorizationUrl };
}

async function run(api: Api, file: string, start: Play, say: Say, signal: AbortSignal): Promise<void> {
  const buyer = resumeAgent(api, start.buyer);
  const { mandateId } = start;
  const url = resumeAgent(api, start.vendor).tessera.receiveUrl(`${PRICE}`);
  const report = withoutRepeats((line) => say(`  ${buyer.name}: ${line}`));
  let { paidCount } = start;
  const count = () => {
    paidCount += 1;
    save(file, { ...start, paidCount });
  };
  /** The proof of an unfinished payment. It is presented again, so that nothing is paid twice. */
  let proof: Proof | undefined;
  while (paidCount < PAYMENTS && !signal.aborted) {
    try {
      const obstacle = await obstacleOf(api, buyer, mandateId);
      if (obstacle) report(obstacle);
      else {
        const { receipt } = await buyer.tessera.pay(url, {}, { maxAmount: `${PRICE}`, mandateId, proof, signal });
        proof = undefined;
        count();
        report(`paid ${start.vendor.name} 0.25 USDC (${paidCount} of ${PAYMENTS})  ${receipt?.receiptUrl}`);
      }
      await pause(obstacle ? LOOK_MS : PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (PaymentError.is(error)) {
        if (error.outcome === "paid") count();
        proof = error.outcome === "unknown" || error.outcome === "declined" ? error.proof : undefined;
      }
      report(error instanceof Error ? error.message : String(error));
      await pause(AFTER_FAILURE_MS, signal);
    }
  }
  if (!signal.aborted) report("made all its payments");
}

/** Why the agent cannot pay yet, or null. */
async function obstacleOf({ baseUrl }: Api, { tessera }: AgentActor, mandateId: string): Promise<string | null> {
  const { status, isEnabled, vault } = await tessera.mandates.get(mandateId);
  if (status === "draft" || status === "pending_signature") return "waits for you to sign its mandate";
  if (status !== "signed") return `its mandate is ${status}; the next start requests a new one`;
  if (!isEnabled) return "its mandate is paused";
  const { eligibleMandates } = await tessera.mandates.eligible({ host: new URL(baseUrl).host, amount: `${PRICE}` });
  if (!eligibleMandates.some((mandate) => mandate.mandateId === mandateId))
    return "its mandate does not cover 0.25 USDC";
  if (vault) return vault.state === "open" ? null : "waits until its vault is open";
  const { balances } = await tessera.status({ network: "base" });
  return BigInt(balances.usdc.available) < PRICE ? `waits for money: add some at ${baseUrl}/dashboard/wallet` : null;
}

/** Skips a line that repeats the previous one. */
function withoutRepeats(say: Say): Say {
  let last = "";
  return (line) => {
    if (line !== last) say(line);
    last = line;
  };
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});

/** The file contains tokens, so only its owner may read it. */
function save(file: string, state: Play): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
