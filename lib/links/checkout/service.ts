import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import type { AppError } from "@/lib/core/errors";
import type { AgentId, LinkId, OwnerId, SettlementId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { positiveAmountText } from "@/lib/core/money";
import { batchedOn } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { keysFor } from "@/lib/platform/secrets";
import type { ClaimedProof, Subscriber } from "@/lib/platform/subscriber";
import { receiptUrl } from "@/lib/settlements/contract";
import type { SaleOffer, Settlement } from "@/lib/settlements/service";
import type { Discovery } from "@/lib/x402/discovery";
import type { Requirement } from "@/lib/x402/requirement";
import { closedBecause } from "../closed";
import { linkErrors } from "../errors";
import { type SoldFile, signed } from "../files/service";
import { altOf } from "../images/image";
import { opensContent } from "../key";
import { ANSWER_MAX } from "../orders/limits";
import { hasChoice, type Orderable, type PurchaseOrder, plainOrder, type ReadOrder, readOrder } from "../orders/rules";
import * as receivedStore from "../received/store";
import { redirectOf } from "../redirects";
import { type Link, payeeFor, type Uses } from "../rules";
import * as store from "../store";
import { mapReceiptTexts } from "../texts";
import { linkUrl, paidUrl } from "../urls";

/** A link for its checkout page. `payee` is null while the agent has no wallet; `uses` is counted only if the link has a limit. */
export type CheckoutLink = { link: Link; uses: Uses; payee: agents.Receiver | null };

/** Every request for a link's price runs this, so concurrent lookups share one query. */
const findForPrice = batchedOn(store.finder);

/** Throws LINK_NOT_FOUND. */
export async function checkout(system: System, linkId: LinkId): Promise<CheckoutLink> {
  const link = await findForPrice(system.db, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  const [receiver, uses] = await Promise.all([
    agents.receiverOf(system, link.agentId, link.network),
    // The cost of counting grows with the number of payments, so count only against a limit.
    store.usesOf(system.db, link.maxUses === null ? [] : [linkId]),
  ]);
  if (receiver === "missing") throw linkErrors.LINK_NOT_FOUND();
  return { link, uses: uses(linkId), payee: receiver === "no_wallet" ? null : payeeFor(link, receiver) };
}

/**
 * The payment requirement of one URL of a link, for exactly the order in its query; `closed` when it cannot be paid now.
 * `isProbe`: nothing is paid or signed. A probe of a listed link without a query gets the price of the plain order, with the schema of the
 * query, because crawlers cannot know which fields it needs. Throws LINK_NOT_FOUND, WALLET_NOT_LINKED and, for a link that is not closed, AMOUNT_NOT_OFFERED, QUANTITY_NOT_OFFERED and FIELD_INVALID.
 */
export async function offer(
  system: System,
  linkId: LinkId,
  query: Readonly<Record<string, unknown>> = {},
  { isProbe = false }: { isProbe?: boolean } = {},
): Promise<{ link: Link; order: PurchaseOrder; offer: SaleOffer }> {
  const { link, uses, payee } = await checkout(system, linkId);
  if (link.upstream) throw linkErrors.LINK_SELLS_CALLS({ paidUrl: paidUrl(system.config.baseUrl, linkId) });
  if (!payee) {
    const authorizationUrl = addAgentUrl(system.config.baseUrl, link);
    throw linkErrors.WALLET_NOT_LINKED({ authorizationUrl });
  }
  const closed = closedBecause(link, uses, system.now());
  const parsed = readOrder(link, query);
  const isBareProbe = isProbe && link.isListed && Object.keys(query).length === 0;
  if (closed === null && parsed.type !== "order" && !isBareProbe) throw orderError(link, parsed);
  // The price of a closed link, and of a bare probe, is that of the plain order if the query is not a valid order.
  const order = parsed.type === "order" ? parsed.order : plainOrder(link);
  const url = linkUrl(system, linkId);
  return {
    link,
    order,
    offer: {
      purpose: "link",
      subject: linkId,
      agentId: link.agentId,
      ownerId: payee.ownerId,
      requirement: {
        ...requirementOf(system, toOffered(link), payee.address, order),
        ...(parsed.type !== "order" && closed === null && { missing: requiredNames(link) }),
      },
      recordedResource: `${url}${order.publicQuery}`,
      closed,
    },
  };
}

/** AMOUNT_NOT_OFFERED, QUANTITY_NOT_OFFERED or FIELD_INVALID. */
function orderError(link: Link, parsed: Exclude<ReadOrder, { type: "order" }>): AppError {
  switch (parsed.type) {
    case "amount_not_offered":
      return linkErrors.AMOUNT_NOT_OFFERED({ minAmount: `${link.minAmount}`, maxAmount: `${link.maxAmount}` });
    case "quantity_not_offered":
      return linkErrors.QUANTITY_NOT_OFFERED({ maxQuantity: link.maxQuantity });
    case "field_invalid":
      return linkErrors.FIELD_INVALID({ field: parsed.field.name, reason: parsed.reason, fields: link.fields });
    default:
      return parsed satisfies never;
  }
}

/** The fields of a link on which its requirement depends. */
type Offered = Orderable & Pick<Link, "linkId" | "network" | "description" | "isListed"> & { hasContent: boolean };

export const toOffered = (link: Link): Offered => ({
  ...link,
  description: link.description || (link.title ?? ""),
  hasContent: link.resourceContent !== null,
});

/** The payment requirement of the link for this order. */
export const requirementOf = (
  system: System,
  link: Offered,
  payTo: Address,
  order: PurchaseOrder = plainOrder(link),
): Requirement => ({
  network: link.network,
  amount: order.amount,
  payTo,
  resource: `${linkUrl(system, link.linkId)}${order.query}`,
  isResourceBound: hasChoice(link),
  description: link.description,
  discovery: {
    method: "GET",
    input: inputOf(link),
    output: {
      success: true,
      status: "success",
      resource: link.hasContent ? "the content of the link" : null,
      settlementId: "stl_000000000000000000000000",
    },
    isListed: link.isListed,
  },
});

/** An order of the link for documentation, with a placeholder for each required answer. */
export function exampleOf(link: Link): PurchaseOrder {
  const parsed = readOrder(link, inputOf(link).example);
  return parsed.type === "order" ? parsed.order : plainOrder(link);
}

const requiredNames = ({ fields }: Orderable): string[] =>
  (fields ?? []).filter(({ isRequired }) => isRequired).map(({ name }) => name);

/** The query parameters of a link, as an example and as JSON Schema. */
function inputOf(link: Orderable): Discovery["input"] {
  const { minAmount, maxAmount, maxQuantity } = link;
  const fields = link.fields ?? [];
  const required = requiredNames(link);
  const properties = {
    ...(minAmount !== null && {
      amount: {
        type: "string",
        pattern: positiveAmountText.pattern,
        description: `USDC in atomic units, from ${minAmount} to ${maxAmount}. Default: ${link.amount}`,
      },
    }),
    ...(maxQuantity !== null && {
      quantity: { type: "string", pattern: "^[1-9][0-9]{0,4}$", description: `From 1 to ${maxQuantity}. Default: 1` },
    }),
    ...Object.fromEntries(
      fields.map(({ name, label }) => [
        name,
        { type: "string", maxLength: ANSWER_MAX, ...(label !== "" && { description: label }) },
      ]),
    ),
  };
  if (!hasChoice(link)) return { example: {}, schema: { type: "object", additionalProperties: false } };
  const example = {
    ...(minAmount !== null && { amount: link.amount.toString() }),
    ...(maxQuantity !== null && { quantity: "1" }),
    ...Object.fromEntries(required.map((name) => [name, "text"])),
  };
  return { example, schema: { type: "object", properties, ...(required.length > 0 && { required }) } };
}

/** Stores the buyer's choices. Call this in the claim's transaction, after the sale is recorded. */
export async function writeOrder(
  tx: Tx,
  id: SettlementId,
  { quantity, answers: fieldAnswers }: PurchaseOrder,
): Promise<void> {
  if (quantity === 1 && fieldAnswers.length === 0) return;
  const order = {
    quantity: quantity === 1 ? null : quantity,
    answers: fieldAnswers.length === 0 ? null : fieldAnswers,
  };
  await receivedStore.setOrder(tx, id, order);
}

/** Whether the earlier settlement paid for the same order at this link: a repeated payment identifier must not change an order. */
export async function isSameOrder(
  { db }: System,
  order: PurchaseOrder,
  earlier: Settlement,
  linkId: LinkId,
): Promise<boolean> {
  if (earlier.subject !== linkId || earlier.amount !== order.amount) return false;
  const sale = await receivedStore.soldBy(db, earlier.id);
  const earlierOrder = { quantity: sale?.quantity ?? 1, answers: sale?.answers ?? [] };
  return canonicalJson(earlierOrder) === canonicalJson({ quantity: order.quantity, answers: order.answers });
}

/** The content that a settlement paid for, and the link's redirect URL; null if there is none, it is not settled, or `key` is wrong. */
export async function unlockContent(
  system: System,
  settlement: Settlement,
  key: string | undefined,
): Promise<{ content: string | null; file?: SoldFile; redirectUrl?: string } | null> {
  if (key === undefined || settlement.purpose !== "link") return null;
  const issued = (await contentKeys(system))(settlement.id);
  const purchase = opensContent(key, { issued, nonce: settlement.nonce })
    ? await readContent(system, settlement)
    : null;
  // The subject of a link's settlement is the link.
  const link = purchase && (await store.find(system.db, settlement.subject as LinkId));
  const redirectUrl = link && (await redirectOf(system, link));
  return purchase && { ...purchase, ...(redirectUrl && { redirectUrl }) };
}

/** The selling agent's name and the host of the link's redirect URL; null for a settlement that is no sale or whose agent is gone. */
export async function sellerOf(
  system: System,
  { purpose, subject, agentId }: Settlement,
): Promise<{ name: string; site: string | null } | null> {
  if (agentId === null || (purpose !== "link" && purpose !== "upl")) return null;
  const agent = await agents.agentById(system.db, agentId);
  if (!agent) return null;
  // The subject of a link's settlement is the link.
  const link = purpose === "link" ? await store.find(system.db, subject as LinkId) : null;
  const site = link && (await redirectOf(system, link));
  return { name: agent.name, site: site === null ? null : new URL(site).host };
}

/** The content that a settlement paid for; null if there is none or it is not settled. The caller must have authenticated the buyer. */
export async function readContent(
  system: System,
  { id, state }: Settlement,
): Promise<{ content: string | null; file?: SoldFile } | null> {
  const sale = state === "settled" ? await receivedStore.findSold(system.db, id) : null;
  return sale && { content: sale.content, ...(sale.file && { file: await signed(system, id, sale.file) }) };
}

/** The payer's purchase of exactly this order at the link that has settled or can still settle; null if there is none. */
export const purchaseBy = (
  { db }: System,
  { linkId, network, minAmount }: Link,
  order: PurchaseOrder,
  payer: Address,
): Promise<Settlement | null> =>
  receivedStore.findPurchase(db, { linkId, network, payer, order, isAmountChosen: minAmount !== null });

const contentKeys = (system: System) => keysFor(system, "content of a sale");

/**
 * Builds the URL where a buyer finds the content once the sale is settled. The URL grants access to the content. Call this
 * before the claim, so that the URL can be returned even if the database connection is lost during the commit.
 */
export async function contentUrls(system: System): Promise<(sale: Pick<Settlement, "id">) => string> {
  const keyFor = await contentKeys(system);
  return ({ id }) => `${receiptUrl(system.config.baseUrl, id)}?key=${keyFor(id)}`;
}

/** Takes uses of links inside the claims' transaction, so that maxUses is never exceeded, and records the sales. */
export const subscriber: Subscriber = {
  claimed: async (tx, proofs, time) => {
    const sales = proofs.flatMap((proof) => saleOf(proof) ?? []);
    // An agent's owner may have changed between two claims.
    const sellers = new Map(sales.map((sale) => [`${sale.agentId} ${sale.ownerId}`, sale]));
    for (const { agentId, ownerId } of sellers.values()) await agents.markSold(tx, agentId, ownerId, time);
    for (const linkId of new Set(sales.map((sale) => sale.linkId))) {
      const ofLink = sales.filter((sale) => sale.linkId === linkId);
      const rows =
        linkId === null ? ofLink.map((sale) => ofAddress(sale, time)) : await takeUses(tx, linkId, ofLink, time);
      await receivedStore.addReceived(tx, rows);
    }
  },
  ended: async (tx, { settlementId, purpose, subject, agentId, ownerId, end, amount, network, from }, time) => {
    if (purpose !== "link" || end !== "settled") return;
    const sale = await receivedStore.soldBy(tx, settlementId);
    const { reference = null, metadata, quantity, answers: fieldAnswers, invoiceId } = sale ?? {};
    const order = {
      reference,
      ...(invoiceId && { invoiceId }),
      ...(metadata && { metadata }),
      ...(quantity && { quantity }),
      ...(fieldAnswers && { answers: Object.fromEntries(fieldAnswers.map(({ name, value }) => [name, value])) }),
    };
    const meta = { settlementId, amount: amount.toString(), network, payer: from, ...order };
    await record(tx, time, { type: "payment_link.paid", subject, agentId, ownerId, meta });
  },
};

type Sale = { settlementId: SettlementId; agentId: AgentId; ownerId: OwnerId; linkId: LinkId | null };

/** What a proof buys from an agent, at a link or at its address (`linkId` null); null if it pays for something else. */
function saleOf({ purpose, subject, settlementId, agentId, ownerId }: ClaimedProof): Sale | null {
  if (agentId === null || (purpose !== "link" && purpose !== "upl")) return null;
  if (ownerId === null) throw new Error(`${settlementId} has no owner to pay`);
  // The subject of a link's settlement is the link.
  return { settlementId, agentId, ownerId, linkId: purpose === "link" ? (subject as LinkId) : null };
}

const ofAddress = ({ settlementId, agentId, ownerId }: Sale, time: Date): receivedStore.NewReceived => ({
  settlementId,
  agentId,
  ownerId,
  source: "upl",
  createdAt: time,
});

/** Throws LINK_NOT_FOUND, and why the link is closed, if not all of `sales` have a place. */
async function takeUses(
  tx: Tx,
  linkId: LinkId,
  sales: readonly Sale[],
  time: Date,
): Promise<receivedStore.NewReceived[]> {
  const link = await store.lockForPayment(tx, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  const counted = link.maxUses === null ? [] : [linkId];
  const ids = sales.map(({ settlementId }) => settlementId);
  const uses = (await store.usesOf(tx, counted, ids))(linkId);
  for (const index of sales.keys()) {
    const closed = closedBecause(link, { ...uses, open: uses.open + index }, time);
    if (closed) throw closed;
  }
  const { resourceContent: content, file } = link;
  const image = link.image && { imageId: link.image.imageId, alt: altOf(link) };
  const texts = mapReceiptTexts((name) => link[name]);
  return sales.map(({ settlementId, agentId, ownerId }) => ({
    ...{ settlementId, agentId, ownerId, linkId, content, file, image, ...texts, createdAt: time },
    source: "payment_link",
  }));
}
