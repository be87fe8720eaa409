import { z } from "zod";
import { type Requirement, requirement } from "../actors/agents";
import { expectBody } from "../actors/api";
import { type Bench, CONNECTIONS, limitedBuyer, PRICE, priceOf, signedMandate, signV3 } from "./actors";
import { atLeastTimes, compared, type Figure, median } from "./figures";
import { type Client, inLanes, rateOf } from "./load";

/** Requests per second without the chain, compared with an empty Next route handler. */
export const BARE = "bare route handler of Next";
const MANDATES = 50;
/** Proofs per round of scans; each is used once. */
const SCANS = 1_500;
const SCAN_PATH = "/api/transaction-firewall/sentinel/api/prompt-scan";
const TEXT = "Summarise the attached report in three sentences, and list the figures it gives for the last quarter.";

type Work = { run: () => Promise<void>; rates: number[] };

/** Measures the works alternately, round after round, so that other load affects all of them. Returns the medians. */
export async function inTurns({ rounds, seconds }: Bench, works: readonly (() => Promise<void>)[]): Promise<number[]> {
  const all: Work[] = works.map((run) => ({ run, rates: [] }));
  for (const { run } of all) await rateOf(run, CONNECTIONS, 1);
  for (let round = 0; round < rounds; round++) {
    for (const { run, rates } of all) rates.push(await rateOf(run, CONNECTIONS, seconds));
  }
  return all.map(({ rates }) => median(rates));
}

export const requesting =
  (client: Client, path: string, status: number, headers: Record<string, string> = {}) =>
  async () => {
    const reply = await client.send({ path, headers });
    if (reply.status !== status) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  };

const link = z.object({ paymentLink: z.object({ linkId: z.string() }) });

/** The path at which an agent pays a new link. */
export async function sellLink({ vendor }: Bench): Promise<string> {
  const created = await vendor.call("POST", "/api/payment-links", { amount: `${PRICE}`, description: "Bench" });
  const { linkId } = expectBody(created, 200, link, "/api/payment-links").paymentLink;
  return `/paymentlink/${linkId}`;
}

export async function priceFigures(bench: Bench): Promise<Figure[]> {
  const { client, next, vendor, stack, progress } = bench;
  progress(`402 answers, ${CONNECTIONS} connections`);
  const path = await sellLink(bench);
  const upl = vendor.tessera.receiveUrl(`${PRICE}`).slice(stack.baseUrl.length);
  const [bare = 0, ofUpl = 0, ofLink = 0] = await inTurns(bench, [
    requesting(next, "/healthz", 200),
    requesting(client, upl, 402),
    requesting(client, path, 402),
  ]);
  const about = { unit: "/s", is: BARE, goal: atLeastTimes(5) };
  return [compared("UPL answers 402", [ofUpl, bare], about), compared("link answers 402", [ofLink, bare], about)];
}

export async function signingFigures(bench: Bench): Promise<Figure[]> {
  const { next, progress } = bench;
  progress(`Signing ${MANDATES} mandates`);
  const mandates = await inLanes(Array.from({ length: MANDATES }), 4, () => signedMandate(bench));
  const limited = await limitedBuyer(bench);
  const limitedMandate = await signedMandate(limited);
  const wanted = await priceOf(bench);
  let turn = 0;
  const sign = (pick: () => string) => async () => void (await signV3(bench, pick(), wanted));
  progress(`Payments signed under one mandate and under ${MANDATES}, ${CONNECTIONS} connections`);
  const [bare = 0, hot = 0, underLimits = 0, spread = 0] = await inTurns(bench, [
    requesting(next, "/healthz", 200),
    sign(() => mandates[0] ?? ""),
    async () => void (await signV3(limited, limitedMandate, wanted)),
    sign(() => mandates[turn++ % mandates.length] ?? ""),
  ]);
  const what = "payments signed, one mandate";
  return [
    compared(what, [hot, bare], { unit: "/s", is: BARE, goal: atLeastTimes(1.5) }),
    compared(what, [hot, spread], { unit: "/s", is: `spread over ${MANDATES} mandates`, goal: atLeastTimes(0.9) }),
    compared(`${what}, under two limits over everything`, [underLimits, hot], {
      unit: "/s",
      is: "without limits",
      goal: atLeastTimes(0.9),
    }),
  ];
}

const priced = z.object({ accepts: z.array(requirement) });

/** Prompt scans paid with service credits: the proof is verified and booked, the text is scanned. */
export async function scanFigures(bench: Bench): Promise<Figure[]> {
  const { next, rounds, seconds, progress } = bench;
  const scans = await openScans(bench, SCANS * rounds);
  const rates = { scan: [] as number[], bare: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    progress(`${SCANS} prompt scans in credits, round ${round} of ${rounds}`);
    const proofs = await scans.proofs(SCANS);
    rates.bare.push(await rateOf(requesting(next, "/healthz", 200), CONNECTIONS, seconds));
    const began = performance.now();
    await inLanes(proofs, CONNECTIONS, scans.scan);
    rates.scan.push(SCANS / ((performance.now() - began) / 1000));
  }
  const both = [median(rates.scan), median(rates.bare)] as const;
  return [compared("prompt scans in credits", both, { unit: "/s", is: BARE, goal: atLeastTimes(0.8) })];
}

/** Buys credits for `count` scans. */
export async function openScans(bench: Bench, count: number) {
  const { api, buyer, owner, client } = bench;
  const who = { "x-agent-id": buyer.tessera.agentId };
  const offerOn = async (network: string): Promise<Requirement> => {
    const response = await api.call("Buyer", "POST", SCAN_PATH, { json: { text: TEXT }, headers: who });
    const offer = expectBody(response, 402, priced, SCAN_PATH).accepts.find((each) => each.network === network);
    if (!offer) throw new Error(`the scan is not offered on ${network}`);
    return offer;
  };
  const amount = `${BigInt((await offerOn("base")).maxAmountRequired) * BigInt(count)}`;
  const boughtResponse = await owner.confirm("/api/credits/purchases", { amount });
  expectBody(boughtResponse, 200, z.object({}), "the purchase of credits");
  // Credits are offered only after the owner has bought some.
  const inCredits = await offerOn("service-credits");
  const mandateId = await signedMandate(bench);
  return {
    /** Each proof is used once. */
    proofs: (wanted: number): Promise<string[]> =>
      inLanes(Array.from({ length: wanted }), 16, () => signV3(bench, mandateId, inCredits)),
    scan: async (proof: string): Promise<void> => {
      const headers = { ...who, "x-payment": proof };
      const reply = await client.send({ method: "POST", path: SCAN_PATH, headers, json: { text: TEXT } });
      if (reply.status !== 200) throw new Error(`${SCAN_PATH} answered ${reply.status}: ${reply.text}`);
    },
  };
}
