import { TesseraError } from "@tessera/client";
import type { Rpc } from "@tessera/client/vault";
import { createPublicClient, http, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { type Address, toAddress } from "@/lib/core/address";
import { formatUsdc, toUsdc } from "@/lib/core/money";
import { NETWORKS } from "@/lib/x402/networks";
import { expectPaid, fetchRequirement, present, registerAgent, signingBody, signUnder } from "../actors/agents";
import { type Answer, type Api, codeOf, expectBody, openApi } from "../actors/api";
import { signInOwner } from "../actors/owners";
import { inOwnWorld } from "../local/own-world";
import type { Environment, Stack } from "../local/stack";
import { playCalls } from "./calls";
import { playDirect } from "./direct";
import { playFirewall } from "./firewall";
import { playLink } from "./link";
import { playPasses } from "./passes";
import { playPayout } from "./payout";
import { playTools } from "./tools";
import { openTranscript } from "./transcript";
import { playVault } from "./vault";
import { playWebhook } from "./webhook";

/**
 * `npm run demo`: from registration to receipt, a payment without a mandate and its webhook, a payment link, a refund, an
 * API that is sold by the request and by the pass, a sold tool, two scans, two payouts and a mandate with a vault. Uses only HTTP, on a temporary local
 * stack.
 */
const PRICE = 250_000n;
const DEPOSIT = 2_000_000n;
const LIMIT = 5_000_000n;
const NARROWED = 3_000_000n;
const CAP = 500_000n;
const WEEK_SECONDS = 7 * 86_400;

const say = openTranscript(console.log);

async function play({ baseUrl, env }: Stack): Promise<void> {
  const api = openApi(baseUrl, say.exchange);
  const chain = openChain(env);

  say.heading("Two agents register");
  const buyer = await registerAgent(api, "Research agent");
  const vendor = await registerAgent(api, "Data vendor");

  say.heading("The vendor cannot be paid before it has an owner");
  const earlyResponse = await api.call(buyer.name, "GET", vendor.tessera.receiveUrl(`${PRICE}`));
  say.check(
    "its payment address answers 404 WALLET_NOT_LINKED",
    [earlyResponse.status, codeOf(earlyResponse)],
    [404, "WALLET_NOT_LINKED"],
  );

  say.heading("The vendor's owner signs in with their wallet and opens the vendor's link");
  const seller = await signInOwner(api, "Vendor's owner", privateKeyToAccount(generatePrivateKey()));
  const link = await vendor.tessera.mandates.create({
    naturalLanguage: "Link me",
    limitAmount: "1",
    validForSeconds: 3600,
  });
  say.check("the vendor has no owner yet", link.agentStatus, "needs_wallet_authorization");
  await seller.claim(link.authorizationUrl);

  say.heading("The research agent requests a mandate");
  const intent = await buyer.tessera.mandates.create({
    naturalLanguage: "Buy data sets for the weekly report",
    limitAmount: LIMIT.toString(),
    validForSeconds: WEEK_SECONDS,
    hostAllowlist: [new URL(baseUrl).host],
  });
  await readPage(api, intent.authorizationUrl);

  say.heading("Its owner signs in, lowers the limit and signs");
  const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
  const mandateId = await owner.claim(intent.authorizationUrl);
  const terms = { limitAmount: NARROWED.toString(), maxAmountPerPayment: CAP.toString() };
  expectBody(await owner.call("PATCH", `/api/mandates/${mandateId}`, terms), 200, z.object({}), "narrow");
  const mandate = await owner.signMandate(mandateId);
  say.check("the mandate is signed and enabled", [mandate.status, mandate.isEnabled], ["signed", true]);

  say.heading("The owner adds test money to the spending wallet, without gas");
  const own = owner.account.address;
  const faucet = await api.call("Owner", "POST", "/api/devnet/faucet", {
    json: { address: own, amount: `${DEPOSIT}` },
  });
  expectBody(faucet, 200, z.object({ balance: z.literal(`${DEPOSIT}`) }), "faucet");
  const deposit = await owner.deposit(DEPOSIT);
  say.check("the deposit is settled", [deposit.status, settlementStatusOf(deposit)], [200, "settled"]);

  say.heading("The agent finds the mandate, gets the price and has the payment signed");
  const host = new URL(baseUrl).host;
  const eligible = await buyer.call("GET", `/api/mandates/eligible?host=${encodeURIComponent(host)}&amount=${PRICE}`);
  const { eligibleMandates } = expectBody(eligible, 200, eligibleAnswer, "eligible");
  say.check(
    "one mandate covers the price",
    eligibleMandates.map((found) => found.mandateId),
    [mandateId],
  );
  const wanted = await fetchRequirement(api, buyer.name, vendor.tessera.receiveUrl(`${PRICE}`));
  const { xPaymentB64, paymentRecordId } = await signUnder(buyer, mandateId, wanted);
  const payTo = toAddress(wanted.payTo);
  const payer = await walletOf(buyer);

  say.heading("It repeats the request with the proof");
  const balancesBefore = await chain.balances([payer, payTo]);
  const paid = expectPaid(await present(api, buyer.name, wanted.resource, xPaymentB64));
  const balancesAfter = await chain.balances([payer, payTo]);
  say.note(`transaction ${paid.txHash}`);
  say.note(`payer ${payer}: ${inUsdc(balancesBefore[0])} → ${inUsdc(balancesAfter[0])} USDC on the chain`);
  say.note(`payee ${payTo}: ${inUsdc(balancesBefore[1])} → ${inUsdc(balancesAfter[1])} USDC on the chain`);
  say.check("the payer paid the price", balancesBefore[0] - balancesAfter[0], PRICE);
  say.check("the payee received it", balancesAfter[1] - balancesBefore[1], PRICE);

  say.heading("The same proof cannot be used again");
  const repeatedResponse = await present(api, buyer.name, wanted.resource, xPaymentB64);
  say.check(
    "409 PAYMENT_ALREADY_USED",
    [repeatedResponse.status, codeOf(repeatedResponse)],
    [409, "PAYMENT_ALREADY_USED"],
  );

  say.heading("A payment above the maximum per payment is not signed");
  const dear = { ...wanted, maxAmountRequired: `${CAP + 1n}`, resource: vendor.tessera.receiveUrl(`${CAP + 1n}`) };
  const refused = await buyer.tessera.payments
    .sign({ ...signingBody(dear), mandateId })
    .catch((error: unknown) => error);
  const refusal = TesseraError.is(refused) && [refused.status, refused.code];
  say.check("403 mandate_payment_cap_exceeded", refusal, [403, "mandate_payment_cap_exceeded"]);

  say.heading("The service's records agree with the chain");
  const record = await buyer.call("GET", `/api/payments/${paymentRecordId}`);
  const { payment } = expectBody(record, 200, z.object({ payment: paymentAnswer }), "the payment record");
  say.check("the payment record is settled by that transaction", payment, { status: "settled", txHash: paid.txHash });
  const { remainingAmount } = await buyer.tessera.mandates.get(mandateId);
  say.check("the mandate's remaining budget is lower by the price", remainingAmount, `${NARROWED - PRICE}`);
  const receipt = await api.call("Anybody", "GET", paid.receiptUrl);
  say.check("the receipt shows it as settled", settlementStatusOf(receipt), "settled");
  say.check("the money moved exactly once", await chain.transfers(payer, payTo), [PRICE]);

  const readBalances = async () => (await chain.balances([payer, payTo]))[0];
  await playWebhook(say, owner, () => playDirect(api, say, { buyer, vendor, owner }, readBalances));
  await playLink(api, say, { buyer, vendor, seller, mandateId }, readBalances);
  await playCalls(api, say, { buyer, vendor, mandateId }, readBalances);
  await playPasses(say, { buyer, vendor, seller, mandateId }, readBalances);
  await playTools(say, { buyer, vendor, mandateId }, readBalances);
  await playFirewall(api, say, { buyer, owner, mandateId }, readBalances);
  await playPayout(say, { buyer, owner }, readBalances);
  await playVault(api, say, { buyer, vendor, owner }, chain);

  say.heading("The database agrees with the chain");
  say.check("every invariant holds", await violationsIn(env), []);
}

const eligibleAnswer = z.object({ eligibleMandates: z.array(z.object({ mandateId: z.string() })) });
const paymentAnswer = z.object({ status: z.string(), txHash: z.string() });
const selfAnswer = z.object({ agent: z.object({ walletAddress: z.string() }) });

const settlementStatusOf = ({ body }: Answer) =>
  z.object({ settlementStatus: z.string() }).safeParse(body).data?.settlementStatus;

async function readPage(api: Api, url: string): Promise<void> {
  const page = await api.call("Browser", "GET", url, { headers: { accept: "text/html" } });
  say.check(
    "the link opens a page where the owner can sign",
    [page.status, page.headers.get("content-type")?.split(";")[0], page.text.includes("Research agent")],
    [200, "text/html", true],
  );
}

async function walletOf(agent: Awaited<ReturnType<typeof registerAgent>>): Promise<Address> {
  const response = await agent.call("GET", "/api/agent/self/status?network=base");
  return toAddress(expectBody(response, 200, selfAnswer, "status").agent.walletAddress);
}

const TOKEN = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

/** Reads the chain directly, without the service. */
function openChain(env: Environment) {
  const client = createPublicClient({ transport: http(env.BASE_RPC_URL), cacheTime: 0 });
  const token = { address: NETWORKS.base.usdc, abi: TOKEN } as const;
  const balance = (owner: Address) => client.readContract({ ...token, functionName: "balanceOf", args: [owner] });
  // `request` accepts any RPC method.
  const rpc: Rpc = (method, params) => client.request({ method, params } as never);
  return {
    rpc,
    balanceOf: balance,
    balances: ([a, b]: [Address, Address]) => Promise.all([balance(a), balance(b)]),
    transfers: async (from: Address, to: Address) => {
      const filter = { ...token, eventName: "Transfer", args: { from, to }, fromBlock: 0n } as const;
      return (await client.getContractEvents(filter)).map((log) => log.args.value);
    },
  };
}

async function violationsIn(env: Environment): Promise<unknown[]> {
  // The service's modules read their configuration from process.env on first use.
  Object.assign(process.env, env);
  const [{ closeSystem, system }, { violations }] = await Promise.all([
    import("@/lib/wiring"),
    import("@/ops/invariants"),
  ]);
  return violations(system()).finally(closeSystem);
}

const inUsdc = (atomic: bigint) => formatUsdc(toUsdc(atomic));

console.log("Starting a temporary stack: a database, two chains, the service");
try {
  await inOwnWorld("demo", { log: (line) => console.log(`   ${line}`) }, play);
  console.log(`\nEvery payment moved money exactly once. ${say.checks()} passed, 0 failed`);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
