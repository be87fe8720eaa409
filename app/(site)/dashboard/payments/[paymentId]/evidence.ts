import type { Evidence } from "@/components/payments/made/evidence";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { unixSeconds } from "@/lib/core/time";
import { signReceipt } from "@/lib/identity/service";
import type { OwnedMandate } from "@/lib/mandates/service";
import type { AgentPayment } from "@/lib/payments/history";
import { receiptOf } from "@/lib/settlements/contract";
import * as settlements from "@/lib/settlements/service";
import { authorizationTypedData } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { reviewed } from "../../../authorize/mandate/[mandateId]/page-state";
import type { OwnerContext } from "../../../context";

/** The stored evidence that the browser verifies. */
export async function evidenceOf(
  ctx: OwnerContext,
  { payment: p, settlementId }: AgentPayment,
  mandate: OwnedMandate | null,
): Promise<Evidence> {
  const settlement = settlementId === null ? null : await settlements.get(ctx, settlementId);
  const claims = settlement && receiptOf(settlement, ctx.config.baseUrl);
  const { chainId, label, usdc } = NETWORKS[p.network];
  const { payer: from, payee: to, amount: value, validAfter, validBefore, nonce } = p;
  const typedData = authorizationTypedData(p.network, { from, to, value, validAfter, validBefore, nonce });
  return {
    chainId,
    label,
    usdc,
    host: p.host,
    defaultPort: p.resource.startsWith("http:") ? "80" : "443",
    payment: { from, to, value: value.toString(), nonce, signedAt: unixSeconds(p.createdAt) },
    mandate: mandate && (await signedMandate(ctx, mandate)),
    authorization: { payer: from, typedData, signature: settlement?.signature ?? null },
    txHash: p.txHash,
    receipt: claims && (await signReceipt(ctx, claims)),
  };
}

async function signedMandate(ctx: OwnerContext, mandate: OwnedMandate): Promise<Evidence["mandate"]> {
  const { mandateHash, signature, ownerAddress } = mandate;
  if (!mandateHash || !signature || !ownerAddress) return null;
  const { typedData, shown: signedVault } = await reviewed(ctx, mandate);
  const signed: TypedDataPayload = typedData;
  const isFunding = signed.primaryType !== "SpendingMandate";
  return {
    owner: ownerAddress,
    hash: `0x${mandateHash.replace(/^0x/, "")}`,
    signature,
    typedData: isFunding && signedVault ? signedVault.draft.mandate : signed,
    funding: isFunding ? signed : null,
  };
}
