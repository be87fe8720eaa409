import { type Hex, keccak256, type LocalAccount, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { type AgentActor, expectBody, type OwnerActor, registerAgent, signInOwner } from "../actors";
import type { Plan } from "./schedule";
import { CONFIRMATIONS, type World } from "./world";

export type Account = { account: LocalAccount; key: Hex };
/** Where something is sold, and what its buyer is given. */
export type Offer = {
  url: string;
  payTo: string;
  price: bigint;
  linkId: string | null;
  maxUses: number | null;
  content: string | null;
};
export type Seller = { owner: OwnerActor; agent: AgentActor; wallet: string; mandateId: string; links: Offer[] };
export type Cast = {
  sellers: Seller[];
  /** With money enough for everything. */
  payers: Account[];
  /** A new account, the same in each run of a seed. */
  account: (name: string) => Account;
  /** The block before anything moved. */
  firstBlock: bigint;
};

const MONEY = 10_000_000n;
export const MANDATE_LIMIT = 5_000_000n;

const walletAnswer = z.object({ wallets: z.array(z.object({ network: z.string(), address: z.string() })) });
const linkAnswer = z.object({
  paymentLink: z.object({ linkId: z.string(), url: z.string(), payTo: z.string() }),
});

/** Everybody of a seed, in calm weather: owners signed in, mandates signed, links made, money in blocks that stay. */
export async function makeCast(world: World, plan: Plan): Promise<Cast> {
  const firstBlock = await world.chain.head();
  const account = (name: string): Account => {
    const key = keccak256(stringToHex(`simulation ${plan.seed} ${name}`));
    return { key, account: privateKeyToAccount(key) };
  };
  const payers = Array.from({ length: plan.payers }, (_, at) => account(`payer ${at}`));
  const sellers: Seller[] = [];
  for (const [at, links] of plan.sellers.entries())
    sellers.push(await makeSeller(world, `${plan.seed}-${at}`, account(`owner ${at}`), links));
  const rich = [
    ...payers.map((payer) => payer.account.address),
    ...sellers.flatMap(({ wallet, owner }) => [wallet, owner.account.address]),
  ];
  for (const address of rich) await world.chain.mint(address, MONEY);
  await world.chain.mine(CONFIRMATIONS + 1);
  return { sellers, payers, account, firstBlock };
}

async function makeSeller(
  world: World,
  name: string,
  { account }: Account,
  links: Plan["sellers"][number],
): Promise<Seller> {
  const { api } = world;
  const [owner, agent] = await Promise.all([
    signInOwner(api, `owner ${name}`, account, new Date(world.now())),
    registerAgent(api, `agent ${name}`),
  ]);
  const intent = await agent.createIntent({
    naturalLanguage: "Buy what the simulation says",
    limitAmount: MANDATE_LIMIT.toString(),
    validForSeconds: 604_800,
  });
  const mandateId = await owner.claim(intent.authorizationUrl);
  await owner.signMandate(mandateId);
  const { wallets } = expectBody(await owner.call("GET", "/api/wallet"), 200, walletAnswer, "the wallet");
  const wallet = wallets.find(({ network }) => network === "base")?.address.toLowerCase();
  if (!wallet) throw new Error("an owner has no wallet on Base");
  const offers: Offer[] = [];
  for (const [at, { price, maxUses }] of links.entries()) {
    const content = `content ${name}-${at}`;
    const json = { amount: String(price), maxUses, description: `Link ${at}`, resourceContent: content };
    const made = await agent.call("POST", "/api/payment-links", json);
    const { linkId, url, payTo } = expectBody(made, 200, linkAnswer, "the link").paymentLink;
    offers.push({ url, payTo: payTo.toLowerCase(), price: BigInt(price), linkId, maxUses, content });
  }
  return { owner, agent, wallet, mandateId, links: offers };
}
