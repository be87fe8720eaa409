import { createHmac } from "node:crypto";
import {
  BaseError,
  createTestClient,
  type Hex,
  http,
  parseAbi,
  parseEther,
  publicActions,
  toHex,
  walletActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import type { AppError } from "@/lib/core/errors";
import { newId, type OwnerId } from "@/lib/core/ids";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { fromUnixSeconds } from "@/lib/core/time";
import { type Chain, ChainUnavailable, type UnsignedTransaction } from "@/lib/platform/chain";
import type { Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { admit } from "@/lib/settlements/admission";
import { settlementErrors } from "@/lib/settlements/errors";
import {
  alreadyUsed,
  type Claim,
  type Settlement,
  type SignedAuthorization,
  settle,
  spentElsewhere,
  stillValid,
  sumUnended,
} from "@/lib/settlements/service";
import type { Authorization } from "@/lib/x402/authorization";
import { NETWORK_NAMES, NETWORKS, type NetworkName, readNetworks } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { walletErrors } from "./errors";
import { DEPOSIT_REFUSALS, restOf, validity, withdrawal } from "./rules";
import type { Wallet } from "./store";
import * as store from "./store";

export {
  allSpendingAddresses,
  find as walletById,
  findAt as walletAt,
  lock as lockWallet,
  lockAll as lockWallets,
  raiseCapsRevision,
  raisePayeesRevision,
  spendingAddresses,
  spendingOf,
  type Wallet,
} from "./store";

export type SpendingWallets = Record<NetworkName, Wallet>;
/**
 * `balance` is null while the chain does not respond: the wallets of other networks are still shown. `underWay`: what transfers claimed
 * before can still take of it. `rest`: what they leave.
 */
export type WalletBalance = { wallet: Wallet; balance: Usdc | null; underWay: Usdc; rest: Usdc };
type OwnerSystem = System & { actor: Owner };

const DEPOSIT_SECONDS = 300;
const SENDING_SECONDS = 300;

/** The owner's spending wallets, created if missing. */
export async function ensureSpendingWallets(system: System, ownerId: OwnerId): Promise<SpendingWallets> {
  const rows = await store.spendingOf(system.db, ownerId);
  const existing = byNetwork(rows);
  if (existing) return existing;
  const wallets = NETWORK_NAMES.map((network) => {
    const id = newId("wallet");
    const key = generatePrivateKey();
    return {
      id,
      ownerId,
      network,
      purpose: "spending" as const,
      address: toAddress(privateKeyToAddress(key)),
      sealedKey: system.vault.seal(key, id),
      createdAt: system.now(),
      // The first wallet on a new network: the owner may have lists already.
      payeesRevision: rows.length > 0 ? 1 : 0,
    };
  });
  await store.add(system.db, wallets);
  const created = byNetwork(await store.spendingOf(system.db, ownerId));
  if (!created) throw new Error(`${ownerId} has no spending wallets`);
  return created;
}

export const spendingWallet = async (system: System, ownerId: OwnerId, network: NetworkName): Promise<Wallet> =>
  (await ensureSpendingWallets(system, ownerId))[network];

export const signTransfer = (system: System, wallet: Wallet, authorization: Authorization): Hex =>
  signAuthorization(wallet.network, authorization, system.vault.open(wallet.sealedKey, wallet.id) as Hex);

/** Signs a transaction that a spending wallet sends itself. */
export const signOwn = (system: System, wallet: Wallet, transaction: UnsignedTransaction) =>
  system.chains[wallet.network].signTransaction(system.vault.open(wallet.sealedKey, wallet.id) as Hex, transaction);

export async function overview(ctx: OwnerSystem): Promise<WalletBalance[]> {
  const wallets = await ensureSpendingWallets(ctx, ctx.actor.ownerId);
  return Promise.all(
    NETWORK_NAMES.map(async (network) => {
      const wallet = wallets[network];
      const underWay = await sumUnended(ctx.db, wallet);
      const balance = await balanceOrNull(ctx.chains[network], wallet.address);
      return { wallet, balance, underWay, rest: restOf(balance ?? ZERO, underWay) };
    }),
  );
}

/** The transfer that an owner signs with their own wallet to fund their spending wallet. */
export async function prepareDeposit(
  ctx: OwnerSystem,
  { network, amount }: { network: NetworkName; amount: Usdc },
): Promise<Authorization> {
  const wallet = await spendingWallet(ctx, ctx.actor.ownerId, network);
  return {
    from: ctx.actor.address,
    to: wallet.address,
    value: amount,
    ...validity(ctx.now(), DEPOSIT_SECONDS),
    nonce: randomNonce(),
  };
}

/**
 * Settles an owner's signed transfer into their spending wallet; it may still be pending on return. Throws the refusals of
 * a deposit, invalid_signature, settlement_failed, PAYMENT_ALREADY_USED.
 */
export async function deposit(
  ctx: OwnerSystem,
  { network, authorization, signature }: SignedAuthorization,
): Promise<Settlement> {
  const { ownerId, address } = ctx.actor;
  if (authorization.from !== address) throw walletErrors.wrong_payer();
  const wallet = await spendingWallet(ctx, ownerId, network);
  const signed = await admitDeposit(ctx, { network, authorization, signature }, wallet);
  const purpose = { purpose: "deposit", subject: ownerId, ownerId, resource: "", description: "Deposit" } as const;
  return succeeded(await settle(ctx, { ...signed, ...purpose }, ctx.config.settleWaitSeconds));
}

/**
 * The admitted authorization, and the block up to which the chain was read. Throws the reason if it is not a new deposit; nothing is
 * claimed.
 */
async function admitDeposit(
  system: System,
  { network, authorization, signature }: SignedAuthorization,
  wallet: Wallet,
): Promise<SignedAuthorization & { readTo: bigint }> {
  const proof = { scheme: "exact", network, asset: undefined, authorization, signature };
  const requirement = { network, amount: authorization.value, payTo: wallet.address, resource: "", description: "" };
  const admission = await admit(system, { proof, requirement, sender: null });
  switch (admission.type) {
    case "new":
      return { ...admission.signed, readTo: admission.readTo };
    case "same":
    case "conflicting":
      throw alreadyUsed(admission.settlement);
    case "spent_elsewhere":
      throw spentElsewhere();
    case "refused": {
      if (admission.refusedBy === "us") throw walletErrors[DEPOSIT_REFUSALS[admission.code]]();
      const { failureCode, signed } = admission;
      const stillValidUntil = fromUnixSeconds(Number(signed.authorization.validBefore)).toISOString();
      const message = `Not settled (${failureCode}), and no payment was taken. The authorization can still be paid until ${stillValidUntil}`;
      throw walletErrors.settlement_failed({ message, failureCode, stillValidUntil });
    }
    case "unsold":
      throw new Error("a deposit has a requirement");
    default:
      return admission satisfies never;
  }
}

/**
 * Sends USDC from the spending wallet to the owner's own address only; everything if no amount is given. Throws
 * not_own_address, nothing_to_withdraw, insufficient_balance, settlement_failed.
 */
export async function withdraw(
  ctx: OwnerSystem,
  { network, amount: requested, toAddress }: WithdrawalRequest,
): Promise<Settlement> {
  const { ownerId, address } = ctx.actor;
  if (toAddress !== undefined && toAddress !== address) throw walletErrors.not_own_address();
  const wallet = await spendingWallet(ctx, ownerId, network);
  const held = await readHeld(ctx, wallet);
  const decision = withdrawal(held, requested);
  if (decision.type === "refused") throw walletErrors[decision.code]();
  const purpose = { purpose: "withdrawal", subject: ownerId, resource: "", description: "Withdrawal" } as const;
  const sending = { ...purpose, to: address, amount: decision.amount };
  return succeeded(await sendHeld(ctx, wallet, held, sending, walletErrors.insufficient_balance));
}

type WithdrawalRequest = { network: NetworkName; amount?: Usdc | undefined; toAddress?: Address | undefined };

/**
 * Pays the service itself from the owner's spending wallet; the payment may still be pending on return. `onClaimed` runs in the
 * transaction that claims it. Throws insufficient_balance, settlement_failed.
 */
export async function payService(
  ctx: OwnerSystem,
  network: NetworkName,
  sending: Sending,
  onClaimed: (tx: Tx, wallet: Wallet, authorization: Authorization) => Promise<void>,
): Promise<Settlement> {
  const wallet = await spendingWallet(ctx, ctx.actor.ownerId, network);
  const held = await readHeld(ctx, wallet);
  return succeeded(
    await sendHeld(ctx, wallet, held, sending, walletErrors.insufficient_balance, (tx, authorization) =>
      onClaimed(tx, wallet, authorization),
    ),
  );
}

export type Sending = Pick<Claim, "purpose" | "subject" | "agentId" | "resource" | "description"> & {
  to: Address;
  amount: Usdc;
};

/** Signs a transfer from a spending wallet, ready to be claimed. The nonce is random unless given. */
export function signedClaim(
  system: System,
  wallet: Wallet,
  { to, amount, nonce = randomNonce(), ...purpose }: Sending & { nonce?: Hex },
): Claim {
  const authorization: Authorization = {
    from: wallet.address,
    to,
    value: amount,
    ...validity(system.now(), SENDING_SECONDS),
    nonce,
  };
  const signature = signTransfer(system, wallet, authorization);
  return { ...purpose, ownerId: wallet.ownerId, network: wallet.network, authorization, signature };
}

/** What a wallet holds, and what can still leave it by transfers that were claimed before. */
type Held = { balance: Usdc; underWay: Usdc };

async function readHeld(system: System, wallet: Wallet): Promise<Held> {
  // Before the balance: a transfer that settles in between is still part of the balance, but no longer of the sum in the transaction.
  const underWay = await sumUnended(system.db, wallet);
  return { underWay, balance: await readBalance(system, wallet) };
}

/**
 * Sends USDC from a spending wallet and waits for the outcome; the returned settlement may have failed or still be pending. A
 * subscriber's `claimed` handler can refuse the transfer before anything is sent. Throws `insufficient` if the wallet does not hold it beside
 * the transfers under way, and ChainUnavailable.
 */
export const send = async (
  system: System,
  wallet: Wallet,
  sending: Sending,
  insufficient: () => AppError,
): Promise<Settlement> => sendHeld(system, wallet, await readHeld(system, wallet), sending, insufficient);

async function sendHeld(
  system: System,
  wallet: Wallet,
  { balance, underWay }: Held,
  sending: Sending,
  insufficient: () => AppError,
  onClaimed?: (tx: Tx, authorization: Authorization) => Promise<void>,
): Promise<Settlement> {
  if (underWay + sending.amount > balance) throw insufficient();
  const claim = signedClaim(system, wallet, sending);
  const alongside = async (tx: Tx) => {
    await onClaimed?.(tx, claim.authorization);
    // Of several claims at once, each sees those before it.
    await store.lock(tx, wallet.id);
    if ((await sumUnended(tx, wallet)) > balance) throw insufficient();
  };
  try {
    return await settle(system, { ...claim, alongside }, system.config.settleWaitSeconds);
  } catch (error) {
    if (!settlementErrors.SETTLEMENT_UNKNOWN.is(error)) throw error;
    // Nobody but this service has the proof: to send the request again would sign another transfer.
    throw settlementErrors.SETTLEMENT_UNKNOWN({ ...error.details, message: UNKNOWN_TRANSFER }, error);
  }
}

const UNKNOWN_TRANSFER =
  "It is not known whether this transfer was stored. Read the settlement in settlementId: if there is none, nothing was sent, and the same request is safe. Do not send it again before";

function byNetwork(wallets: Wallet[]): SpendingWallets | null {
  const orderedWallets = NETWORK_NAMES.flatMap((name) => wallets.find(({ network }) => network === name) ?? []);
  const entries = orderedWallets.map((wallet) => [wallet.network, wallet]);
  return orderedWallets.length === NETWORK_NAMES.length ? (Object.fromEntries(entries) as SpendingWallets) : null;
}

/** The balance of any address; null while the chain does not respond. */
export const heldBy = ({ chains }: System, network: NetworkName, account: Address): Promise<Usdc | null> =>
  balanceOrNull(chains[network], account);

/** Whether the address has code, null while the chain does not respond; and whether it can pay without. */
export const codeOf = async ({ chains, config }: System, network: NetworkName, account: Address) => ({
  hasCode: await orNull(async () => (await chains[network].codes([account])).some((code) => code !== "0x")),
  takesUndeployed: config.walletFactories.length > 0,
});

/** The balance of a wallet. Throws ChainUnavailable. */
export const readBalance = ({ chains }: System, { network, address }: Wallet): Promise<Usdc> =>
  balanceOf(chains[network], address);

async function balanceOf(chain: Chain, account: Address): Promise<Usdc> {
  const [balance] = await chain.balances([account]);
  if (balance === undefined) throw new Error("the chain answered without a balance");
  return balance;
}

const balanceOrNull = (chain: Chain, account: Address): Promise<Usdc | null> => orNull(() => balanceOf(chain, account));

async function orNull<T>(readChain: () => Promise<T>): Promise<T | null> {
  try {
    return await readChain();
  } catch (error) {
    if (error instanceof ChainUnavailable) return null;
    throw error;
  }
}

function succeeded(settlement: Settlement): Settlement {
  const { state, id: settlementId, failureCode } = settlement;
  if (state === "declined" || state === "void")
    throw walletErrors.settlement_failed({ settlementId, failureCode, ...stillValid(settlement) });
  return settlement;
}

/**
 * A deterministic nonce for a transfer with a unique name: an HMAC with the wallet's key, which exists as long as the wallet
 * can pay at all. The chain therefore refuses to pay the same name twice, even if the database lost the first payment.
 */
export const nonceNamed = ({ vault }: System, { id, sealedKey }: Wallet, name: readonly (string | number)[]): Hex =>
  `0x${createHmac("sha256", vault.open(sealedKey, id))
    .update(JSON.stringify(["nonce", ...name]))
    .digest("hex")}`;

const randomNonce = (): Hex => toHex(crypto.getRandomValues(new Uint8Array(32)));

/** The balances of the owner's sign-in address on each network; null while its chain does not respond. */
export const ownBalances = ({ chains, actor }: OwnerSystem): Promise<Record<NetworkName, Usdc | null>> =>
  readNetworks((name) => balanceOrNull(chains[name], actor.address));

export type Mint = { address: Address; amount: Usdc; network: NetworkName };

const DOLLAR_ABI = parseAbi([
  "function mint(address to, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);
const BLOCK_WAIT_MS = 15_000;

/** Mints test USDC and waits for the transaction. Throws not_found outside a devnet. */
export async function mint({ config }: System, mintRequest: Mint): Promise<{ txHash: Hex; balance: Usdc }> {
  if (config.mode !== "devnet") throw walletErrors.not_found();
  const { address: to, amount, network } = mintRequest;
  const client = createTestClient({
    mode: "anvil",
    transport: http(config.rpcUrls[network][0], { retryCount: 0 }),
    cacheTime: 0,
    pollingInterval: 50,
  })
    .extend(publicActions)
    .extend(walletActions);
  const token = { address: NETWORKS[network].usdc, abi: DOLLAR_ABI } as const;
  // A fresh account for each mint, so that two mints never compete for a nonce.
  const account = privateKeyToAccount(generatePrivateKey());
  try {
    await client.setBalance({ address: account.address, value: parseEther("1") });
    const call = { ...token, account, chain: null, functionName: "mint", args: [to, amount] } as const;
    const txHash = await client.writeContract(call);
    const { status } = await client.waitForTransactionReceipt({ hash: txHash, timeout: BLOCK_WAIT_MS });
    if (status !== "success") throw new Error(`mint reverted in ${txHash}`);
    const balance = await client.readContract({ ...token, functionName: "balanceOf", args: [to] });
    return { txHash, balance: toUsdc(balance) };
  } catch (cause) {
    if (cause instanceof BaseError) throw new ChainUnavailable("the local chain did not mint", { cause });
    throw cause;
  }
}
