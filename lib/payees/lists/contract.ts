import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { endpoint } from "@/lib/core/endpoint";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { payeeErrors } from "../errors";
import { CHANGES_MAX, ENTRIES_MAX, PAYEE_LISTS, payeeOf } from "./rules";
import type { OwnedLists } from "./service";

const payee = z.codec(
  z.string({ error: "must be an address or a host name" }).refine((text) => payeeOf(text) !== null, {
    error: "must be a 20-byte 0x address with a right checksum, or a host name without scheme, path or wildcard",
  }),
  z.string(),
  { decode: (text) => payeeOf(text) ?? text, encode: (entry) => entry },
);
const changes = z.array(payee, { error: "must be an array" }).max(CHANGES_MAX, `must have at most ${CHANGES_MAX}`);

export const entryView = z.object({
  list: z.enum(PAYEE_LISTS).describe("`deny`: never paid. `allow`: paid while only listed payees are"),
  payee: z.string().describe("A checksummed address, or a host with an optional port"),
  createdAt: isoDate,
});
export type PayeeEntryView = z.output<typeof entryView>;

const lists = z.object({
  status: z.literal("ok"),
  isAllowListOn: z.boolean().describe("Whether agents pay only what is on the allow list"),
  entries: z.array(entryView).describe("Of both lists, by list and payee"),
});

export const toListsResponse = ({ isAllowListOn, entries }: OwnedLists) => ({
  status: "ok" as const,
  isAllowListOn,
  entries: entries.map(({ list, payee, createdAt }) => ({ list, payee, createdAt })),
});

const example = {
  ...sample.OK,
  isAllowListOn: false,
  entries: [{ list: "deny", payee: "tracker.example", createdAt: sample.CREATED }],
};

export const listPayeeLists = endpoint({
  method: "GET",
  path: "/api/wallet/payee-lists",
  summary: "The owner's lists of payees: whom no agent pays, and whom alone agents pay",
  description:
    "Both hold for everything that is paid with the owner's money: mandates, vaults, single payments, payouts, splits and service credits. Refunds go to a buyer, so only the deny list holds for them.",
  auth: "owner",
  surface: "wallet",
  response: lists,
  errors: {},
  example: { responses: { 200: example } },
});

export const changePayeeLists = endpoint({
  method: "POST",
  path: "/api/wallet/payee-lists",
  summary:
    "Change one of the lists, or turn the allow list on or off. What allows more than before needs a signature of the owner's wallet",
  description: `A list has at most ${ENTRIES_MAX} entries. A host without a port covers all of its ports; it does not cover other names of the same domain. Entries that are there already, or not there, are left as they are. Adding to \`allow\`, removing from \`deny\` and turning the allow list off allow more: after 403 \`signature_required\` sign its \`typedData\` with the owner's wallet and send the same body with \`signature\`. What was signed before still settles.`,
  work: 16,
  auth: "owner",
  surface: "wallet",
  body: withSignature.extend({
    list: z.enum(PAYEE_LISTS, { error: "must be deny or allow" }),
    add: changes.default([]),
    remove: changes.default([]),
    isAllowListOn: z.boolean({ error: "must be true or false" }).optional(),
  }),
  response: lists,
  errors: { payee_list_full: payeeErrors.table.payee_list_full, ...confirmErrors },
  example: { request: { list: "deny", add: ["tracker.example"] }, responses: { 200: example } },
});
