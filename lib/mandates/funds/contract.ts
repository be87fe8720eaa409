import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { amount, type Usdc } from "@/lib/core/money";
import * as sample from "@/lib/samples";

const AMOUNT_MAX = 2n ** 96n - 1n;
const lowBalance = z.object({ status: z.literal("ok"), threshold: amount });

export const toLowBalance = (threshold: Usdc) => ({ status: "ok" as const, threshold });

export const getLowBalance = endpoint({
  method: "GET",
  path: "/api/wallet/low-balance",
  summary: "The balance below which the owner is notified that little money is left",
  description:
    "Of a spending wallet, or of the vault of a mandate: `wallet.low` or `vault.low` follows when a payment leaves less than this, and less than a mandate may still spend. Once, until there is this much again.",
  auth: "owner",
  surface: "wallet",
  response: lowBalance,
  errors: {},
  example: { responses: { 200: { ...sample.OK, threshold: "5000000" } } },
});

export const setLowBalance = endpoint({
  method: "POST",
  path: "/api/wallet/low-balance",
  summary: "Set this balance; 0 ends these notices",
  description: "It only decides when the owner is told. It limits no payment.",
  auth: "owner",
  surface: "wallet",
  body: z.object(
    { threshold: amount.refine((value) => value <= AMOUNT_MAX, "must be at most 2^96-1") },
    "must be an object",
  ),
  response: lowBalance,
  errors: {},
  example: { request: { threshold: "5000000" }, responses: { 200: { ...sample.OK, threshold: "5000000" } } },
});
