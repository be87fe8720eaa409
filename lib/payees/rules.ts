import type { Offer } from "@tessera/x402/offers";
import type { Address } from "@/lib/core/address";
import { originOfResource } from "@/lib/core/host";
import type { MandateId, OwnerId, PayeeId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { type AskedWords, networkInWords } from "@/lib/platform/summary";
import type { NetworkName } from "@/lib/x402/networks";
import type { AcceptedOffer } from "./answers";
import type { payees } from "./tables";

export type Payee = typeof payees.$inferSelect;
export type PayeeState = "waiting" | "confirmed" | "refused";

/** A payment to a payee that may be new. */
export type PayeePayment = {
  ownerId: OwnerId;
  mandateId: MandateId;
  network: NetworkName;
  payTo: Address;
  amount: Usdc;
  resource: string;
  /** An HTTP method in capitals. */
  method: string;
};

export const stateOf = ({ confirmedAt, refusedAt }: Pick<Payee, "confirmedAt" | "refusedAt">): PayeeState =>
  refusedAt ? "refused" : confirmedAt ? "confirmed" : "waiting";

/** The question to the owner. */
export const askedWords: AskedWords = ({ name, host, network }) => ({
  title: `Confirm a new payee of ${host}?`,
  text: `${name} wants to pay a new address on ${networkInWords(network)} for ${host}, which the host did not confirm.`,
});

/** The page where the owner decides. */
export const payeeUrl = (id: PayeeId, baseUrl: string) => `${baseUrl}/authorize/payee/${id}`;

/** The unique key of a payee. `resource` must be one that payments accept. */
export const pairOf = ({ ownerId, network, payTo, resource }: PayeePayment) => ({
  ownerId,
  network,
  payee: payTo,
  origin: originOfResource(resource) ?? "",
});

/** Whether a host may be asked with this method. Other methods may have an effect even without a payment. */
export const isAskable = (method: string): boolean => method === "GET" || method === "POST";

const AGAIN_MS = 30_000;

/** Whether the host was asked about this same payment less than AGAIN_MS ago. The answer would be the same. */
export const wasJustAsked = (payee: Payee, { resource, method, amount }: PayeePayment, now: Date): boolean =>
  payee.resource === resource &&
  payee.method === method &&
  payee.amount === amount &&
  now.getTime() - payee.askedAt.getTime() < AGAIN_MS;

/** The first offer of exactly this payTo, asset and network, for at least the amount. */
export const findAccepted = (offers: readonly Offer[], payment: PayeePayment): Offer | undefined =>
  offers.find(
    ({ network, payTo, amount }) =>
      network === payment.network &&
      payTo.toLowerCase() === payment.payTo.toLowerCase() &&
      BigInt(amount) >= payment.amount,
  );

export const toAccepted = ({
  x402Version,
  accepted,
  assetAddress: asset,
  payTo,
  amount,
  challenge,
}: Offer): AcceptedOffer => ({
  x402Version: challenge ? null : x402Version,
  scheme: "exact",
  network: String(accepted.network),
  asset,
  payTo,
  amount,
});
