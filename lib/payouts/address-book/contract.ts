import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { addressText, recipientText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { amount } from "@/lib/core/money";
import { isVisible, shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { payoutErrors } from "../errors";
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

export const getBalances = endpoint({
  method: "GET",
  path: "/api/wallet/balances",
  summary:
    "Each spending wallet's balance, the sum of transfers under way (reserved) and of signed payments that were not presented (pending), and the rest (available)",
  work: 60,
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, balances: z.array(balance) }),
  errors: {},
});

export const toBalanceItem = ({ wallet, ...fields }: SpendingBalance): z.output<typeof balance> => ({
  ...fields,
  address: wallet.address,
});

const NAME_MAX = 100;
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
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, addresses: z.array(entry) }),
  errors: {},
});

const ADDRESSES_MAX = 100;

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
  work: 35,
  auth: "owner",
  surface: "wallet",
  body: z.object(
    {
      addresses: z
        .array(addressText, { error: "must be a list of addresses" })
        .min(1, "must name an address")
        .max(ADDRESSES_MAX, `must have at most ${ADDRESSES_MAX} addresses`),
    },
    { error: "must be an object" },
  ),
  response: z.object({ status: ok, addresses: z.array(weighed) }),
  errors: {},
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
  work: 16,
  auth: "owner",
  surface: "wallet",
  body: withSignature.extend({ address: recipientText, name }),
  response: { 201: oneEntry },
  errors: { address_exists, address_book_full, invalid_recipient, ...confirmErrors },
});

export const renameAddress = endpoint({
  method: "PATCH",
  path: "/api/wallet/addresses/{address}",
  summary: "Rename an address in the address book",
  auth: "owner",
  surface: "wallet",
  params: addressParams,
  body: z.object({ name }, { error: "must be an object" }),
  response: oneEntry,
  errors: { address_not_found },
});

export const removeAddress = endpoint({
  method: "DELETE",
  path: "/api/wallet/addresses/{address}",
  summary: "Remove an address from the address book",
  auth: "owner",
  surface: "wallet",
  params: addressParams,
  response: z.object({ status: ok }),
  errors: { address_not_found },
});
