import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import type { Address } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { recoveryErrors } from "./errors";
import { amountText, type Recovery } from "./rules";
import type { Astray, Holding } from "./service";

const { table } = recoveryErrors;
const units = z.string().describe("In the smallest units of ETH or of the token");
const unitsFormatted = z
  .string()
  .describe("In whole units; in the smallest ones for a token that does not say how many decimals it has");
const symbol = z.string().nullable().describe("What the token calls itself. Anybody can make a token with any name");

const holding = z.object({
  token: addressText.describe("The token's contract"),
  symbol,
  amount: units,
  amountFormatted: unitsFormatted,
  isKnown: z
    .boolean()
    .describe("Whether the service knows the token; if not, all that is said of it are its own words"),
});

export const recoveryView = z.object({
  recoveryId: id("recovery").describe("Id of the recovery"),
  network: z.enum(NETWORK_NAMES),
  token: addressText.nullable().describe("The token's contract; null for ETH"),
  symbol,
  amount: units,
  amountFormatted: unitsFormatted,
  toAddress: addressText.describe("The owner's own address"),
  outcome: z
    .enum(["under_way", "arrived", "failed", "unclear"])
    .describe("unclear: the transaction went through, but the token's own balances do not show that anything arrived"),
  lacksGas: z.boolean().describe("Whether it waits for more ETH at the wallet"),
  receivedFormatted: z.string().nullable().describe("What arrived; null unless it did"),
  txHash: z.string().nullable(),
  createdAt: isoDate,
  endedAt: isoDate.nullable(),
});

export type RecoveryView = z.output<typeof recoveryView>;
export type HoldingView = z.output<typeof holding>;

const recoveryExample = {
  recoveryId: sample.RECOVERY,
  network: sample.NETWORK,
  token: null,
  symbol: "ETH",
  amount: "20000000000000000",
  amountFormatted: "0.02",
  toAddress: sample.OWNER,
  outcome: "under_way",
  lacksGas: false,
  receivedFormatted: null,
  txHash: null,
  createdAt: sample.CREATED,
  endedAt: null,
};

export const listRecoveries = endpoint({
  method: "GET",
  path: "/api/wallet/recoveries",
  work: 60,
  summary: "What is at a spending wallet and is not USDC: ETH, tokens, and what was sent to the owner from there",
  description:
    "The wallet is asked for ETH and for a few tokens that are often sent by mistake; `token` asks for one more. Nothing here can be spent by agents.",
  auth: "owner",
  surface: "wallet",
  query: z.object({ network: networkText.default(DEFAULT_NETWORK), token: addressText.optional() }),
  response: z.object({
    status: z.literal("ok"),
    network: z.enum(NETWORK_NAMES),
    address: addressText.describe("The spending wallet"),
    toAddress: addressText.describe("The owner's own address: the only place that anything is sent to"),
    ether: z
      .object({
        amount: units,
        amountFormatted: unitsFormatted,
        sendable: units.describe("What can be sent: without the gas that this costs"),
        sendableFormatted: unitsFormatted,
      })
      .describe("ETH that is there"),
    tokens: z.array(holding).describe("Known tokens that are there"),
    named: holding.nullable().describe("The token that the request names; null if it does not answer like one"),
    recoveries: z.array(recoveryView).describe("The newest that were sent, newest first"),
  }),
  errors: { usdc_not_recovered: table.usdc_not_recovered },
  example: {
    responses: {
      200: {
        ...sample.OK,
        network: sample.NETWORK,
        address: sample.WALLET,
        toAddress: sample.OWNER,
        ether: {
          amount: "20010000000000000",
          amountFormatted: "0.02001",
          sendable: "20000000000000000",
          sendableFormatted: "0.02",
        },
        tokens: [
          {
            token: "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2",
            symbol: "USDT",
            amount: "5000000",
            amountFormatted: "5",
            isKnown: true,
          },
        ],
        named: null,
        recoveries: [],
      },
    },
  },
});

export const createRecovery = endpoint({
  method: "POST",
  path: "/api/wallet/recoveries",
  work: 60,
  summary: "Send all ETH, or all of a token that is not USDC, from a spending wallet to the owner's own address",
  description:
    "Always needs a signature of the owner's wallet: sign the `typedData` of 403 `signature_required` and send the same body with `signature`. The gas is taken from the ETH at the spending wallet. The answer is 202; read `GET /api/wallet/recoveries` for the end.",
  auth: "owner",
  surface: "wallet",
  body: withSignature.extend({
    network: networkText,
    token: addressText.nullable().describe("The token's contract; null for ETH"),
  }),
  response: { 202: z.object({ status: z.literal("ok"), recovery: recoveryView.describe("What is being sent") }) },
  errors: { ...table, ...confirmErrors },
  example: {
    request: { network: sample.NETWORK, token: null },
    responses: { 202: { ...sample.OK, recovery: recoveryExample } },
  },
});

const ETHER_DECIMALS = 18;

export const toHoldingView = ({ token, symbol, decimals, amount, isKnown }: Holding): HoldingView => ({
  token,
  symbol,
  amount: amount.toString(),
  amountFormatted: amountText(amount, decimals),
  isKnown,
});

export function toRecoveryView(r: Recovery): RecoveryView {
  const decimals = r.token === null ? ETHER_DECIMALS : r.decimals;
  return {
    recoveryId: r.id,
    network: r.network,
    token: r.token,
    symbol: r.token === null ? "ETH" : r.symbol,
    amount: r.amount.toString(),
    amountFormatted: amountText(r.amount, decimals),
    toAddress: r.toAddress,
    outcome: r.state === "sent" ? "under_way" : r.state,
    lacksGas: r.lacksGas,
    receivedFormatted: r.received === null ? null : amountText(r.received, decimals),
    txHash: r.txHash,
    createdAt: r.createdAt,
    endedAt: r.endedAt,
  };
}

export const toAstrayView = (network: NetworkName, toAddress: Address, astray: Astray) => ({
  network,
  address: astray.wallet.address,
  toAddress,
  ether: {
    amount: astray.ether.amount.toString(),
    amountFormatted: amountText(astray.ether.amount, ETHER_DECIMALS),
    sendable: astray.ether.sendable.toString(),
    sendableFormatted: amountText(astray.ether.sendable, ETHER_DECIMALS),
  },
  tokens: astray.tokens.map(toHoldingView),
  named: astray.named && toHoldingView(astray.named),
  recoveries: astray.recoveries.map(toRecoveryView),
});
