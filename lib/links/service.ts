import { linkFirst } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import { agentById, bind } from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import {
  type AgentId,
  type FileId,
  type ImageId,
  type InvoiceId,
  type LinkId,
  newId,
  type OwnerId,
} from "@/lib/core/ids";
import { edgeErrors } from "@/lib/http/errors";
import { limit } from "@/lib/http/limit";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { type NetworkName, readNetworks } from "@/lib/x402/networks";
import { linkErrors } from "./errors";
import * as files from "./files/service";
import * as images from "./images/service";
import * as listings from "./listings/service";
import { leastUnits } from "./passes/rules";
import { allowedTargets } from "./redirects";
import { fromTo, isAddressLike, type Link, type LinkState, payeeFor, type Uses } from "./rules";
import * as store from "./store";
import type { LinkEdit, NewLink } from "./terms";
import * as upstreams from "./upstream/columns";
import type { Upstream } from "./upstream/rules";
import * as upstreamStore from "./upstream/store";

export type { Link, Uses } from "./rules";
export type { LinkCursor, LinkOrder, ListedLink } from "./store";
export { linkUrl } from "./urls";

/** A link, its uses, and the address it pays now. */
export type LinkView<L = Link> = { link: L; uses: Uses; payTo: Address | null };
/** A link with its agent's name, for the owner. */
export type OwnedLink<L = Link> = { view: LinkView<L>; agentName: string };

