import { type Hex, keccak256, type LocalAccount, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { type Address, toAddress } from "@/lib/core/address";
import { REQUESTS_PER_MINUTE, SETTLEMENTS_PER_DAY } from "@/lib/facilitator/rules";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { type AgentActor, registerAgent } from "../actors/agents";
import { expectBody } from "../actors/api";
import { type OwnerActor, signInOwner } from "../actors/owners";
import { CALLS, type Plan } from "./schedule";
import { addressOfWallet, type WalletKey } from "./wallet-factory";
import { CONFIRMATIONS, type World } from "./world";

export type Account = { account: LocalAccount; key: Hex };
/** A smart wallet that is not deployed at first. `key` signs for it. */
export type SmartWallet = WalletKey & { key: Account; address: Address };
/** Something for sale, and the content that its buyers get. */
export type Offer = {
  url: string;
  network: NetworkName;
  payTo: string;
  price: bigint;
  linkId: string | null;
  maxUses: number | null;
  content: string | null;
};
/** A link that sells calls of the sellers' API for the price of `call`, and a pass for some of them. */
export type SoldApi = { call: Offer; pass: Offer & { calls: number } };
/** An API key of the facilitator. */
export type SellerKey = { id: string; secret: string };
/** A signed-in owner, their agent, and API keys for two of the owner's servers. */
type House = {
  owner: OwnerActor;
  /** The owner's account outside the service. */
  account: Account;
  agent: AgentActor;
  /** The address on Base. */
  wallet: string;
  mandateId: string;
  /** A second agent of the owner. */
  other: { agent: AgentActor; mandateId: string };
  keys: SellerKey[];
};
export type Seller = House & {
  links: Offer[];
  /** The amount that the mandate had spent before this seed. */
  spentBefore: bigint;
};
export type Cast = {
  sellers: Seller[];
  /** Payers with enough money for everything. */
  payers: Account[];
  /** Smart wallets with as much, which are not deployed yet. */
  wallets: SmartWallet[];
  /** What sellers sell in the acts of CALLS, by the index of the step. */
  apis: ReadonlyMap<number, SoldApi>;
  /** The API keys of all sellers. */
  keys: SellerKey[];
  /** Creates an account; the same name gives the same account in every run of a seed. */
  account: (name: string) => Account;
  /** The last block before the first step. */
  firstBlock: Record<NetworkName, bigint>;
  /** The newest sale before this seed. */
  saleBefore: number;
};

const MONEY = 10_000_000n;
const MANDATE_LIMIT = 10n ** 12n;
/** `secondsMax` of a sold API. */
export const SECONDS_MAX = 2;

const walletAnswer = z.object({ wallets: z.array(z.object({ network: z.string(), address: z.string() })) });
const keyAnswer = z.object({ key: z.object({ keyId: z.string() }), secret: z.string() });
const linkAnswer = z.object({
  paymentLink: z.object({ linkId: z.string(), url: z.string(), payTo: z.string() }),
});

/** Sets up a seed without faults: owners sign in, mandates are signed, links created, and the money is in final blocks. */
export async function makeCast(world: World, plan: Plan): Promise<Cast> {
  await world.openSide(plan.isAbroad);
  const heads = await Promise.all(
    NETWORK_NAMES.map(async (network) => [network, await world.on(network).head()] as const),
  );
  const account = (name: string) => accountNamed(`${plan.seed} ${name}`);
  const payers = Array.from({ length: plan.payers }, (_, index) => account(`payer ${index}`));
  const wallets = await Promise.all(
    payers.map(async (_, index) => {
      const key = account(`keeper ${index}`);
      const walletKey = { keeper: toAddress(key.account.address), salt: keccak256(key.key) };
      return { ...walletKey, key, address: await addressOfWallet(world.chain.client, walletKey) };
    }),
  );
  const sellers = await Promise.all(
    plan.sellers.map(async (links, index): Promise<Seller> => {
      const house = await houseOf(world, index);
      const [mandate] = await world.sql`select spent_amount::text as spent from mandates where id = ${house.mandateId}`;
      return {
        ...house,
        links: await makeLinks(house, links, `${plan.seed}-${index}`),
        spentBefore: BigInt(mandate?.spent ?? 0),
      };
    }),
  );
  const apis = await sellApis(world, plan, sellers);
  const [sale] = await world.sql`select coalesce(max(id), 0)::int as last from received_payments`;
  const rich = [
    ...payers.map((payer) => payer.account.address),
    ...wallets.map(({ address }) => address),
    ...sellers.flatMap(({ wallet, owner }) => [wallet, owner.account.address]),
  ];
  for (const chain of world.chains()) {
    await Promise.all(rich.map((address) => chain.mint(address, MONEY)));
    await chain.mine(CONFIRMATIONS + 1);
  }
  return {
    sellers,
    payers,
    wallets,
    apis,
    keys: sellers.flatMap(({ keys }) => keys),
    account,
    firstBlock: Object.fromEntries(heads) as Cast["firstBlock"],
    saleBefore: Number(sale?.last ?? 0),
  };
}

function accountNamed(name: string): Account {
  const key = keccak256(stringToHex(`simulation ${name}`));
  return { key, account: privateKeyToAccount(key) };
}

/** Houses are shared by all seeds of a world. */
const houses = new WeakMap<World, Map<number, Promise<House>>>();

function houseOf(world: World, index: number): Promise<House> {
  const known = houses.get(world) ?? new Map<number, Promise<House>>();
  houses.set(world, known);
  const created = known.get(index) ?? makeHouse(world, index);
  known.set(index, created);
  return created;
}

async function makeHouse(world: World, index: number): Promise<House> {
  const { api } = world;
  const account = accountNamed(`owner ${index}`);
  const owner = await signInOwner(api, `owner ${index}`, account.account, new Date(world.now()));
  const employ = async (name: string) => {
    const agent = await registerAgent(api, name);
    const intent = await agent.tessera.mandates.create({
      naturalLanguage: "Buy what the simulation says",
      limitAmount: MANDATE_LIMIT.toString(),
      validForSeconds: 604_800,
    });
    const mandateId = await owner.claim(intent.authorizationUrl);
    await owner.signMandate(mandateId);
    return { agent, mandateId };
  };
  const [{ agent, mandateId }, other] = await Promise.all([employ(`agent ${index}`), employ(`other agent ${index}`)]);
  const { wallets } = expectBody(await owner.call("GET", "/api/wallet"), 200, walletAnswer, "the wallet");
  const wallet = wallets.find(({ network }) => network === "base")?.address.toLowerCase();
  if (!wallet) throw new Error("an owner has no wallet on Base");
  const keys = [await makeKey(owner), await makeKey(owner)];
  return { owner, account, agent, wallet, mandateId, other, keys };
}

async function makeKey(owner: OwnerActor): Promise<SellerKey> {
  const limits = { requestsPerMinute: REQUESTS_PER_MINUTE.max, settlementsPerDay: SETTLEMENTS_PER_DAY.max };
  const createdResponse = await owner.call("POST", "/api/facilitator/keys", { name: "A server", ...limits });
  const { key, secret } = expectBody(createdResponse, 201, keyAnswer, "the API key");
  return { id: key.keyId, secret };
}

const apiAnswer = z.object({
  paymentLink: z.object({
    linkId: z.string(),
    payTo: z.string(),
    upstream: z.object({ paidUrl: z.string(), pass: z.object({ url: z.string() }) }),
  }),
});

/** Of a pass that wears out: nine failures come back for each of its calls. */
const WORN_CALLS = 1;

async function sellApis({ upstream }: World, { steps }: Plan, sellers: readonly Seller[]): Promise<Cast["apis"]> {
  const apis = steps.map(async ({ act, seller, amount, count }, at): Promise<[number, SoldApi][]> => {
    const agent = sellers[seller % sellers.length]?.agent;
    if (!(act in CALLS) || !agent) return [];
    const calls = act === "pass_worn" ? WORN_CALLS : 2 + count;
    // A part of a pass is rounded down.
    const price = BigInt(amount) * BigInt(calls) + 1n;
    const pass = { calls, amount: price.toString(), isRefundable: true };
    const json = { amount: String(amount), upstream: { url: upstream.url, secondsMax: SECONDS_MAX, pass } };
    const createdResponse = await agent.call("POST", "/api/payment-links", json);
    const link = expectBody(createdResponse, 200, apiAnswer, "the link of an API").paymentLink;
    const offer = { network: "base", payTo: link.payTo.toLowerCase(), linkId: link.linkId } as const;
    const always = { maxUses: null, content: null };
    return [
      [
        at,
        {
          call: { ...offer, ...always, url: link.upstream.paidUrl, price: BigInt(amount) },
          pass: { ...offer, ...always, url: link.upstream.pass.url, price, calls },
        },
      ],
    ];
  });
  return new Map((await Promise.all(apis)).flat());
}

const makeLinks = ({ agent }: House, links: Plan["sellers"][number], name: string): Promise<Offer[]> =>
  Promise.all(
    links.map(async ({ price, maxUses, network }, index) => {
      const content = `content ${name}-${index}`;
      const json = { amount: String(price), maxUses, network, description: `Link ${index}`, resourceContent: content };
      const createdResponse = await agent.call("POST", "/api/payment-links", json);
      const { linkId, url, payTo } = expectBody(createdResponse, 200, linkAnswer, "the link").paymentLink;
      return { url, network, payTo: payTo.toLowerCase(), price: BigInt(price), linkId, maxUses, content };
    }),
  );
