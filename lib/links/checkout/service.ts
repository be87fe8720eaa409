import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import type { LinkId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { keysFor } from "@/lib/platform/secrets";
import type { Subscriber } from "@/lib/platform/subscriber";
import { receiptUrl } from "@/lib/settlements/contract";
import type { Offer, Settlement } from "@/lib/settlements/service";
import type { Requirement } from "@/lib/x402/requirement";
import { linkErrors } from "../errors";
import { opensContent } from "../key";
import { type Link, type Uses, unavailable } from "../rules";
import { linkUrl, redirectOf } from "../service";
import * as store from "../store";
import * as checkoutStore from "./store";

/** A link for its checkout page. `payee` is null while the agent has no wallet; `uses` is counted only if the link has a limit. */
export type CheckoutLink = { link: Link; uses: Uses; payee: agents.Receiver | null };

/** Throws LINK_NOT_FOUND. */
export async function checkout(system: System, linkId: LinkId): Promise<CheckoutLink> {
  const link = await store.find(system.db, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  const [receiver, uses] = await Promise.all([
    agents.receiverOf(system, link.agentId, link.network),
    // The cost of counting grows with the number of payments, so count only against a limit.
    store.usesOf(system.db, link.maxUses === null ? [] : [linkId]),
  ]);
  if (receiver === "missing") throw linkErrors.LINK_NOT_FOUND();
  return { link, uses: uses(linkId), payee: receiver === "no_wallet" ? null : receiver };
}

/** The payment requirement of a link; `closed` when it cannot be paid now. Throws LINK_NOT_FOUND, WALLET_NOT_LINKED. */
export async function offer(system: System, linkId: LinkId): Promise<{ link: Link; offer: Offer }> {
  const { link, uses, payee } = await checkout(system, linkId);
  if (!payee) {
    const authorizationUrl = addAgentUrl(system.config.baseUrl, link);
    throw linkErrors.WALLET_NOT_LINKED({ authorizationUrl });
  }
  const why = unavailable(link, uses, system.now());
  const requirement = requirementOf(system, link, payee.address);
  return {
    link,
    offer: {
      purpose: "link",
      subject: linkId,
      agentId: link.agentId,
      ownerId: payee.ownerId,
      requirement,
      closed: why && linkErrors[why](),
    },
  };
}

/** What a payer of the link signs. */
export const requirementOf = (system: System, link: Link, payTo: Address): Requirement => ({
  network: link.network,
  amount: link.amount,
  payTo,
  resource: linkUrl(system, link.linkId),
  description: link.description,
  discovery: {
    method: "GET",
    input: { example: {}, schema: { type: "object", additionalProperties: false } },
    output: {
      success: true,
      status: "success",
      resource: link.resourceContent === null ? null : "the content of the link",
      settlementId: "stl_000000000000000000000000",
    },
    isListed: link.isListed,
  },
});

/** The content a settlement bought and the link's redirect; null when it bought none, is not settled, or `key` is wrong. */
export async function bought(
  system: System,
  settlement: Settlement,
  key: string | undefined,
): Promise<{ content: string | null; redirectUrl?: string } | null> {
  if (key === undefined || settlement.purpose !== "link") return null;
  const issued = (await contentKeys(system))(settlement.id);
  const content = opensContent(key, { issued, nonce: settlement.nonce }) ? await sold(system, settlement) : null;
  // The subject of a link's settlement is the link.
  const link = content && (await store.find(system.db, settlement.subject as LinkId));
  const redirectUrl = link && redirectOf(system, link);
  return content && { ...content, ...(redirectUrl && { redirectUrl }) };
}

/** Who sold what a settlement pays for, by name, and the host of the link's site; null if that is not known any more. */
export async function sellerOf(
  system: System,
  { purpose, subject, agentId }: Settlement,
): Promise<{ name: string; site: string | null } | null> {
  if (agentId === null || (purpose !== "link" && purpose !== "upl")) return null;
  const agent = await agents.agentById(system.db, agentId);
  if (!agent) return null;
  // The subject of a link's settlement is the link.
  const link = purpose === "link" ? await store.find(system.db, subject as LinkId) : null;
  const site = link && redirectOf(system, link);
  return { name: agent.name, site: site === null ? null : new URL(site).host };
}

/** The content a settlement bought; null when it bought none or is not settled. The caller has authenticated the buyer. */
export const sold = async ({ db }: System, { id, state }: Settlement): Promise<{ content: string | null } | null> =>
  state === "settled" ? store.findSold(db, id) : null;

/** The payer's settled purchase of content at the link, or one that can still be paid; null without one. */
export const purchaseBy = ({ db }: System, { linkId, network }: Link, payer: Address): Promise<Settlement | null> =>
  checkoutStore.findPurchase(db, { linkId, network, payer });

const contentKeys = (system: System) => keysFor(system, "content of a sale");

/**
 * Builds the URL where a buyer finds the content once the sale is settled. The URL grants access to the content. Call this
 * before the claim, so that the URL can be returned even if the database connection is lost during the commit.
 */
export async function contentUrls(system: System): Promise<(sale: Pick<Settlement, "id">) => string> {
  const keyFor = await contentKeys(system);
  return ({ id }) => `${receiptUrl(system.config.baseUrl, id)}?key=${keyFor(id)}`;
}

/** Takes a use of the link inside the claim's transaction, so that maxUses is never exceeded, and records its sales. */
export const subscriber: Subscriber = {
  claimed: async (tx, { purpose, subject, settlementId, agentId, ownerId }, at) => {
    if (agentId === null || (purpose !== "link" && purpose !== "upl")) return;
    if (ownerId === null) throw new Error(`${settlementId} has no owner to pay`);
    await agents.markSold(tx, agentId, ownerId, at);
    if (purpose === "upl")
      return store.addReceived(tx, { settlementId, agentId, ownerId, source: "upl", createdAt: at });
    // The subject of a link's settlement is the link.
    const link = await store.lock(tx, subject as LinkId);
    if (!link) throw linkErrors.LINK_NOT_FOUND();
    const { linkId } = link;
    const uses = await store.usesOf(tx, link.maxUses === null ? [] : [linkId], settlementId);
    const why = unavailable(link, uses(linkId), at);
    if (why) throw linkErrors[why]();
    const sale = { settlementId, agentId, ownerId, linkId, content: link.resourceContent, createdAt: at };
    await store.addReceived(tx, { ...sale, source: "payment_link" });
  },
  ended: async (tx, { settlementId, purpose, subject, agentId, ownerId, end, amount, network, from }, at) => {
    if (purpose !== "link" || end !== "settled") return;
    // The subject of a link's settlement is the link.
    const reference = await store.referenceOf(tx, subject as LinkId);
    const meta = { settlementId, amount: amount.toString(), network, payer: from, reference };
    await record(tx, at, { type: "payment_link.paid", subject, agentId, ownerId, meta });
  },
};