/** Throws LINK_NOT_FOUND. */
export async function get(ctx: Ctx<Agent>, linkId: LinkId): Promise<LinkView> {
  const link = await store.findOwn(ctx.db, ctx.actor.agentId, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  const [view] = await viewsOf(ctx, [link]);
  if (!view) throw linkErrors.LINK_NOT_FOUND();
  return view;
}

/** One link of the owner's agents. Throws LINK_NOT_FOUND. */
export async function getForOwner(ctx: Ctx<Owner>, linkId: LinkId): Promise<OwnedLink> {
  const [link, owned] = await Promise.all([store.find(ctx.db, linkId), agents.listOwned(ctx)]);
  const agent = owned.find((candidate) => candidate.agent.id === link?.agentId)?.agent;
  const [view] = link && agent ? await viewsOf(ctx, [link]) : [];
  if (!agent || !view) throw linkErrors.LINK_NOT_FOUND();
  return { view, agentName: agent.name };
}

/** Newest first. `next`: the `before` of the next page. */
export async function list(
  ctx: Ctx<Agent>,
  { before: cursor, limit }: { before?: number | undefined; limit: number },
): Promise<{ views: LinkView[]; next: number | null }> {
  const { links, next } = await store.listOwn(ctx.db, ctx.actor.agentId, { before: cursor, limit });
  return { views: await viewsOf(ctx, links), next };
}

/** Whether one of the owner's agents has a payment link, disabled ones included. */
export async function hasLinks(ctx: Ctx<Owner>): Promise<boolean> {
  const owned = await agents.listOwned(ctx);
  return store.hasAny(
    ctx.db,
    owned.map(({ agent }) => agent.id),
  );
}

export type OwnedLinks = {
  rows: OwnedLink<store.ListedLink>[];
  /** Number of links in each state, regardless of the `state` filter. */
  counts: Record<LinkState, number>;
  next: store.LinkCursor | null;
};

export async function listForOwner(
  ctx: Ctx<Owner>,
  {
    search,
    agentId,
    state,
    ...page
  }: {
    search?: string | undefined;
    agentId?: AgentId | undefined;
    state?: LinkState | undefined;
    order: store.LinkOrder;
    after?: store.LinkCursor | undefined;
    limit: number;
  },
): Promise<OwnedLinks> {
  const owned = await agents.listOwned(ctx);
  const filter = {
    agentIds: owned.map(({ agent }) => agent.id).filter((id) => agentId === undefined || id === agentId),
    search: search === undefined ? undefined : { text: search, agentsOn: await agentsMatching(ctx, owned, search) },
    now: ctx.now(),
  };
  const [rows, counts] = await Promise.all([
    store.listOf(ctx.db, filter, { ...page, state, limit: page.limit + 1 }),
    store.countStates(ctx.db, filter),
  ]);
  const pageRows = rows.slice(0, page.limit);
  const views = await viewsOf(
    ctx,
    pageRows.map(({ link }) => link),
  );
  const names = new Map(owned.map(({ agent }) => [agent.id, agent.name]));
  return {
    rows: views.map((view) => ({ view, agentName: names.get(view.link.agentId) ?? "" })),
    counts,
    next: rows.length > page.limit ? (pageRows.at(-1)?.place ?? null) : null,
  };
}

/** Agents with `text` in their name or receiving address. */
async function agentsMatching(
  ctx: Ctx<Owner>,
  owned: readonly agents.OwnedAgent[],
  text: string,
): Promise<Record<NetworkName, AgentId[]>> {
  const hasText = (value: string) => value.toLowerCase().includes(text.toLowerCase());
  // All agents without an address of their own are paid at the same one, so one look-up is enough.
  const plain = owned.find(({ agent }) => agent.receivingAddress === null)?.agent.id;
  return readNetworks(async (network): Promise<AgentId[]> => {
    const wallet = plain && isAddressLike(text) ? ((await findReceiver(ctx, plain, network))?.address ?? null) : null;
    return owned
      .filter(({ agent: { name, receivingAddress } }) => {
        const address = isAddressLike(text) ? (receivingAddress ?? wallet) : null;
        return hasText(name) || (address !== null && hasText(address));
      })
      .map(({ agent }) => agent.id);
  });
}

/** Who creates or changes a link; `ownerId` is null when the agent itself does. */
export type LinkActor = { agentId: AgentId; ownerId: OwnerId | null };
/** The invoice of a new link. `begin` runs before the link is inserted and `write` after, in the same transaction. */
export type Around = {
  invoiceId: InvoiceId;
  begin: (tx: Tx) => Promise<Pick<NewLink, "description" | "reference">>;
  write: (tx: Tx, link: Link) => Promise<void>;
};

export const agentActor = ({ actor }: Ctx<Agent>): LinkActor => ({ agentId: actor.agentId, ownerId: null });

/** Throws agent_not_found. */
export async function ownerActor(ctx: Ctx<Owner>, agentId: AgentId): Promise<LinkActor> {
  await agents.getOwned(ctx, agentId);
  return { agentId, ownerId: ctx.actor.ownerId };
}

const eventBy = (actor: LinkActor, type: string, subject: LinkId, meta: Record<string, unknown> = {}): Event => ({
  ...actor,
  type,
  subject,
  meta: { ...meta, by: actor.ownerId === null ? "agent" : "owner" },
});

/**
 * Throws WALLET_NOT_LINKED, EXPIRY_IN_PAST, REDIRECT_ORIGIN_NOT_ALLOWED, FILE_NOT_FOUND, IMAGE_NOT_FOUND, and the errors of
 * `around`.
 */
export async function create(ctx: System, actor: LinkActor, request: NewLink, around?: Around): Promise<LinkView> {
  const { agentId } = actor;
  const time = ctx.now();
  if (request.expiresAt && request.expiresAt <= time) throw linkErrors.EXPIRY_IN_PAST();
  const { customAmount, fields = [], fileId, imageId, upstream = null, ...columns } = request;
  const linkId = newId("link");
  const upstreamColumns = upstreams.toColumns(ctx, linkId, upstream, null);
  const targets = await allowedTargets(ctx, agentId, {
    redirectUrl: request.redirectUrl,
    cancelUrl: request.cancelUrl ?? null,
  });
  const receiver = await findReceiver(ctx, agentId, request.network);
  if (!receiver) throw linkErrors.WALLET_NOT_LINKED(linkFirst(ctx.config.baseUrl, { agentId }));
  await limit(ctx, "link_per_agent", agentId);
  const link = await ctx.db.transaction(async (tx) => {
    const named = await around?.begin(tx);
    const ownerId = await uploader(tx, agentId, { fileId, imageId }, time);
    const added = await store.add(tx, {
      ...columns,
      ...named,
      ...targets,
      ...upstreamColumns,
      file: fileId && ownerId ? await files.attach(tx, { fileId, ownerId }) : null,
      image: imageId && ownerId ? await images.attach(tx, { imageId, ownerId }) : null,
      minAmount: customAmount?.min ?? null,
      maxAmount: customAmount?.max ?? null,
      presetAmounts: customAmount && customAmount.presets.length > 0 ? customAmount.presets : null,
      fields: fields.length > 0 ? fields : null,
      linkId,
      agentId,
      ownerId: receiver.ownerId,
      invoiceId: around?.invoiceId ?? null,
      status: "active",
      createdAt: time,
      updatedAt: time,
    });
    assertSellsOneThing(added);
    assertPassAdmits(added);
    const { linkId: subject, network, reference } = added;
    const meta = {
      amount: added.amount.toString(),
      network,
      reference,
      ...(around && { invoiceId: around.invoiceId }),
    };
    await record(tx, time, eventBy(actor, "payment_link.created", subject, meta));
    await around?.write(tx, added);
    if (added.isListed) await listings.refreshOf(tx, agentId, time);
    return added;
  });
  return { link, uses: { settled: 0, open: 0 }, payTo: receiver.address };
}

/**
 * Changes a link for future payments; proofs accepted before the change complete unchanged. Throws LINK_NOT_FOUND, invalid_request,
 * EXPIRY_IN_PAST, MAX_USES_TOO_LOW, REDIRECT_ORIGIN_NOT_ALLOWED, LINK_OF_INVOICE, FILE_NOT_FOUND, IMAGE_NOT_FOUND.
 */
export async function update(ctx: System, actor: LinkActor, linkId: LinkId, edit: LinkEdit): Promise<LinkView> {
  const time = ctx.now();
  if (edit.expiresAt && edit.expiresAt <= time) throw linkErrors.EXPIRY_IN_PAST();
  const { fileId, imageId, upstream, ...fieldEdits } = edit;
  const checked = await allowedTargets(ctx, actor.agentId, fieldEdits);
  const named = Object.entries(checked).filter(([, value]) => value !== undefined);
  const link = await ctx.db.transaction(async (tx) => {
    const attachments = { fileId, imageId };
    const ownerId = await uploader(tx, actor.agentId, attachments, time);
    const previousLink = await lockForChange(tx, actor.agentId, linkId);
    const changed = [
      ...named,
      ...Object.entries(await exchange(tx, previousLink, ownerId, attachments, time)),
      ...(upstream === undefined ? [] : Object.entries(upstreams.toColumns(ctx, linkId, upstream, previousLink))),
    ];
    if (changed.length === 0) return previousLink;
    const { upstream: lastUpstream, sealedUpstreamHeaders } = previousLink;
    if (upstream === null && lastUpstream)
      await upstreamStore.addEnded(tx, { linkId, upstream: lastUpstream, sealedUpstreamHeaders, endedAt: time });
    if (upstream) {
      assertSameKind(upstream, lastUpstream ?? (await upstreamStore.findEnded(tx, linkId))?.upstream);
      // Passes call the new one from now on.
      await upstreamStore.removeEnded(tx, linkId);
    }
    const { settled, open } = (await store.usesOf(tx, [linkId]))(linkId);
    if (edit.maxUses && edit.maxUses < settled + open) throw linkErrors.MAX_USES_TOO_LOW({ useCount: settled, open });
    const shown = changed.map(([name]) => name).filter((name) => name !== "sealedUpstreamHeaders");
    const meta = { changed: shown, ...fromTo(previousLink, Object.fromEntries(changed)) };
    await record(tx, time, eventBy(actor, "payment_link.updated", linkId, meta));
    const updatedLink = await store.change(tx, linkId, { ...Object.fromEntries(changed), updatedAt: time });
    assertSellsOneThing(updatedLink);
    assertPassAdmits(updatedLink);
    if (previousLink.isListed || updatedLink.isListed) await listings.refreshOf(tx, actor.agentId, time);
    return updatedLink;
  });
  const [view] = await viewsOf(ctx, [link]);
  if (!view) throw linkErrors.LINK_NOT_FOUND();
  return view;
}

/** Soft-deletes a link: it returns 404, and its payments are kept. Throws LINK_NOT_FOUND, LINK_OF_INVOICE. */
export async function remove(ctx: System, actor: LinkActor, linkId: LinkId): Promise<void> {
  const time = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const link = await lockForChange(tx, actor.agentId, linkId);
    await store.change(tx, linkId, { deletedAt: time, updatedAt: time, image: null });
    if (link.file) await files.release(tx, link.file, time);
    if (link.image) await images.exchange(tx, link, null);
    await record(tx, time, eventBy(actor, "payment_link.deleted", linkId));
    if (link.isListed) await listings.refreshOf(tx, actor.agentId, time);
  });
}

