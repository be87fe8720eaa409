import { z } from "zod";
import type { Address } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { firstCharacters } from "@/lib/core/characters";
import { readableUrl, withoutQuery } from "@/lib/core/host";
import { id } from "@/lib/core/id-text";
import type { MandateId, OwnerId } from "@/lib/core/ids";
import { amount, formatUsdc, toUsdc, type Usdc } from "@/lib/core/money";
import { withoutInvisible } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { isNetworkName, NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { Queryable } from "./db";

/** What waits for an owner's decision, as a card in a chat, a webhook and a notice show it. */

const TEXT_CHARACTERS_MAX = 200;
const NAME_CHARACTERS_MAX = 60;
const URL_CHARACTERS_MAX = 500;
/** Keeps a title with a sum and a host within the length that push notifications show. */
const HOST_CHARACTERS_MAX = 50;

/** Facts for the owner and their agents; neither is a judgement of the host. */
export const hostHistory = z.object({
  paid: z
    .int()
    .describe("Payments that the chain shows, of the owner's newest 500 for this host in USDC on this network"),
  delivered: z.int().describe("Of `paid`: the host answered 2xx to the proof"),
  unseen: z
    .int()
    .describe(
      "Of `paid`: the agent presented the proof itself, so that this service did not see what the host answered",
    ),
  refused: z.int().describe("Proofs that the host answered with another status and no delivery, paid or not"),
  priceAsListed: z.int().describe("Of `paid`: as much as the first payment for the same URL without its query"),
  addressesPaid: z.int().describe("How many addresses got what was `paid`"),
  listedAmount: amount.nullable().describe("What the first payment for this URL without its query cost; null: none"),
  lastPayTo: addressText.nullable().describe("The address that was paid last; null: none"),
  lastPaidAt: isoDate.nullable().describe("Null: nothing was paid"),
});

/** What became of an owner's payments for a host. */
export type HostHistory = z.output<typeof hostHistory>;

const payeeFacts = z.object({
  isFirst: z.boolean().describe("Whether none of the owner's wallets has ever paid it"),
  isInAddressBook: z.boolean().describe("Whether the owner has given it a name"),
  resemblesKnown: z.boolean().describe("Whether it looks like another address that the owner knows, and is not that"),
  confirmedBy: z
    .enum(["host", "owner"])
    .nullable()
    .describe("Who confirmed it for this host: the host's own 402, the owner, or nobody (null)"),
  hostHistory: hostHistory
    .nullable()
    .describe("What became of the owner's payments for the host; null if no host is paid"),
});

/** What an owner's data shows about an address. The names in the address book are the owner's own: agents read summaries. */
export type PayeeFacts = z.output<typeof payeeFacts>;

/** An address that would be paid. `resource`: the URL that is paid for, if it is one. */
export type AskedPayee = { ownerId: OwnerId; network: NetworkName; address: Address; resource: string | null };

const KINDS = ["payment", "payout", "payee"] as const;

/** A cap of the owner that does not cover what is asked for now. */
const exceededCap = z.object({
  limitOf: z
    .enum(["owner", "agent"])
    .describe("Whose spending it limits: of all of the owner's agents, or of this one"),
  window: z.enum(["24_hours", "30_days"]).describe("The time that it counts, up to now"),
  maxAmount: amount.describe("The cap, in atomic USDC"),
  remainingAmount: amount,
  availableAt: isoDate.nullable().describe("When the payment fits under it; null: never"),
  canAsk: z
    .boolean()
    .describe("Whether the owner's approval lets it exceed the cap; false: it is refused all the same"),
});
export type ExceededCap = z.output<typeof exceededCap>;

export const approvalSummary = z.object({
  kind: z.enum(KINDS).describe("payee: an address that must be confirmed before a mandate pays it"),
  title: z.string().describe("The question in one line, as in the notice that the owner's browser gets"),
  text: z.string().describe("The same in a sentence"),
  agentName: z.string().describe("What the agent calls itself"),
  amount,
  amountFormatted: z.string(),
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  recipients: z.int().describe("How many addresses are paid"),
  payee: z
    .object({
      address: addressText,
      known: payeeFacts.nullable().describe("What the owner's data shows about it; null while the agent has no owner"),
    })
    .nullable()
    .describe("The address that is paid; null if there are several"),
  host: z.string().nullable().describe("The host that is paid; null for a payout"),
  resource: z.string().nullable().describe("The paid URL without its query, cut; null for a payout"),
  reason: z.string().nullable().describe("What the agent or the seller says it is for, in one line; null if nothing"),
  mandate: z
    .object({
      mandateId: id("mandate"),
      remainingAmount: amount,
      remainingAmountFormatted: z.string(),
      validUntil: isoDate,
    })
    .nullable()
    .describe("The mandate that would pay, with what is left of it; null if none does"),
  exceededCap: exceededCap.nullable().describe("The owner's limit that it exceeds; null: none"),
  expiresAt: isoDate.nullable().describe("Until when the owner can decide; null if there is no limit"),
});

export type ApprovalSummary = z.output<typeof approvalSummary>;
/** As it is sent and stored. */
export type SummaryJson = z.input<typeof approvalSummary>;

export const toSummaryJson = (summary: ApprovalSummary): SummaryJson => z.encode(approvalSummary, summary);

/** The summary in a stored event; null if it has none. */
export function summaryIn(value: unknown): SummaryJson | null {
  const parsed = approvalSummary.safeParse(value);
  return parsed.success ? toSummaryJson(parsed.data) : null;
}

/** Text from a stranger on one line. It is plain text: whoever shows it as anything else escapes it. */
export const oneLine = (text: string, max = TEXT_CHARACTERS_MAX): string => {
  const visibleText = withoutInvisible(text).replace(/\s+/g, " ").trim();
  const cut = firstCharacters(visibleText, max);
  return cut === visibleText ? visibleText : `${cut}…`;
};

/** Truncates a long host at its start: anybody can put a well-known name there, but the end shows its domain. */
export function shortHost(host: string): string {
  const all = [...oneLine(host, Number.POSITIVE_INFINITY)];
  return all.length <= HOST_CHARACTERS_MAX ? all.join("") : `…${all.slice(-HOST_CHARACTERS_MAX).join("")}`;
}

/** "An agent", or its name in quotes, which none of its own marks can end. */
export const nameInWords = (agentName: string | null): string =>
  agentName === null
    ? "An agent"
    : `Your agent “${oneLine(agentName, NAME_CHARACTERS_MAX).replace(/\p{Quotation_Mark}/gu, "'")}”`;

/** A mainnet. */
export const isReal = (network: unknown): boolean => isNetworkName(network) && !NETWORKS[network].isTestnet;

export const networkInWords = (network: unknown): string =>
  isNetworkName(network) ? NETWORKS[network].label : "an unknown network";

/** Without the network's name, for sentences that already contain it. */
export const amountInWords = (network: unknown, atomic: bigint): string =>
  `${formatUsdc(toUsdc(atomic))} ${isNetworkName(network) && !isReal(network) ? "test USDC" : "USDC"}`;

/** Names the network unless it is a mainnet with real USDC: other amounts may be worth nothing. */
export function sumInWords(network: unknown, atomic: bigint): string {
  const sum = amountInWords(network, atomic);
  if (isReal(network)) return sum;
  return network === "service-credits" ? `${sum} in service credits` : `${sum} on ${networkInWords(network)}`;
}

/** The question in one line and in a sentence, of parts that are short and on one line. */
export type AskedWords = (parts: { name: string; sum: string; host: string; network: NetworkName }) => {
  title: string;
  text: string;
};

/** A request that waits. `ownerId`: null while the agent has no owner. */
export type Asked = {
  kind: (typeof KINDS)[number];
  words: AskedWords;
  agentName: string;
  ownerId: OwnerId | null;
  network: NetworkName;
  amount: Usdc;
  payees: readonly Address[];
  host: string | null;
  resource: string | null;
  reason: string;
  mandate: { id: MandateId; remainingAmount: Usdc; validUntil: Date } | null;
  exceededCap: ExceededCap | null;
  expiresAt: Date | null;
};

export const WINDOWS_IN_WORDS = { "24_hours": "24 hours", "30_days": "30 days" } as const;

const capInWords = ({ limitOf, window, maxAmount, remainingAmount }: ExceededCap, network: NetworkName): string =>
  `It exceeds your limit ${limitOf === "agent" ? "for this agent " : ""}of ${amountInWords(network, maxAmount)} in ${WINDOWS_IN_WORDS[window]}, of which ${formatUsdc(remainingAmount)} is left.`;

/** The domains that know something of a payee: `Subscriber`. */
type Knowing = {
  subscribers: readonly { knownPayee?: (db: Queryable, payee: AskedPayee) => Promise<Partial<PayeeFacts>> }[];
};

/** The summary of a request. `db`: a transaction, where the event that has the summary is written in it. */
export async function summarize({ subscribers }: Knowing, db: Queryable, asked: Asked): Promise<ApprovalSummary> {
  const { kind, words, agentName, ownerId, network, payees, host, resource, mandate, exceededCap } = asked;
  const [address, ...others] = payees;
  const onlyPayee = address !== undefined && others.length === 0 ? address : null;
  const shownHost = host === null ? null : shortHost(host);
  const reason = oneLine(asked.reason);
  const { title, text } = words({
    name: nameInWords(agentName),
    sum: sumInWords(network, asked.amount),
    host: shownHost ?? "an unknown host",
    network,
  });
  return {
    kind,
    title,
    text: exceededCap === null ? text : `${text} ${capInWords(exceededCap, network)}`,
    agentName: oneLine(agentName, NAME_CHARACTERS_MAX),
    amount: asked.amount,
    amountFormatted: formatUsdc(asked.amount),
    currency: "USDC",
    network,
    recipients: payees.length,
    payee: onlyPayee && {
      address: onlyPayee,
      known: ownerId && (await knownOf(subscribers, db, { ownerId, network, address: onlyPayee, resource })),
    },
    host: shownHost,
    resource: resource === null ? null : oneLine(withoutQuery(readableUrl(resource)), URL_CHARACTERS_MAX),
    reason: reason === "" ? null : reason,
    mandate: mandate && {
      mandateId: mandate.id,
      remainingAmount: mandate.remainingAmount,
      remainingAmountFormatted: formatUsdc(mandate.remainingAmount),
      validUntil: mandate.validUntil,
    },
    exceededCap,
    expiresAt: asked.expiresAt,
  };
}

async function knownOf(subscribers: Knowing["subscribers"], db: Queryable, payee: AskedPayee): Promise<PayeeFacts> {
  const facts: PayeeFacts = {
    isFirst: true,
    isInAddressBook: false,
    resemblesKnown: false,
    confirmedBy: null,
    hostHistory: null,
  };
  for (const { knownPayee } of subscribers) if (knownPayee) Object.assign(facts, await knownPayee(db, payee));
  return facts;
}
