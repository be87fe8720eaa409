import { unixSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import type { Settlement } from "@/lib/settlements/service";
import type { CallAddress } from "./rules";

/** What the upstream is told of the payment, for `aud`. */
export const paidRequestClaims = (
  { config, now }: System,
  aud: string,
  { id, payer, subject, amount, network }: Pick<Settlement, "id" | "payer" | "subject" | "amount" | "network">,
  { method, path, search }: CallAddress,
) => {
  const iat = unixSeconds(now());
  return {
    iss: config.baseUrl,
    aud,
    iat,
    exp: iat + CLAIMS_SECONDS,
    sub: id,
    payer,
    linkId: subject,
    amount: amount.toString(),
    network,
    method,
    path: `${path}${search}`,
  };
};

const CLAIMS_SECONDS = 120;
