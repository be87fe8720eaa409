import { type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { expect } from "vitest";
import type { Address } from "@/lib/core/address";
import type { Claim } from "@/lib/settlements/service";
import type { Terms as ContractTerms } from "@/lib/vaults/terms";
import type { TestOwner } from "./actors";
import { call } from "./http";
import { type Json, linkedPair, owned, type Parties, proposed, type Terms } from "./mandates";
import { PATIENCE } from "./patience";
import type { World } from "./world";

export type VaultTerms = Terms & {
  vault?: { agentKey?: string; payees?: string[]; release?: { amount: string; seconds: number } };
};
export type Funding = { funding?: "now" | "permit"; amount?: string };

const sign = (owner: TestOwner, typedData: Json) =>
  owner.account.signTypedData(typedData as Parameters<LocalAccount["signTypedData"]>[0]);

export const vaultData = (owner: TestOwner, mandateId: string, { funding = "now", amount }: Funding = {}) =>
  call(
    "GET",
    `/api/mandates/${mandateId}/typed-data?mode=vault&funding=${funding}${amount ? `&amount=${amount}` : ""}`,
    { session: owner.session },
  );

/** The body that signs a mandate with a vault, as a page makes it from the typed data. */
export async function vaultSignatures(owner: TestOwner, mandateId: string, how: Funding = {}): Promise<Json> {
  const { status, body } = (await vaultData(owner, mandateId, how)) as { status: number; body: Json };
  expect({ status, body }).toMatchObject({ status: 200 });
  const mode = "vault";
  if (how.funding === "permit") {
    const { permit, vault: _, ...mandate } = body;
    const [signature, permitSignature] = [await sign(owner, mandate), await sign(owner, permit)];
    return { mode, funding: "permit", signature, permitSignature, deadline: permit.message.deadline };
  }
  const { value: amount, validBefore } = body.message;
  return { mode, funding: "now", signature: await sign(owner, body), amount, validBefore };
}

export async function claimed(terms: VaultTerms = {}, parties?: Parties) {
  const { owner, agent } = parties ?? (await linkedPair());
  const { mandateId, token } = await proposed(agent, terms as Terms);
  await owned(owner, mandateId, "claim", { token });
  return { owner, agent, mandateId };
}

/** A mandate that is signed with a vault; its owner has as much USDC as its limit. */
export async function vaultMandate(world: World, terms: VaultTerms = {}, how: Funding = {}, parties?: Parties) {
  const mandateSetup = await claimed({ limitAmount: "10000000", ...terms }, parties);
  await world.mint(mandateSetup.owner.address, 10_000_000n);
  const mandate = await owned(
    mandateSetup.owner,
    mandateSetup.mandateId,
    "signature",
    await vaultSignatures(mandateSetup.owner, mandateSetup.mandateId, how),
  );
  return { ...mandateSetup, mandate, vault: mandate.vault.address as Address };
}

export const AGENT_KEY = privateKeyToAccount(`0x${"a9".repeat(32)}`);

/** Terms as the API shows them. */
export const termsOf = (wire: Json): ContractTerms => ({
  ...wire,
  limit: BigInt(wire.limit),
  perPayment: wire.perPayment === null ? null : BigInt(wire.perPayment),
  release: wire.release && { ...wire.release, amount: BigInt(wire.release.amount) },
});

/** The claim of a signed response, for submitting it without the service. */
export const claimOf = ({ xPayment: { payload } }: Json): Claim => {
  const { authorization: a, signature } = payload;
  const [value, validAfter, validBefore] = [a.value, a.validAfter, a.validBefore].map(BigInt);
  return { network: "base", authorization: { ...a, value, validAfter, validBefore }, signature } as never;
};

const WAIT_MS = 40_000 * PATIENCE;

/** What `read` returns once it is not null. `description`: what is waited for, and what there was in its place. */
export async function eventually<T>(read: () => Promise<T | null>, description: string | (() => string)): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const found = await read();
    if (found !== null) return found;
    if (Date.now() > deadline)
      throw new Error(`in vain: ${typeof description === "string" ? description : description()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
