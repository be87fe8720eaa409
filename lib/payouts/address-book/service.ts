import type { Hex } from "viem";
import { confirmed } from "@/lib/confirmations/service";
import type { Address } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { unpresentedOn } from "@/lib/payments/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { recordOfOwner } from "@/lib/platform/events";
import type { AskedPayee, PayeeFacts } from "@/lib/platform/summary";
import { sumUnended } from "@/lib/settlements/service";
import * as wallets from "@/lib/wallets/service";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { payoutErrors } from "../errors";
import { unpayableReasons } from "../recipients";
import { type KnownAddress, lookalikeOf } from "../rules";
import type { PayoutView } from "../views";
import * as store from "./store";

export type { BookEntry } from "./store";

const ENTRIES_MAX = 1000;

/** Sorted by name. */
export const list = (ctx: Ctx<Owner>): Promise<store.BookEntry[]> => store.list(ctx.db, ctx.actor.ownerId);

export const count = (ctx: Ctx<Owner>): Promise<number> => store.count(ctx.db, ctx.actor.ownerId);

/**
 * Needs the owner's signature, because payouts to an address in the book need none. Throws address_exists,
 * address_book_full, invalid_recipient, signature_required.
 */
export async function add(
  ctx: Ctx<Owner>,
  { address, name, signature }: { address: Address; name: string; signature?: Hex | undefined },
): Promise<store.BookEntry> {
  const { ownerId } = ctx.actor;
  const [reason] = await unpayableReasons(ctx, [address], ownerId);
  if (reason) throw payoutErrors.invalid_recipient({ message: `address: ${reason}`, field: "address" });
  // Also checked before the signature is requested: otherwise the owner signs a change that is then rejected.
  if ((await store.listNamed(ctx.db, ownerId, [address])).length > 0) throw payoutErrors.address_exists();
  if ((await store.count(ctx.db, ownerId)) >= ENTRIES_MAX) throw payoutErrors.address_book_full();
  return confirmed(ctx, { type: "NewAddress", account: address, name }, signature, (use) =>
    ctx.db.transaction(async (tx) => {
      const entries = await store.lockBook(tx, ownerId);
      await use(tx);
      const added = await store.add(tx, { ownerId, address, name, createdAt: ctx.now() });
      if (!added) throw payoutErrors.address_exists();
      if (entries >= ENTRIES_MAX) throw payoutErrors.address_book_full();
      await recordOfOwner(tx, added.createdAt, ownerId, "owner.address_added", { address, name });
      return added;
    }),
  );
}

/** Throws address_not_found. */
export async function rename(ctx: Ctx<Owner>, address: Address, name: string): Promise<store.BookEntry> {
  const { ownerId } = ctx.actor;
  return ctx.db.transaction(async (tx) => {
    const entry = await store.lock(tx, ownerId, address);
    const renamed = entry && (await store.rename(tx, ownerId, address, name));
    if (!renamed) throw payoutErrors.address_not_found();
    const meta = { address, from: { name: entry.name }, to: { name } };
    if (entry.name !== name) await recordOfOwner(tx, ctx.now(), ownerId, "owner.address_renamed", meta);
    return renamed;
  });
}

/** Throws address_not_found. */
export async function remove(ctx: Ctx<Owner>, address: Address): Promise<void> {
  const { ownerId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const removed = await store.remove(tx, ownerId, address);
    if (!removed) throw payoutErrors.address_not_found();
    await recordOfOwner(tx, ctx.now(), ownerId, "owner.address_removed", { address, name: removed.name });
  });
}

/** `balance` and `available` are null if the node does not answer. */
export type SpendingBalance = {
  network: NetworkName;
  wallet: wallets.Wallet;
  balance: Usdc | null;
  /** The sum of open settlements out of the wallet. */
  reserved: Usdc;
  /** The sum of signed payments that can still move and have no open settlement. */
  pending: Usdc;
  available: Usdc | null;
};

export async function balances(ctx: Ctx<Owner>): Promise<SpendingBalance[]> {
  const spendingWallets = await wallets.ensureSpendingWallets(ctx, ctx.actor.ownerId);
  return Promise.all(NETWORK_NAMES.map((network) => balanceOf(ctx, spendingWallets[network])));
}

export async function balanceOn(ctx: Ctx<Owner>, network: NetworkName): Promise<SpendingBalance> {
  return balanceOf(ctx, (await wallets.ensureSpendingWallets(ctx, ctx.actor.ownerId))[network]);
}

