import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";

export const getSignInNonce = endpoint({
  method: "GET",
  path: "/api/siwe/nonce",
  summary: "A nonce for one EIP-4361 sign-in within ten minutes",
  auth: "none",
  surface: "wallet",
  limitPerAddress: "nonce_per_address",
  response: z.object({ nonce: z.string() }),
  errors: {},
});
