import { batchedOn } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import { NETWORKS } from "@/lib/x402/networks";
import { isSameProof, type SignedAuthorization } from "./rules";
import { authorizationFinder, type Settlement } from "./store";

/** `isSame`: the settlement has exactly this authorization and signature. Otherwise it has another one with the same nonce. */
export type Earlier = { isSame: boolean; settlement: Settlement };

/** The settlement claimed with this payer and nonce, or null. Every lookup of an earlier settlement goes through here. */
export async function findEarlier({ db }: Pick<System, "db">, signed: SignedAuthorization): Promise<Earlier | null> {
  const { network, authorization } = signed;
  const key = { network, asset: NETWORKS[network].usdc, payer: authorization.from, nonce: authorization.nonce };
  const settlement = await findByAuthorization(db, key);
  return settlement && { isSame: isSameProof(settlement, signed), settlement };
}

const findByAuthorization = batchedOn(authorizationFinder);
