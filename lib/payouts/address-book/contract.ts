import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { addressText, recipientText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { NAME_MAX } from "@/lib/core/lengths";
import { amount } from "@/lib/core/money";
import { isVisible, shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { payoutErrors } from "../errors";
import { WEIGHED_MAX } from "../rules";
import type { BookEntry, KnownOf, SpendingBalance } from "./service";

const ok = z.literal("ok");

const balance = z.object({
  network: z.enum(NETWORK_NAMES),
  address: addressText,
  balance: amount.nullable(),
  available: amount.nullable(),
  reserved: amount,
  pending: amount,
});

const addressExample = { address: sample.SELLER, name: "Example Ltd", createdAt: sample.UPDATED };

export const getBalances = endpoint({
  method: "GET",
  path: "/api/wallet/balances",
  summary:
    "Each spending wallet's balance, the sum of transfers under way (reserved) and of signed payments that were not presented (pending), and the rest (available)",
  description:
    "`available` is what a payout or a payment can use now. `balance` and `available` are null while the network's chain does not respond.",
  work: 60,
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, balances: z.array(balance) }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        balances: [
          {
            network: sample.NETWORK,
            address: sample.WALLET,
            balance: "12500000",
            available: "12000000",
            reserved: "0",
            pending: "500000",
          },
        ],
      },
    },
  },
});

export const toBalanceItem = ({ wallet, ...fields }: SpendingBalance): z.output<typeof balance> => ({
  ...fields,
  address: wallet.address,
});

const name = shownText({ max: NAME_MAX, error: "must be a text" })
  .transform((text) => text.trim())
  .refine(isVisible, "must not be empty");

const entry = z.object({ address: addressText, name: z.string(), createdAt: isoDate });
export type AddressItem = z.output<typeof entry>;
const oneEntry = z.object({ status: ok, address: entry });
const addressParams = z.object({ address: addressText });
const { invalid_recipient, address_not_found, address_exists, address_book_full } = payoutErrors.table;

export const toAddressItem = ({ address, name, createdAt }: BookEntry): AddressItem => ({ address, name, createdAt });

export const listAddresses = endpoint({
  method: "GET",
  path: "/api/wallet/addresses",
  summary: "The owner's names for addresses that they pay, by name",
  description: "Payouts to these need no signature while those of 24 hours stay within the approval limit.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, addresses: z.array(entry) }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, addresses: [addressExample] } } },
});

const weighed = z.object({
  address: addressText,
  name: z.string().nullable(),
  isFirst: z.boolean(),
  isOwn: z.boolean(),
  looksLike: z
    .object({ address: addressText, name: z.string().nullable(), kind: z.enum(["book", "paid", "login", "wallet"]) })
    .nullable(),
  /** Why it can never be paid. */
  refusal: z.string().nullable(),
});
export type WeighedAddress = z.output<typeof weighed>;

export const weighAddresses = endpoint({
  method: "POST",
  path: "/api/wallet/addresses/weigh",
  summary:
    "Check up to 100 addresses before paying them: name, whether it was paid before, the known address it looks like, why it cannot be paid. Changes nothing",
  description:
    "Call it before a person approves. `looksLike` names a known address with the same beginning and end: that is how payments are led astray.",
  work: 35,
  auth: "owner",
  surface: "wallet",
  body: z.object(
    {
      addresses: z
        .array(addressText, { error: "must be a list of addresses" })
        .min(1, "must name an address")
        .max(WEIGHED_MAX, `must have at most ${WEIGHED_MAX} addresses`),
    },
    { error: "must be an object" },
  ),
  response: z.object({ status: ok, addresses: z.array(weighed) }),
  errors: {},
  example: {
    request: { addresses: [sample.SELLER] },
    responses: {
      200: {
        ...sample.OK,
        addresses: [
          { address: sample.SELLER, name: "Example Ltd", isFirst: false, isOwn: false, looksLike: null, refusal: null },
        ],
      },
    },
  },
});

export const toWeighedAddress = ({
  bookName: name,
  ...fields
}: KnownOf & { refusal: string | null }): WeighedAddress => ({
  name,
  ...fields,
});

export const addAddress = endpoint({
  method: "POST",
  path: "/api/wallet/addresses",
  summary: "Add an address to the address book. Needs a signature, because payouts to addresses in the book need none",
  description:
    "After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. Check the address first with `weigh`: addresses that look alike are a common fraud.",
  work: 16,
  auth: "owner",
  surface: "wallet",
  body: withSignature.extend({ address: recipientText, name }),
  response: { 201: oneEntry },
  errors: { address_exists, address_book_full, invalid_recipient, ...confirmErrors },
  example: {
    request: { address: sample.SELLER, name: "Example Ltd", signature: sample.SIGNATURE },
    responses: { 201: { ...sample.OK, address: addressExample } },
  },
});

export const renameAddress = endpoint({
  method: "PATCH",
  path: "/api/wallet/addresses/{address}",
  summary: "Rename an address in the address book",
  description: "Only the name changes, and no signature is needed. For another address, remove this one and add that.",
  auth: "owner",
  surface: "wallet",
  params: addressParams,
  body: z.object({ name }, { error: "must be an object" }),
  response: oneEntry,
  errors: { address_not_found },
  example: {
    request: { name: "Example Ltd, Bern" },
    responses: { 200: { ...sample.OK, address: { ...addressExample, name: "Example Ltd, Bern" } } },
  },
});

export const removeAddress = endpoint({
  method: "DELETE",
  path: "/api/wallet/addresses/{address}",
  summary: "Remove an address from the address book",
  description: "Payouts to it need a signature from then on. Those that are approved already are made.",
  auth: "owner",
  surface: "wallet",
  params: addressParams,
  response: z.object({ status: ok }),
  errors: { address_not_found },
  example: { responses: { 200: sample.OK } },
});
