import { unpayable } from "@tessera/firewall/addresses";
import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";
import { screeningErrors } from "@/lib/screening/errors";
import { assertPayable } from "@/lib/screening/service";
import * as wallets from "@/lib/wallets/service";
import { MULTICALL3, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { payoutErrors } from "./errors";
import { findPastTransfers } from "./legs/claim";
import { isPredeploy, type Payout, type SplitLeg } from "./rules";

type Recipients = {
  network: NetworkName;
  legs: readonly SplitLeg[];
  payoutId: string | undefined;
  agentId: Payout["agentId"];
};

/**
 * Throws invalid_recipient, with the recipient's index and the reason, and payee_denied, unless the chain shows that this payout was paid:
 * after a restore from a backup it is recorded as paid, whoever has been denied since. `payoutId`: undefined for a new name.
 */
export async function assertRecipients(
  system: System,
  { network, legs, payoutId, agentId }: Recipients,
  ownerId: OwnerId | null,
): Promise<void> {
  const wallet = ownerId === null ? null : await wallets.spendingWallet(system, ownerId, network);
  const payees = legs.map((leg) => leg.toAddress);
  await assertPayable(system, { payees, site: null, wallet }).catch(async (denial: unknown) => {
    const isNamed = screeningErrors.payee_denied.is(denial) && wallet !== null && payoutId !== undefined;
    if (!isNamed || (await findPastTransfers(system, wallet, { payoutId, agentId, legs })) === null) throw denial;
  });
  const excluded = excludedAddresses(system, wallet ? [wallet.address] : []);
  for (const [index, { toAddress: to }] of legs.entries()) {
    const reason = unpayableReason(to, excluded);
    if (!reason) continue;
    const field = legs.length === 1 ? "toAddress" : `recipients.${index}.toAddress`;
    throw payoutErrors.invalid_recipient({ message: `${field}: ${reason}`, field, index });
  }
}

/** Why the owner cannot pay each address, in the order of `addresses`; null if they can. */
export async function unpayableReasons(
  system: System,
  addresses: readonly Address[],
  ownerId: OwnerId,
): Promise<(string | null)[]> {
  const payers = Object.values(await wallets.ensureSpendingWallets(system, ownerId)).map((wallet) => wallet.address);
  const excluded = excludedAddresses(system, payers);
  return addresses.map((address) => unpayableReason(address, excluded));
}

type Excluded = { payers: readonly Address[]; relayers: ReadonlySet<Address> };

const excludedAddresses = ({ config }: System, payers: readonly Address[]): Excluded => ({
  payers,
  relayers: new Set(config.relayerKeys.map((key) => toAddress(privateKeyToAddress(key)))),
});

const REASONS = {
  burn: "nobody holds the key of this address: money sent there is lost",
  reserved: "this address belongs to the chain itself: money sent there is lost",
  token: "this is a token's contract: money sent there is lost",
} as const;

function unpayableReason(to: Address, { payers, relayers }: Excluded): string | null {
  if (payers.includes(to)) return "this is the wallet that would pay it";
  if (relayers.has(to)) return "this is an address of the service that only pays for gas";
  if (to === MULTICALL3 || isPredeploy(to)) return REASONS.reserved;
  if (Object.values(NETWORKS).some((network) => network.usdc === to)) return REASONS.token;
  const kind = unpayable(to);
  return kind && REASONS[kind];
}