/**
 * Throws invalid_request. A call of a tool is compared with an earlier one in another way than a request to an API, so who paid for one would
 * lose their tries and the kept answer.
 */
function assertSameKind({ kind }: Pick<Upstream, "kind">, before: Upstream | null | undefined): void {
  if (!before || before.kind === kind) return;
  const message = `upstream.kind must stay ${before.kind}, for those who paid: create another link`;
  throw edgeErrors.invalid_request({ message, field: "upstream.kind" });
}

/** Throws UPSTREAM_WITH_CONTENT. */
function assertSellsOneThing(link: Link): void {
  const { upstream, resourceContent, file, minAmount, maxQuantity, fields, invoiceId } = link;
  if (upstream === null) return;
  const others = { resourceContent, file, customAmount: minAmount, maxQuantity, fields, invoice: invoiceId };
  const beside = Object.entries(others).filter(([, value]) => value !== null);
  if (beside.length > 0) throw linkErrors.UPSTREAM_WITH_CONTENT({ fields: beside.map(([name]) => name) });
}

/** A pass by use that is left with less than the least price is used up: this one would be so when it is bought. Throws invalid_request. */
function assertPassAdmits({ upstream, amount }: Link): void {
  const least = upstream?.pass?.isByUse ? leastUnits(true, { ...upstream, price: `${amount}` }) : 0n;
  if (BigInt(upstream?.pass?.amount ?? 0) >= least) return;
  const message = "upstream.pass.amount must be enough for one call at least";
  throw edgeErrors.invalid_request({ message, field: "upstream.pass.amount" });
}

