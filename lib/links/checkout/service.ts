import * as agents from "@/lib/agents/service";
import type { LinkId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { keysFor } from "@/lib/platform/secrets";
import type { Subscriber } from "@/lib/platform/subscriber";
import { receiptUrl } from "@/lib/settlements/contract";
import type { Offer, Settlement } from "@/lib/settlements/service";
import { linkErrors } from "../errors";
import { opensContent } from "../key";
import { type Link, type Uses, unavailable } from "../rules";
import { linkUrl, redirectOf } from "../service";
import * as store from "../store";

/** A link as a person who opens it is shown it; `payee` is null while nobody can be paid, `uses` counted where it has a limit. */
export type CheckoutLink = { link: Link; uses: Uses; payee: agents.Receiver | null };

/** Throws LINK_NOT_FOUND. */
export async function checkout(system: System, linkId: LinkId): Promise<CheckoutLink> {
  const link = await store.find(system.db, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  const [receiver, uses] = await Promise.all([
    agents.receiverOf(system, link.agentId, link.network),
    // Counting costs more the more often it was paid.
    store.usesOf(system.db, link.maxUses === null ? [] : [linkId]),
  ]);
  if (receiver === "missing") throw linkErrors.LINK_NOT_FOUND();
  return { link, uses: uses(linkId), payee: receiver === "no_wallet" ? null : receiver };
}

/** What a request to a link is asked to pay, `closed` when it cannot be paid now. Throws LINK_NOT_FOUND, WALLET_NOT_LINKED. */
export async function offer(system: System, linkId: LinkId): Promise<{ link: Link; offer: Offer }> {
  const { link, uses, payee } = await checkout(system, linkId);
  if (!payee) throw linkErrors.WALLET_NOT_LINKED();
  const why = unavailable(link, uses, system.now());
  const { network, amount, description } = link;
  const requirement = { network, amount, payTo: payee.address, resource: linkUrl(system, linkId), description };
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

/** What a settlement bought and where its buyer goes on; null when it bought nothing, is not settled, or `key` is not its buyer's. */
export async function bought(
  system: System,
  settlement: Settlement,
  key: string | undefined,
): Promise<{ content: string | null; redirectUrl?: string } | null> {
  if (key === undefined || settlement.purpose !== "link") return null;
  const told = (await contentKeys(system))(settlement.id);
  const goods = opensContent(key, { told, nonce: settlement.nonce }) ? await sold(system, settlement) : null;
  // The subject of a link's settlement is the link.
  const link = goods && (await store.find(system.db, settlement.subject as LinkId));
  const redirectUrl = link && redirectOf(system, link);
  return goods && { ...goods, ...(redirectUrl && { redirectUrl }) };
}

/** What a settlement bought, for answering its buyer; null when it bought nothing or is not settled. */
export const sold = async ({ db }: System, { id, state }: Settlement): Promise<{ content: string | null } | null> =>
  state === "settled" ? store.findSold(db, id) : null;

const contentKeys = (system: System) => keysFor(system, "content of a sale");

/**
 * Names where a buyer finds what they bought, now or once it is settled. Whoever has that address has the content. It is
 * read before the proof is taken: the address can be told even when the database is lost in mid-commit.
 */
export async function contentUrls(system: System): Promise<(sale: Pick<Settlement, "id">) => string> {
  const keyFor = await contentKeys(system);
  return ({ id }) => `${receiptUrl(system.config.baseUrl, id)}?key=${keyFor(id)}`;
}

/** Takes a use of the link in the transaction that accepts its proof, so that no more are accepted than may be. */
export const subscriber: Subscriber = {
  knows: async () => [],
  claimed: async (tx, { purpose, subject, settlementId, agentId, ownerId }, at) => {
    if (agentId === null || (purpose !== "link" && purpose !== "upl")) return;
    if (ownerId === null) throw new Error(`${settlementId} names nobody who is paid`);
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
  transferred: async () => {},
  cancelled: async () => {},
  unwound: async () => {},
};
