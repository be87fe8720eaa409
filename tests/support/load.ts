import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { type AgentActor, fetchRequirement, present, registerAgent, signUnder } from "@/dev/actors/agents";
import { type Answer, type Api, openApi } from "@/dev/actors/api";
import { type OwnerActor, signInOwner } from "@/dev/actors/owners";
import { type Address, toAddress } from "@/lib/core/address";
import type { Json } from "./mandates";
import type { World } from "./world";

export const PRICE = 1_000n;
const LANES = 3;

export type Shop = {
  api: Api;
  seller: AgentActor;
  buyer: AgentActor;
  owner: OwnerActor;
  mandateId: string;
  payTo: Address;
};

/** A seller, and a buyer whose owner has money and has signed a mandate, at the service at `url`. */
export async function openShop(world: World, url: string): Promise<Shop> {
  const api = openApi(url);
  const [seller, buyer] = [await registerAgent(api, "Seller"), await registerAgent(api, "Buyer")];
  const shopkeeper = await signInOwner(api, "Shopkeeper", privateKeyToAccount(generatePrivateKey()));
  const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
  const terms = { naturalLanguage: "Data", limitAmount: "1000000000", validForSeconds: 3600 };
  await shopkeeper.claim((await seller.tessera.mandates.create(terms)).authorizationUrl);
  const mandateId = await owner.claim((await buyer.tessera.mandates.create(terms)).authorizationUrl);
  await owner.signMandate(mandateId);
  const { wallets } = (await owner.call("GET", "/api/wallet")).body as Json;
  const wallet = wallets.find(({ network }: Json) => network === "base");
  await world.mint(wallet.address, 1_000_000_000n);
  const { payTo } = await fetchRequirement(api, "Buyer", seller.tessera.receiveUrl(`${PRICE}`));
  return { api, seller, buyer, owner, mandateId, payTo: toAddress(payTo) };
}

/** A payment under the mandate: the presented proof and the response. */
export type Payment = { xPayment: string; answer: Answer };

export async function payOnce({ api, buyer, seller, mandateId }: Shop): Promise<Payment> {
  const wanted = await fetchRequirement(api, "Buyer", seller.tessera.receiveUrl(`${PRICE}`));
  const { xPaymentB64: xPayment } = await signUnder(buyer, mandateId, wanted);
  return { xPayment, answer: await present(api, "Buyer", wanted.resource, xPayment) };
}

/** Payments, one after the other in each lane. */
export function startLoad(shop: Shop) {
  const payments: Payment[] = [];
  let isOver = false;
  const lanes = Array.from({ length: LANES }, async () => {
    while (!isOver) payments.push(await payOnce(shop));
  });
  return {
    payments,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}
