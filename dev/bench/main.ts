import { availableParallelism, cpus } from "node:os";
import { createPublicClient, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { type AgentActor, fetchRequirement, type Requirement, registerAgent } from "../actors/agents";
import { type Api, expectBody, openApi } from "../actors/api";
import { type OwnerActor, signInOwner } from "../actors/owners";
import { inOwnWorld } from "../local/own-world";
import type { Stack } from "../local/stack";
import { checkoutFigures } from "./checkout";
import { measureData } from "./data";
import { credentialFigures, type Figure } from "./identity";
import { type Client, inLanes, openClient, rateOf } from "./load";
import { pipelineTable } from "./pipeline-table";
import { openReference } from "./reference";
import { vaultFigures } from "./vaults";

/**
 * `npm run bench`: figures of this machine, on a temporary local stack. They are meaningful only relative to each other;
 * nothing is asserted. `--json` prints JSON instead of a table.
 */
const PRICE = toUsdc(1_000n);
const CONNECTIONS = 32;
const HTTP_SECONDS = 5;
const SIGNING_SECONDS = 6;
const MANDATES = 50;
const PAYMENTS = 200;
const REFERENCE_ALONE = 10;
const REFERENCE_TOGETHER = 40;
const REFERENCE_LANES = 8;

type Bench = {
  stack: Stack;
  /** A server where Next answers the API: its `/healthz` is a bare route handler of Next. */
  next: Client;
  api: Api;
  client: Client;
  owner: OwnerActor;
  buyer: AgentActor;
  vendor: AgentActor;
  jwt: string;
};

const progress = (line: string) => process.stderr.write(`${line}\n`);

async function measure(stack: Stack, bare: Stack): Promise<Figure[]> {
  progress("Creating two agents and two owners, and funding them");
  const next = openClient(bare.baseUrl, CONNECTIONS);
  const world = await seed(stack, next);
  try {
    progress("Measuring the scripts of the checkout page");
    return [
      ...(await checkoutFigures(stack.baseUrl, world.vendor)),
      ...(await prices(world)),
      ...(await credentialFigures(world, bare, progress)),
      ...(await signing(world)),
      ...(await settlements(world)),
      ...(await vaults(world)),
    ];
  } finally {
    world.client.close();
    next.close();
  }
}

async function seed(stack: Stack, next: Client): Promise<Bench> {
  const api = openApi(stack.baseUrl);
  const [buyer, vendor] = [await registerAgent(api, "Buyer"), await registerAgent(api, "Vendor")];
  const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
  const seller = await signInOwner(api, "Seller", privateKeyToAccount(generatePrivateKey()));
  await seller.claim((await vendor.tessera.mandates.create(intent())).authorizationUrl);
  await owner.claim((await buyer.tessera.mandates.create(intent())).authorizationUrl);
  await mint(api, owner.account.address, 10_000_000n);
  await owner.deposit(10_000_000n);
  const renewed = await api.call("Buyer", "POST", "/refresh", {
    json: { agent_id: buyer.tessera.agentId, token: buyer.tessera.token },
  });
  const { jwt } = expectBody(renewed, 200, z.object({ jwt: z.string() }), "/refresh");
  return { stack, next, api, client: openClient(stack.baseUrl, CONNECTIONS), owner, buyer, vendor, jwt };
}

const intent = () => ({ naturalLanguage: "Bench", limitAmount: (2n ** 90n).toString(), validForSeconds: 86_400 });

async function mint(api: Api, address: string, atomic: bigint): Promise<void> {
  const answer = await api.call("Faucet", "POST", "/api/devnet/faucet", {
    json: { address, amount: atomic.toString() },
  });
  expectBody(answer, 200, z.object({}), "faucet");
}

// UPL requests

/** Alternates both, so that other load on the machine affects both. */
async function prices({ client, next, vendor, stack }: Bench): Promise<Figure[]> {
  const upl = vendor.tessera.receiveUrl(`${PRICE}`).slice(stack.baseUrl.length);
  const requesting = (path: string, status: number, of: Client) => async () => {
    const reply = await of.send({ path });
    if (reply.status !== status) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  };
  const rounds = { upl: [] as number[], bare: [] as number[] };
  await rateOf(requesting(upl, 402, client), CONNECTIONS, 1);
  await rateOf(requesting("/healthz", 200, next), CONNECTIONS, 1);
  for (const round of [1, 2]) {
    progress(`402 answers, ${CONNECTIONS} connections, round ${round} of 2`);
    rounds.bare.push(await rateOf(requesting("/healthz", 200, next), CONNECTIONS, HTTP_SECONDS));
    rounds.upl.push(await rateOf(requesting(upl, 402, client), CONNECTIONS, HTTP_SECONDS));
  }
  return [
    {
      what: "UPL answers 402",
      ours: mean(rounds.upl),
      other: mean(rounds.bare),
      baseline: "bare route handler of Next",
      unit: "/s",
    },
  ];
}

// Signing

async function signing(world: Bench): Promise<Figure[]> {
  progress(`Signing ${MANDATES} mandates`);
  const mandates = await inLanes(Array.from({ length: MANDATES }), 4, () => signedMandate(world));
  const wanted = await fetchRequirement(world.api, "Buyer", world.vendor.tessera.receiveUrl(`${PRICE}`));
  let next = 0;
  const spread = () => mandates[next++ % mandates.length] ?? "";
  const sign = (pick: () => string) => async () => void (await signV3(world, pick(), wanted));
  progress("Payments under one mandate");
  const hot = await rateOf(
    sign(() => mandates[0] ?? ""),
    CONNECTIONS,
    SIGNING_SECONDS,
  );
  progress(`Payments under ${MANDATES} mandates`);
  const cold = await rateOf(sign(spread), CONNECTIONS, SIGNING_SECONDS);
  return [
    { what: "V3 signatures, one hot mandate", ours: hot, other: cold, baseline: `spread over ${MANDATES}`, unit: "/s" },
  ];
}

async function signedMandate({ buyer, owner }: Bench): Promise<string> {
  const mandateId = await owner.claim((await buyer.tessera.mandates.create(intent())).authorizationUrl);
  await owner.signMandate(mandateId);
  return mandateId;
}

const v3Answer = z.object({ xPaymentB64: z.string() });

/** A minimal client, because it shares the machine with the service that it measures. */
async function signV3({ client, jwt }: Bench, mandateId: string, wanted: Requirement): Promise<string> {
  const { status, text } = await client.send({
    method: "POST",
    path: "/api/payment/x402V3Payment",
    headers: { authorization: `Bearer ${jwt}` },
    json: {
      mandateId,
      amount: wanted.maxAmountRequired,
      payTo: wanted.payTo,
      resource: wanted.resource,
      validityWindowSeconds: 3_600,
    },
  });
  if (status !== 200) throw new Error(`x402V3Payment answered ${status}: ${text}`);
  return v3Answer.parse(JSON.parse(text)).xPaymentB64;
}

// Settlement

const settled = z.object({ txHash: z.custom<Hex>() });

async function settlements(world: Bench): Promise<Figure[]> {
  const mandateId = await signedMandate(world);
  const wanted = await fetchRequirement(world.api, "Buyer", world.vendor.tessera.receiveUrl(`${PRICE}`));
  const rpcUrl = world.stack.env.BASE_RPC_URL ?? "";

  progress(`Signing ${PAYMENTS} proofs`);
  const proofs = await inLanes(Array.from({ length: PAYMENTS + REFERENCE_ALONE }), 16, () =>
    signV3(world, mandateId, wanted),
  );
  const alone = proofs.splice(0, REFERENCE_ALONE);
  progress(`Ours: ${alone.length} settlements one at a time`);
  const oursAlone = await settleAll(world, wanted, alone, 1);
  progress(`Ours: ${proofs.length} settlements at once`);
  const ours = await settleAll(world, wanted, proofs, proofs.length);

  const payTo = toAddress(wanted.payTo);
  const requirement = { network: "base", amount: PRICE, payTo, resource: wanted.resource, description: "" } as const;
  const reference = openReference(rpcUrl, requirement);
  await mint(world.api, reference.payer, 10_000_000n);
  progress(`Reference: ${REFERENCE_ALONE} settlements one at a time`);
  const theirsAlone = await reference.run(REFERENCE_ALONE, 1);
  progress(`Reference: ${REFERENCE_TOGETHER} settlements, ${REFERENCE_LANES} at once`);
  const theirs = await reference.run(REFERENCE_TOGETHER, REFERENCE_LANES);
  for (const [reason, count] of tally(theirs.failures)) progress(`  ${count} failed: ${reason}`);

  const perSecond = (run: { settled: number; seconds: number }) => run.settled / run.seconds;
  const share = (run: { settled: number; attempted: number }) => (100 * run.settled) / run.attempted;
  const baseline = `reference, ${REFERENCE_LANES} at once`;
  return [
    {
      what: "settlements, one at a time",
      ours: perSecond(oursAlone),
      other: perSecond(theirsAlone),
      baseline: "reference",
      unit: "/s",
    },
    { what: `settlements, ${PAYMENTS} at once`, ours: perSecond(ours), other: perSecond(theirs), baseline, unit: "/s" },
    { what: "share of those that succeeded", ours: share(ours), other: share(theirs), baseline, unit: "%" },
    {
      what: "gas per settlement",
      ours: await gasEach(rpcUrl, ours),
      other: await gasEach(rpcUrl, theirsAlone),
      baseline: "reference, one at a time",
      unit: "gas",
    },
  ];
}

// Vaults

function vaults({ stack, api }: Bench): Promise<Figure[]> {
  progress("Opening vaults and paying from them");
  return vaultFigures(stack.env.BASE_RPC_URL ?? "", (to, atomic) => mint(api, to, atomic));
}

type Run = { attempted: number; settled: number; seconds: number; hashes: Hex[] };

async function settleAll({ stack }: Bench, wanted: Requirement, proofs: string[], lanes: number): Promise<Run> {
  const client = openClient(stack.baseUrl, lanes);
  const path = wanted.resource.slice(stack.baseUrl.length);
  const began = performance.now();
  const replies = await inLanes(proofs, lanes, (proof) => client.send({ path, headers: { "x-payment": proof } }));
  const seconds = (performance.now() - began) / 1000;
  client.close();
  const hashes = replies
    .filter(({ status }) => status === 200)
    .map(({ text }) => settled.parse(JSON.parse(text)).txHash);
  for (const [said, count] of tally(replies.filter(({ status }) => status !== 200).map(({ text }) => text))) {
    progress(`  ${count} did not settle: ${said}`);
  }
  return { attempted: proofs.length, settled: hashes.length, seconds, hashes };
}

/** Gas used by all transactions of a run, per payment. */
async function gasEach(rpcUrl: string, { hashes }: Run): Promise<number> {
  const chain = createPublicClient({ transport: http(rpcUrl, { batch: true }) });
  const receipts = await Promise.all([...new Set(hashes)].map((hash) => chain.getTransactionReceipt({ hash })));
  return receipts.reduce((sum, receipt) => sum + Number(receipt.gasUsed), 0) / hashes.length;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function tally(texts: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text.slice(0, 120), (counts.get(text.slice(0, 120)) ?? 0) + 1);
  return [...counts];
}

function table(figures: Figure[]): string {
  const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });
  const rows = figures.map(({ what, ours, other, baseline, unit }) => [
    what,
    `${number(ours)} ${unit}`,
    `${number(other)} ${unit}`,
    `${number(ours / other)}×`,
    baseline,
  ]);
  const all = [["", "ours", "baseline", "ratio", "baseline is"], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}

const setting = () => {
  const { cores, cpu, node } = machine();
  return `${cores} × ${cpu}, Node ${node}, blocks of one second, the client on the same machine`;
};

const machine = () => ({ cores: availableParallelism(), cpu: cpus()[0]?.model ?? "", node: process.version });

async function run(): Promise<void> {
  const seed = process.argv.indexOf("--seed-data");
  if (process.argv.includes("--pipeline")) return console.log(pipelineTable());
  if (seed > 0) return measureData(process.argv[seed + 1], progress);
  const mining = { mining: "interval", blockTimeSeconds: 1 } as const;
  const byNext = { log: progress, settings: { ROUTE_HANDLERS: "next" } };
  const figures = await inOwnWorld("bench", { mining, log: progress }, (stack) =>
    inOwnWorld("bench-next", byNext, (next) => measure(stack, next)),
  );
  if (process.argv.includes("--json")) console.log(JSON.stringify({ ...machine(), figures }, null, 2));
  else console.log(`\n${table(figures)}\n\n${setting()}`);
}

await run();