/** Throws LINK_NOT_FOUND, LINK_OF_INVOICE: the payment limit and expiry of such a link must stay those of its invoice. */
async function lockForChange(tx: Tx, agentId: AgentId, linkId: LinkId): Promise<Link> {
  const link = await store.lockOwn(tx, agentId, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  if (link.invoiceId !== null) throw linkErrors.LINK_OF_INVOICE({ invoiceId: link.invoiceId });
  return link;
}

/** Views in the order of `links`. Looks up one address per agent and network. */
async function viewsOf<L extends Pick<Link, "linkId" | "agentId" | "ownerId" | "network">>(
  system: System,
  links: readonly L[],
): Promise<LinkView<L>[]> {
  const uses = await store.usesOf(
    system.db,
    links.map((link) => link.linkId),
  );
  const receivers = new Map<string, Promise<agents.Receiver | null>>();
  return Promise.all(
    links.map(async (link) => {
      const key = `${link.agentId} ${link.network}`;
      const receiver = receivers.get(key) ?? findReceiver(system, link.agentId, link.network);
      receivers.set(key, receiver);
      return { link, uses: uses(link.linkId), payTo: payeeFor(link, await receiver)?.address ?? null };
    }),
  );
}

async function findReceiver(system: System, agentId: AgentId, network: NetworkName): Promise<agents.Receiver | null> {
  const receiver = await agents.receiverOf(system, agentId, network);
  return typeof receiver === "string" ? null : receiver;
}

/** The file and image that a request names for a link: null removes it, undefined leaves it unchanged. */
type Uploads = { fileId?: FileId | null | undefined; imageId?: ImageId | null | undefined };

/**
 * Binds the agent to its owner permanently and returns the owner: a link of another owner must never sell or show this owner's
 * uploads. Locks the agent, so call it before locking a link. Null without a file or image. Throws FILE_NOT_FOUND or IMAGE_NOT_FOUND
 * if the agent has no owner.
 */
async function uploader(tx: Tx, agentId: AgentId, { fileId, imageId }: Uploads, time: Date): Promise<OwnerId | null> {
  if (!fileId && !imageId) return null;
  const ownerId = (await agentById(tx, agentId))?.ownerId;
  if (ownerId && (await bind(tx, agentId, ownerId, time))) return ownerId;
  throw fileId ? linkErrors.FILE_NOT_FOUND() : linkErrors.IMAGE_NOT_FOUND();
}

/** For a locked link; returns the changed columns. Throws FILE_NOT_FOUND, IMAGE_NOT_FOUND. */
async function exchange(
  tx: Tx,
  link: Link,
  ownerId: OwnerId | null,
  { fileId, imageId }: Uploads,
  time: Date,
): Promise<Partial<Pick<Link, "file" | "image">>> {
  const file = fileId && ownerId ? { fileId, ownerId } : null;
  const image = imageId && ownerId ? { imageId, ownerId } : null;
  return {
    ...(fileId !== undefined && { file: await files.exchange(tx, link.file, file, time) }),
    ...(imageId !== undefined && { image: await images.exchange(tx, link, image) }),
  };
}

/**
 * Disables an invoice's link in `tx` unless it is paid, and returns its uses. Locks the link, so that no new payment starts until
 * `tx` ends.
 */
export async function disableUnpaid(tx: Tx, actor: LinkActor, linkId: LinkId, time: Date): Promise<Uses> {
  const link = await store.lockOwn(tx, actor.agentId, linkId);
  if (!link) throw new Error(`${linkId} has an invoice and is gone`);
  const uses = (await store.usesOf(tx, [linkId]))(linkId);
  if (uses.settled > 0 || link.status === "disabled") return uses;
  const status = { changed: ["status"], from: { status: link.status }, to: { status: "disabled" } };
  const meta = { ...status, reference: link.reference, invoiceId: link.invoiceId };
  await record(tx, time, eventBy(actor, "payment_link.updated", linkId, meta));
  await store.change(tx, linkId, { status: "disabled", updatedAt: time });
  return uses;
}