async function balanceOf(ctx: Ctx<Owner>, wallet: wallets.Wallet): Promise<SpendingBalance> {
  const { network } = wallet;
  const [balance, reserved, pending] = await Promise.all([
    wallets.heldBy(ctx, network, wallet.address),
    sumUnended(ctx.db, wallet),
    unpresentedOn(ctx, network),
  ]);
  const promised = reserved + pending;
  const remainder = balance !== null && balance > promised ? toUsdc(balance - promised) : ZERO;
  return { network, wallet, balance, reserved, pending, available: balance === null ? null : remainder };
}

/** What the owner's data shows about an address. */
export type KnownOf = {
  address: Address;
  /** None of the owner's wallets has ever paid this address. */
  isFirst: boolean;
  bookName: string | null;
  /** A known address that looks like this one. */
  looksLike: KnownAddress | null;
  /** The address that the owner signs in with. */
  isOwn: boolean;
};
export type WeighedLeg = Omit<KnownOf, "address"> & { index: number; toAddress: Address };
export type Weighed = SpendingBalance & { legs: WeighedLeg[] };

/** The balance of the paying wallet, and what is known about each recipient. */
export async function weigh(ctx: Ctx<Owner>, { payout, legs }: PayoutView): Promise<Weighed> {
  const spendingWallets = await wallets.ensureSpendingWallets(ctx, ctx.actor.ownerId);
  const [balance, recipients] = await Promise.all([
    balanceOf(ctx, spendingWallets[payout.network]),
    knownOf(
      ctx,
      legs.map(({ leg }) => leg.toAddress),
    ),
  ]);
  return {
    ...balance,
    legs: recipients.map(({ address: toAddress, ...recipient }, index) => ({ index, toAddress, ...recipient })),
  };
}

/** What is known about each address, and why it cannot be paid; in the order of `addresses`. */
export async function weighAddresses(
  ctx: Ctx<Owner>,
  addresses: readonly Address[],
): Promise<(KnownOf & { refusal: string | null })[]> {
  const [assessments, reasons] = await Promise.all([
    knownOf(ctx, addresses),
    unpayableReasons(ctx, addresses, ctx.actor.ownerId),
  ]);
  return assessments.map((assessment, index) => ({ ...assessment, refusal: reasons[index] ?? null }));
}

/** For the summary of a request that waits for the owner. */
export async function knownPayee(
  db: Queryable,
  { ownerId, address }: AskedPayee,
): Promise<Pick<PayeeFacts, "isFirst" | "isInAddressBook" | "resemblesKnown">> {
  const [login, ownWallets] = [await store.findLogin(db, ownerId), await wallets.spendingOf(db, ownerId)];
  const [payee] = await known(db, { ownerId, login, ownWallets }, [address]);
  if (!payee) throw new Error("no payee was looked up");
  const { isFirst, bookName, looksLike } = payee;
  return { isFirst, isInAddressBook: bookName !== null, resemblesKnown: looksLike !== null };
}

async function knownOf(ctx: Ctx<Owner>, addresses: readonly Address[]): Promise<KnownOf[]> {
  const { ownerId, address: login } = ctx.actor;
  const ownWallets = Object.values(await wallets.ensureSpendingWallets(ctx, ownerId));
  return known(ctx.db, { ownerId, login, ownWallets }, addresses);
}

type Knowing = { ownerId: OwnerId; login: Address; ownWallets: readonly wallets.Wallet[] };

async function known(
  db: Queryable,
  { ownerId, login, ownWallets }: Knowing,
  addresses: readonly Address[],
): Promise<KnownOf[]> {
  const [book, paidAddresses] = await Promise.all([
    store.list(db, ownerId),
    store.listPaidLike(db, ownWallets, addresses),
  ]);
  const names = new Map(book.map((entry) => [entry.address, entry.name]));
  const knownAddresses: KnownAddress[] = [
    ...book.map(({ address, name }) => ({ address, name, kind: "book" as const })),
    { address: login, name: null, kind: "login" },
    ...ownWallets.map(({ address }) => ({ address, name: null, kind: "wallet" as const })),
    ...paidAddresses.map((address) => ({ address, name: null, kind: "paid" as const })),
  ];
  return addresses.map((address) => ({
    address,
    isFirst: !paidAddresses.includes(address),
    bookName: names.get(address) ?? null,
    looksLike: lookalikeOf(address, knownAddresses),
    isOwn: address === login,
  }));
}
