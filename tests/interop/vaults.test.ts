import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { registerExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, http, publicActions } from "viem";
import { base } from "viem/chains";
import { beforeAll, describe, expect, test } from "vitest";
import { settle, verify } from "x402/facilitator";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import type { Terms } from "@/lib/vaults/terms";
import { vaultAddress } from "@/lib/vaults/terms";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { requirementV1, requirementV2 } from "@/lib/x402/requirement";
import { shareService } from "../support/service";
import { freshAddress } from "../support/system";
import { AGENT, FUNDS, listOf, OTHER, OWNER, vaultsOf } from "../support/vaults";

/** Facilitators of others settle payments of vaults as they settle any payment of scheme `exact`: they know nothing of vaults. */
const AMOUNT = 250_000n;
const RESOURCE = "https://api.example.com/weather";
const service = shareService();
let on: ReturnType<typeof vaultsOf>;

beforeAll(async () => {
  on = vaultsOf(service.world);
  await service.world.mint(on.addressOf(OWNER), 20n * FUNDS);
});

type Verdict = { isValid: boolean; isSettled?: boolean };
type Signed = Parameters<typeof on.payment>[1] & { amount?: bigint };
type Proof = ReturnType<typeof payloadOf>;
type Facilitator = (payTo: Address, proof: Proof) => Promise<Verdict>;

function payloadOf(of: Terms, payTo: Address, { amount = AMOUNT, ...change }: Signed) {
  const now = BigInt(on.now());
  const authorization = on.authorizationOf(vaultAddress(of), payTo, amount, { validBefore: now + 60n });
  return { signature: on.payment(authorization, change), authorization: toWireAuthorization(authorization) };
}

const requirementOf = (payTo: Address) => ({
  ...({ network: "base", amount: toUsdc(AMOUNT), payTo, resource: RESOURCE, description: "Weather" } as const),
});

/** A facilitator's own key, and what it needs of viem. */
function wallet() {
  const account = on.account(5);
  return createWalletClient({
    account,
    chain: base,
    transport: http(service.world.rpc.base),
    pollingInterval: 50,
  }).extend(publicActions);
}

function facilitator(): x402Facilitator {
  const client = wallet();
  const made = new x402Facilitator();
  // Its type declarations use another copy of viem.
  const signer = toFacilitatorEvmSigner({ ...client, address: client.account.address } as never);
  registerExactEvmScheme(made, { signer, networks: "eip155:8453" });
  return made;
}

async function both(of: x402Facilitator, payload: object, requirement: object): Promise<Verdict> {
  const { isValid } = await of.verify(payload as never, requirement as never);
  if (!isValid) return { isValid };
  return { isValid, isSettled: (await of.settle(payload as never, requirement as never)).success };
}

const FACILITATORS: Record<string, Facilitator> = {
  "x402 1.2.0, v1": async (payTo, payload) => {
    const client = wallet() as never;
    const proof = { x402Version: 1, scheme: "exact", network: "base", payload } as const;
    const { isValid } = await verify(client, proof, requirementV1(requirementOf(payTo)));
    if (!isValid) return { isValid };
    return { isValid, isSettled: (await settle(client, proof, requirementV1(requirementOf(payTo)))).success };
  },
  "@x402/evm 2.27, v1": (payTo, payload) =>
    both(
      facilitator(),
      { x402Version: 1, scheme: "exact", network: "base", payload },
      requirementV1(requirementOf(payTo)),
    ),
  "@x402/evm 2.27, v2": (payTo, payload) => {
    const accepted = requirementV2(requirementOf(payTo));
    return both(facilitator(), { x402Version: 2, resource: { url: RESOURCE }, accepted, payload }, accepted);
  },
};

describe.each(Object.entries(FACILITATORS))("the facilitator %s", (_, run) => {
  async function pays(of: Terms, payTo: Address, signed: Signed = {}): Promise<void> {
    await on.funded(of);
    expect(await run(payTo, payloadOf(of, payTo, signed))).toEqual({ isValid: true, isSettled: true });
    expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  }

  test("settles a payment from a vault", () => pays(on.terms(), freshAddress()));

  test("settles a payment from a vault with a cap per payment and a release schedule", () => {
    const release = { amount: toUsdc(AMOUNT), seconds: 86_400 };
    return pays(on.terms({ perPayment: toUsdc(AMOUNT), release, start: on.now() - 60 }), freshAddress());
  });

  test("settles a payment from a vault whose agent signs too", () =>
    pays(on.terms({ agent: on.addressOf(AGENT) }), freshAddress(), { agent: AGENT }));

  test("settles a payment from a vault to a listed payee", () => {
    const payTo = freshAddress();
    const list = listOf(payTo, ...Array.from({ length: 7 }, freshAddress));
    return pays(on.terms({ payees: list.root }), payTo, { proof: list.proofOf(payTo) ?? [] });
  });

  test("settles a payment to a listed payee from a vault whose agent signs too", () => {
    const payTo = freshAddress();
    const list = listOf(payTo, freshAddress());
    const of = on.terms({ payees: list.root, agent: on.addressOf(AGENT) });
    return pays(of, payTo, { agent: AGENT, proof: list.proofOf(payTo) ?? [] });
  });

  test("refuses what the vault refuses, and payments from a vault that is not open", async () => {
    const of = on.terms({ agent: on.addressOf(AGENT), perPayment: toUsdc(AMOUNT) });
    const payTo = freshAddress();
    expect((await run(payTo, payloadOf(of, payTo, { agent: AGENT }))).isValid).toBe(false);
    await on.funded(of);
    for (const signed of [{}, { agent: OTHER }, { agent: AGENT, by: OTHER }, { agent: AGENT, amount: AMOUNT + 1n }]) {
      expect((await run(payTo, payloadOf(of, payTo, signed))).isValid).toBe(false);
    }
    expect(await service.world.balanceOf(toAddress(payTo))).toBe(0n);
  });
});
