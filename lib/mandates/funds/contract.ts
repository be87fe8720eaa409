import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { amount, type Usdc } from "@/lib/core/money";

const AMOUNT_MAX = 2n ** 96n - 1n;
const lowBalance = z.object({ status: z.literal("ok"), threshold: amount });

export const toLowBalance = (threshold: Usdc) => ({ status: "ok" as const, threshold });

export const getLowBalance = endpoint({
  method: "GET",
  path: "/api/wallet/low-balance",
  summary: "The balance below which the owner is notified that little money is left",
  auth: "owner",
  surface: "wallet",
  response: lowBalance,
  errors: {},
});

export const setLowBalance = endpoint({
  method: "POST",
  path: "/api/wallet/low-balance",
  summary: "Set this balance; 0 ends these notices",
  auth: "owner",
  surface: "wallet",
  body: z.object(
    { threshold: amount.refine((value) => value <= AMOUNT_MAX, "must be at most 2^96-1") },
    "must be an object",
  ),
  response: lowBalance,
  errors: {},
});
