import { z } from "zod";
import { type Address, ZERO_ADDRESS } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { endpoint, type Reply, reply } from "@/lib/core/endpoint";
import type { SettlementId } from "@/lib/core/ids";
import { amount, formatUsdc, positiveAmount, toUsdc, type Usdc } from "@/lib/core/money";
import * as sample from "@/lib/samples";
import { screeningErrors } from "@/lib/screening/errors";
import { settlementErrors, transferErrors } from "@/lib/settlements/errors";
import type { SettlementState } from "@/lib/settlements/tables";
import { readAuthorization } from "@/lib/x402/authorization";
import { CONTRACT_DOMAIN_TYPE, typesView } from "@/lib/x402/domain-type";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { authorizationWire, signatureHex } from "@/lib/x402/schema";
import { walletErrors } from "./errors";

const ok = z.literal("ok");
const table = walletErrors.table;
const { PAYMENT_NOT_OVER_YET, PAYER_OVER_GAS_BUDGET, TOO_MANY_CONTRACT_PAYMENTS } = settlementErrors.table;

const walletItem = z.object({
  network: z.enum(NETWORK_NAMES),
  label: z.string(),
  chainId: z.int(),
  address: addressText,
  /** null while the network's chain does not respond. */
  balance: amount.nullable(),
  balanceFormatted: z.string().nullable(),
  explorerUrl: z.string(),
});

export type WalletItem = z.output<typeof walletItem>;

const movementExample = {
  ...sample.OK,
  settlementId: sample.SETTLEMENT,
  settlementStatus: "settled",
  txHash: sample.TX_HASH,
  amount: "1000000",
};

const movementResponsesExample = {
  200: movementExample,
  202: { ...movementExample, settlementStatus: "pending", txHash: null },
};

const depositExample = {
  from: sample.OWNER,
  to: sample.WALLET,
  value: "1000000",
  validAfter: "0",
  validBefore: String(sample.SOON_SECONDS),
  nonce: sample.NONCE,
};

export const getWallet = endpoint({
  method: "GET",
  path: "/api/wallet",
  work: 100,
  summary: "The owner's spending wallets. A balance is null while its chain does not respond",
  description: "Send USDC to the `address` of a network to fund it, or use a deposit, which costs no gas.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, owner: addressText, wallets: z.array(walletItem) }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        owner: sample.OWNER,
        wallets: [
          {
            network: sample.NETWORK,
            label: "Base",
            chainId: 8453,
            address: sample.WALLET,
            balance: "12500000",
            balanceFormatted: "12.50",
            explorerUrl: `https://basescan.org/address/${sample.WALLET}`,
          },
        ],
      },
    },
  },
});

export const getBalance = endpoint({
  method: "GET",
  path: "/api/networks/{network}/balances/{address}",
  work: 60,
  summary: "The USDC balance of any address; null while the chain does not respond",
  description:
    "The checkout page shows it to a payer. Anybody may ask for any address. `code=true` asks in addition whether the address is a contract.",
  auth: "none",
  surface: "wallet",
  params: z.object({ network: networkText, address: addressText }),
  query: z.object({ code: z.literal("true", "must be true, or missing").optional() }),
  response: z.object({
    status: ok,
    network: z.enum(NETWORK_NAMES),
    address: addressText,
    balance: amount.nullable(),
    balanceFormatted: z.string().nullable(),
    /** With `code=true`: whether the address has code, as a deployed smart account has. */
    hasCode: z.boolean().nullable().optional(),
    /** With `code=true`: whether an account without code can pay, if the service calls its factory (ERC-6492). */
    takesUndeployed: z.boolean().optional(),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        network: sample.NETWORK,
        address: sample.OWNER,
        balance: "12500000",
        balanceFormatted: "12.50",
      },
    },
  },
});

