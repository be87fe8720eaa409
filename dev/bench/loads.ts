import { type Bench, CONNECTIONS, PRICE, priceOf, signedMandate, signV3 } from "./actors";
import { openFacilitator } from "./facilitator";
import { credentialCalls } from "./identity";
import { inLanes, openClient, rateOf } from "./load";
import { openPass } from "./passes";
import { openScans, sellLink } from "./rates";

const SETTLEMENTS = 500;
const SCANS = 1_500;

/** One kind of load. `run` resolves to the number of requests that succeeded. */
export type Load = { what: string; run: () => Promise<number> };

/** The loads that a capacity plan counts, each prepared on demand. Verified credentials are those issued before. */
export async function* loadsOf(bench: Bench): AsyncGenerator<Load> {
  const { stack, client, vendor, seconds } = bench;
  const mandateId = await signedMandate(bench);
  const wanted = await priceOf(bench);
  const path = wanted.resource.slice(stack.baseUrl.length);
  const repeated = (run: () => Promise<unknown>) => async () =>
    Math.round((await rateOf(async () => void (await run()), CONNECTIONS, seconds)) * seconds);
  const each = (items: readonly string[], lanes: number, run: (item: string) => Promise<unknown>) => async () =>
    (await inLanes(items, lanes, run)).length;

  const upl = vendor.tessera.receiveUrl(`${PRICE}`).slice(stack.baseUrl.length);
  yield { what: "402 answers", run: repeated(() => client.send({ path: upl })) };
  const link = await sellLink(bench);
  yield { what: "402 answers of links", run: repeated(() => client.send({ path: link })) };
  yield { what: "signed payments", run: repeated(() => signV3(bench, mandateId, wanted)) };
  const credentials = credentialCalls(bench);
  const presented: string[] = [];
  yield { what: "credentials issued", run: repeated(async () => presented.push(await credentials.issue())) };
  yield { what: "credentials verified", run: each(presented, CONNECTIONS, credentials.verify) };
  const scans = await openScans(bench, SCANS);
  yield { what: "prompt scans in credits", run: each(await scans.proofs(SCANS), CONNECTIONS, scans.scan) };
  const pass = await openPass(bench);
  try {
    yield { what: "calls on a pass", run: repeated(pass.call) };
  } finally {
    pass.close();
  }
  const { verify } = await openFacilitator(bench);
  yield { what: "proofs verified for others", run: repeated(verify) };
  const proofs = await inLanes(Array.from({ length: SETTLEMENTS }), 16, () => signV3(bench, mandateId, wanted));
  const wide = openClient(stack.baseUrl, SETTLEMENTS);
  const settle = (proof: string) => wide.send({ path, headers: { "x-payment": proof } });
  try {
    yield { what: "settlements", run: each(proofs, SETTLEMENTS, settle) };
  } finally {
    wide.close();
  }
}
