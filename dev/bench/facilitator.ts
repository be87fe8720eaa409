import { z } from "zod";
import { toAddress } from "@/lib/core/address";
import { expectBody } from "../actors/api";
import { type Bench, CONNECTIONS, mint, PRICE, priceOf } from "./actors";
import { atLeastTimes, compared, type Figure, median } from "./figures";
import { rateOf } from "./load";
import { openReference } from "./reference";

/** Each key allows 6,000 requests per minute. */
const KEYS = 10;
const PER_MINUTE = 6_000;
const REFERENCE_LANES = 8;

const created = z.object({ secret: z.string() });
const verdict = z.object({ isValid: z.literal(true) });

/** Verifies the same proof repeatedly: `verify` over HTTP with ten keys, `reference` with npm's x402 in this process. */
export async function openFacilitator(bench: Bench) {
  const { stack, api, owner, client } = bench;
  const wanted = await priceOf(bench);
  const [resource, payTo] = ["https://shop.example/weather", toAddress(wanted.payTo)];
  const requirement = { network: "base", amount: PRICE, payTo, resource, description: "" } as const;
  const reference = await openReference(stack.env.BASE_RPC_URL ?? "", requirement);
  await mint(api, reference.payer, 10_000_000n);
  const keys: string[] = [];
  for (let turn = 0; turn < KEYS; turn++) {
    const terms = { name: `Bench ${turn}`, requestsPerMinute: PER_MINUTE };
    const response = await owner.call("POST", "/api/facilitator/keys", terms);
    keys.push(expectBody(response, 201, created, "a key of the facilitator").secret);
  }
  const body = reference.request();
  let turn = 0;
  const verify = async () => {
    const headers = { authorization: `Bearer ${keys[turn++ % KEYS]}` };
    const reply = await client.send({ method: "POST", path: "/facilitator/verify", headers, json: body });
    if (reply.status !== 200 || !verdict.safeParse(JSON.parse(reply.text)).success)
      throw new Error(`/facilitator/verify answered ${reply.status}: ${reply.text}`);
  };
  return { verify, reference };
}

/** `/facilitator/verify` over HTTP, compared with npm's x402 in this process, on the same chain. */
export async function facilitatorFigures(bench: Bench): Promise<Figure[]> {
  const { rounds, seconds, progress } = bench;
  const { verify, reference } = await openFacilitator(bench);
  const rates = { ours: [] as number[], theirs: [] as number[] };
  await rateOf(verify, CONNECTIONS, 1);
  for (let round = 1; round <= rounds; round++) {
    progress(`Proofs verified, round ${round} of ${rounds}`);
    rates.ours.push(await rateOf(verify, CONNECTIONS, seconds));
    rates.theirs.push(await rateOf(reference.verify, REFERENCE_LANES, seconds));
  }
  const is = "verify of npm x402, in process";
  const both = [median(rates.ours), median(rates.theirs)] as const;
  return [compared("facilitator: proofs verified", both, { unit: "/s", is, goal: atLeastTimes(20) })];
}