export const getDepositTypedData = endpoint({
  method: "GET",
  path: "/api/wallet/deposits/typed-data",
  summary: "The EIP-712 typed data to sign for a gasless deposit. Send its message as `authorization`",
  description:
    "Sign it with the owner's own wallet, then send the message and the signature to `POST /api/wallet/deposits`. It moves nothing.",
  auth: "owner",
  surface: "wallet",
  query: z.object({ network: networkText.default(DEFAULT_NETWORK), amount: positiveAmount }),
  response: z.object({
    domain: z.object({ name: z.string(), version: z.string(), chainId: z.int(), verifyingContract: z.string() }),
    types: typesView("TransferWithAuthorization", CONTRACT_DOMAIN_TYPE),
    primaryType: z.literal("TransferWithAuthorization"),
    message: z.object({
      from: z.string(),
      to: z.string(),
      value: z.string(),
      validAfter: z.string(),
      validBefore: z.string(),
      nonce: z.string(),
    }),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: sample.USDC },
        types: {
          EIP712Domain: CONTRACT_DOMAIN_TYPE,
          TransferWithAuthorization: [
            { name: "from", type: "address" },
            { name: "to", type: "address" },
            { name: "value", type: "uint256" },
            { name: "validAfter", type: "uint256" },
            { name: "validBefore", type: "uint256" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "TransferWithAuthorization",
        message: depositExample,
      },
    },
  },
});

const movement = z.object({
  status: ok,
  settlementId: z.string(),
  settlementStatus: z.enum(["settled", "pending"]),
  txHash: z.string().nullable(),
  amount,
});

export type MovementAnswer = z.output<typeof movement>;

/** A transfer's outcome. While it is not known (202), read GET /api/settlements/{settlementId} later. */
export const movementResponses = { 200: movement, 202: movement } as const;

export const createDeposit = endpoint({
  method: "POST",
  path: "/api/wallet/deposits",
  summary:
    "Move USDC from the owner's own wallet to their spending wallet; the service pays the gas. 202 while it is pending",
  description:
    "The body is the message of the typed data and its signature. It pays the owner's own spending wallet only. After a 202 read `GET /api/settlements/{settlementId}`; the same authorization is never taken twice.",
  auth: "owner",
  surface: "wallet",
  body: z.object({
    network: networkText,
    authorization: authorizationWire.transform(readAuthorization),
    signature: signatureHex,
  }),
  response: movementResponses,
  errors: {
    wrong_payer: table.wrong_payer,
    wrong_payee: table.wrong_payee,
    authorization_expired: table.authorization_expired,
    authorization_too_long: table.authorization_too_long,
    authorization_not_yet_valid: table.authorization_not_yet_valid,
    amount_too_small: table.amount_too_small,
    invalid_signature: table.invalid_signature,
    settlement_failed: table.settlement_failed,
    PAYMENT_NOT_OVER_YET,
    PAYER_OVER_GAS_BUDGET,
    TOO_MANY_CONTRACT_PAYMENTS,
    ...screeningErrors.table,
    ...transferErrors,
  },
  example: {
    request: { network: sample.NETWORK, authorization: depositExample, signature: sample.SIGNATURE },
    responses: movementResponsesExample,
  },
});

export const createWithdrawal = endpoint({
  method: "POST",
  path: "/api/wallet/withdrawals",
  summary: "Move USDC from the spending wallet to the owner's sign-in address; everything if amount is omitted",
  description:
    "The owner's way out, which needs no signature because the money can only go to their own address. What is reserved for transfers under way stays. To pay somebody else, create a payout.",
  auth: "owner",
  surface: "wallet",
  body: z.object({
    network: networkText,
    amount: positiveAmount.optional(),
    /** Optional check: any address other than the owner's own is refused. */
    toAddress: addressText.optional(),
  }),
  response: movementResponses,
  errors: {
    not_own_address: table.not_own_address,
    nothing_to_withdraw: table.nothing_to_withdraw,
    insufficient_balance: table.insufficient_balance,
    settlement_failed: table.settlement_failed,
    ...transferErrors,
  },
  example: { request: { network: sample.NETWORK, amount: "1000000" }, responses: movementResponsesExample },
});

const FAUCET_MAX = toUsdc(1_000_000_000_000n);
const FAUCET_DEFAULT = toUsdc(100_000_000n);

export const mintTestDollars = endpoint({
  method: "POST",
  path: "/api/devnet/faucet",
  summary: "Mint test USDC on the local chain (devnet only)",
  description:
    "On a devnet only; everywhere else it is 404. The money is worth nothing. Without `amount` it is 100 USDC.",
  auth: "none",
  surface: "wallet",
  limitPerAddress: "faucet_per_address",
  work: 20,
  body: z.object({
    address: addressText.refine((address) => address !== ZERO_ADDRESS, "must not be the zero address"),
    amount: positiveAmount
      .refine((value) => value <= FAUCET_MAX, "must be at most 1000000000000")
      .default(FAUCET_DEFAULT),
    network: networkText.default(DEFAULT_NETWORK),
  }),
  response: z.object({ status: ok, txHash: z.string(), balance: amount }),
  errors: { not_found: table.not_found },
  example: {
    request: { address: sample.OWNER, amount: "100000000" },
    responses: { 200: { ...sample.OK, txHash: sample.TX_HASH, balance: "100000000" } },
  },
});

const { body: _, ...bodiless } = mintTestDollars;

export const noFaucet = endpoint(bodiless);

/** 200 once settled, 202 while it is pending. */
export function toMovementReply(settlement: {
  id: SettlementId;
  state: SettlementState;
  txHash: string | null;
  amount: Usdc;
}): Reply<200 | 202, MovementAnswer> {
  const isSettled = settlement.state === "settled";
  const body: MovementAnswer = {
    status: "ok",
    settlementId: settlement.id,
    settlementStatus: isSettled ? "settled" : "pending",
    txHash: settlement.txHash,
    amount: settlement.amount,
  };
  return isSettled ? reply(200, body) : reply(202, body, { headers: { "Retry-After": "2" } });
}

/** `code`: undefined if not requested. */
export const toBalanceResponse = (
  { network, address }: { network: NetworkName; address: Address },
  balance: Usdc | null,
  code?: { hasCode: boolean | null; takesUndeployed: boolean },
) => ({
  status: "ok" as const,
  network,
  address,
  balance,
  balanceFormatted: balance === null ? null : formatUsdc(balance),
  ...code,
});

export function toWalletItem(address: Address, network: NetworkName, balance: Usdc | null): WalletItem {
  const { label, chainId, explorer } = NETWORKS[network];
  return {
    network,
    label,
    chainId,
    address,
    balance,
    balanceFormatted: balance === null ? null : formatUsdc(balance),
    explorerUrl: `${explorer}/address/${address}`,
  };
}
