import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HDAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import type { FacilitatorKeyId, OwnerId, SettlementId } from "@/lib/core/ids";
import { unixSeconds } from "@/lib/core/time";
import { facilitatorPayments } from "@/lib/facilitator/tables";
import { decline } from "@/lib/settlements/observer/endings";
import { type Claim, settle } from "@/lib/settlements/service";
import { ADMISSION_BLOCKS_MAX, type SettlementState } from "@/lib/settlements/tables";
import { RESOURCE, type SellerKey } from "../support/facilitator";
import { lieAbout } from "../support/lying-node";
import { ADMITTING, openPlaces, type PaymentPlace, PLACES } from "../support/payment-places";
import { observerHasRead, until } from "../support/replica";
import { runService } from "../support/service";
import { YES } from "../support/sign-in";
import { claimFrom, freshAddress, randomNonce } from "../support/system";
import { submitDirectly } from "../support/token";

// Every attack on a proof, at every place that accepts payments. One function decides what a proof is
// (lib/settlements/admission.ts), so a place that is missing here fails the first tests.

const service = runService();
let places: Map<string, PaymentPlace>;
let key: SellerKey;
/** A contract that accepts every signature. */
let wallet: Address;

const payer = (): HDAccount => service.payer();

beforeAll(async () => {
  await service.restart({ MIN_CONTRACT_PAYMENT: "1", SETTLE_WAIT_SECONDS: "55" });
  ({ places, key } = await openPlaces(payer()));
  wallet = freshAddress();
  await service.world.client().setCode({ address: wallet, bytecode: YES });
  await service.world.mint(wallet, 1_000_000_000n);
  await service.world.mint(toAddress(payer().address), 1_000_000_000n, "base-sepolia");
});

function placeOf(name: string): PaymentPlace {
  const match = places.get(name);
  if (!match) throw new Error(`nobody attacks ${name}: add it to tests/support/payment-places.ts`);
  return match;
}

type Change = Parameters<typeof claimFrom>[3];
const fitting = ({ payTo, amount }: PaymentPlace, change: Change = {}) => claimFrom(payer(), payTo, amount, change);

const PLACE_VERIFY = "POST /facilitator/verify";
const PLACE_SETTLE = "POST /facilitator/settle";

describe("the places that accept payments", () => {
  const files = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
      .map((name) => join(folder, name));
  const sources = [...files("lib"), ...files("app")].map((name) => ({ name, text: readFileSync(name, "utf8") }));
  const calling = (call: RegExp) => sources.filter(({ text }) => call.test(text)).map(({ name }) => name);

  test("are all in this test's table: every endpoint that declares a 402, and every file that calls admit()", () => {
    const asking = calling(/\badmit\(/).filter((name) => name !== "lib/settlements/admission.ts");
    expect(asking.sort()).toEqual(Object.keys(ADMITTING).sort());
    expect([...places.keys()].sort()).toEqual([...PLACES].sort());
  });

  test("verify proofs and look up their settlements only through the admission", () => {
    const own = ["lib/settlements/admission.ts", "lib/settlements/service.ts"];
    expect(calling(/\bisSignedByPayer\(/).sort()).toEqual(own);
    expect(calling(/\bfindEarlier\(/).sort()).toEqual([...own, "lib/settlements/earlier.ts"].sort());
    expect(calling(/\bauthorizationFinder\b/).sort()).toEqual([
      "lib/settlements/earlier.ts",
      "lib/settlements/store.ts",
    ]);
  });
});

/** Claims as the facilitator does for a seller's key, without waiting and without an admission. */
async function claimDirectly(claim: Claim): Promise<SettlementId> {
  const { system, sql } = service.opened;
  const [owner] = await sql`select owner_id from facilitator_keys where id = ${key.keyId}`;
  const ownerId = owner?.owner_id as OwnerId;
  const keyId = key.keyId as FacilitatorKeyId;
  const sale = { purpose: "facilitator", subject: keyId, ownerId, resource: RESOURCE, description: "Weather" } as const;
  const alongside: Claim["alongside"] = async (tx, settlementId) => {
    const row = { settlementId, keyId, ownerId, x402Version: 2 as const, createdAt: new Date() };
    await tx.insert(facilitatorPayments).values(row);
  };
  return (await settle(system, { ...claim, ...sale, alongside }, 0)).id;
}

const stateOf = async (id: SettlementId) =>
  (await service.opened.sql`select state from settlements where id = ${id}`)[0]?.state;

/** What else the payer signed with the nonce of a proof that the place would accept, and that proof. */
type Conflict = (place: PaymentPlace) => { first: Claim; second: Claim };

const withNonce =
  (changeOf: (place: PaymentPlace) => Change): Conflict =>
  (at) => {
    const nonce = randomNonce();
    return { first: fitting(at, { ...changeOf(at), nonce }), second: fitting(at, { nonce }) };
  };

const CONFLICTS: Record<string, Conflict> = {
  "another payee": withNonce(() => ({ to: freshAddress() })),
  "another amount": withNonce(() => ({ value: 1n as never })),
  "another window": withNonce(() => ({ windowSeconds: 900 })),
  "another beginning": withNonce(() => ({ validAfter: 0n })),
  "another signature": (at) => {
    const proof = fitting(at, { from: wallet });
    return { first: proof, second: { ...proof, signature: `${proof.signature}00` } };
  },
};

/** Brings claimed payments into a state, with the jobs stopped before. */
const STATES: Record<string, { state: SettlementState; reach: (ids: SettlementId[]) => Promise<void> }> = {
  "is pending": { state: "claimed", reach: async () => {} },
  "is settled": {
    state: "settled",
    reach: async (ids) => {
      service.workers.start();
      for (const id of ids) await until(async () => (await stateOf(id)) === "settled", "a settlement", 60);
      await service.workers.stop();
    },
  },
  "was declined": {
    state: "declined",
    reach: async (ids) => {
      const { db } = service.opened.system;
      await db.transaction((tx) => decline(tx, ids, "INSUFFICIENT_FUNDS", new Date()));
    },
  },
  "is void": {
    state: "void",
    // The payer's clock ran out: the chain would take the second authorization.
    reach: async (ids) => {
      service.workers.start();
      for (const id of ids)
        await until(
          async () => {
            if ((await stateOf(id)) !== "void") await service.world.mine(2);
            return (await stateOf(id)) === "void";
          },
          "the end",
          60,
        );
      await service.workers.stop();
    },
  },
};

const expired = (claim: Claim): Claim =>
  claimFrom(payer(), claim.authorization.to, claim.authorization.value, {
    from: claim.authorization.from,
    nonce: claim.authorization.nonce,
    validBefore: BigInt(unixSeconds(new Date()) - 30),
  });

describe.each(Object.entries(STATES))(
  "when an earlier proof with the same nonce signed something else, and its settlement %s, the second proof",
  (_, { state, reach }) => {
    const second = new Map<string, Claim>();
    const nameOf = (at: string, reason: string) => `${at} ${reason}`;
    const payees = () => [...places.values()].map(({ payTo }) => service.world.balanceOf(payTo as Address));

    beforeAll(async () => {
      await service.workers.stop();
      const ids: SettlementId[] = [];
      for (const at of places.values()) {
        for (const [reason, conflict] of Object.entries(CONFLICTS)) {
          const signed = conflict(at);
          second.set(nameOf(at.name, reason), signed.second);
          ids.push(await claimDirectly(state === "void" ? expired(signed.first) : signed.first));
        }
      }
      await reach(ids);
      for (const id of ids) expect(await stateOf(id)).toBe(state);
      return async () => {
        service.workers.start();
        for (const id of ids)
          await until(async () => !["claimed", "prepared", "broadcast"].includes(await stateOf(id)), "the end", 60);
      };
    });

    test.each(PLACES)("buys nothing at %s", async (name) => {
      const before = await Promise.all(payees());
      const verdicts: Record<string, string> = {};
      for (const reason of Object.keys(CONFLICTS)) {
        const proof = second.get(nameOf(name, reason)) as Claim;
        verdicts[reason] = await placeOf(name).present(proof);
      }
      // A deposit comes from its owner's own account alone.
      const ofWallet = name.endsWith("/deposits") ? "refused" : "used";
      expect(verdicts).toEqual({
        ...Object.fromEntries(Object.keys(CONFLICTS).map((reason) => [reason, "used"])),
        "another signature": ofWallet,
      });
      expect(await Promise.all(payees())).toEqual(before);
    });
  },
);

describe.each(PLACES)("the payment admission at %s", (name) => {
  const present = (claim: Claim) => placeOf(name).present(claim);
  const received = () => service.world.balanceOf(placeOf(name).payTo as Address);

  test("sells once for a proof that is presented four times at once, and nothing later", async () => {
    const proof = fitting(placeOf(name));
    const balanceBefore = await received();
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => present(proof)));
    if (name === PLACE_VERIFY) {
      expect(verdicts).toEqual(["valid", "valid", "valid", "valid"]);
      return;
    }
    expect(verdicts.toSorted()).toEqual(["paid", "used", "used", "used"]);
    // A seller of the facilitator that repeats its request has lost the response.
    expect(await present(proof)).toBe(name === PLACE_SETTLE ? "paid" : "used");
    expect((await received()) - balanceBefore).toBe(placeOf(name).amount);
  });

  test("sells nothing for a proof that another place sells for, at the same moment or later", async () => {
    const others = PLACES.filter((other) => other !== name && other !== PLACE_VERIFY);
    for (const other of others.slice(0, 2)) {
      const proof = fitting(placeOf(other));
      const both = await Promise.all([placeOf(other).present(proof), present(proof)]);
      expect(both.filter((verdict) => verdict === "paid")).toHaveLength(1);
      if (both[0] === "paid") expect(["used", "refused"]).toContain(await present(proof));
    }
  });

  test("refuses a signature with additional bytes", async () => {
    const proof = fitting(placeOf(name));
    const padded: Claim = { ...proof, signature: `${proof.signature}${"00".repeat(64)}` };
    expect(await present(padded)).toBe("refused");
    if (name !== PLACE_VERIFY) expect(await present(proof)).toBe("paid");
    expect(await present(padded)).toBe("refused");
  });

  test("refuses a proof of another network", async () => {
    const proof = fitting(placeOf(name), { network: "base-sepolia" });
    expect(await present({ ...proof, network: "base" })).toBe("refused");
  });

  test("accepts a proof that its own node submits and then reports as used", async () => {
    const proof = fitting(placeOf(name));
    const { world } = service;
    const liar = lieAbout(world, toAddress(payer().address), "FiatTokenV2: authorization is used or canceled");
    const { faults } = world.node();
    const lie = faults.refuses.get("eth_call");
    faults.answers.delete("eth_call");
    let submitted: Promise<void> | undefined;
    faults.refuses.set("eth_call", async (params) => {
      const response = (await lie?.(params)) ?? null;
      if (liar.wasShown()) submitted ??= liar.submit();
      // While Anvil adds a block, it answers for the one before with the new state.
      await submitted;
      return response;
    });
    const verdict = await present(proof);
    world.node().heal();
    expect(submitted).toBeDefined();
    if (name === PLACE_VERIFY) return expect(verdict).toBe("valid");
    expect(["paid", "pending"]).toContain(verdict);
    const { nonce } = proof.authorization;
    const row = async () =>
      (await service.opened.sql`select state, failure_code from settlements where nonce = ${nonce}`)[0];
    await until(async () => (await row())?.state === "settled", "the settlement", 60);
  });

  test("refuses a proof that was used before it was presented, even in a block that the observer has not read", async () => {
    const proof = fitting(placeOf(name));
    const { nonce } = proof.authorization;
    const claims = () => service.opened.sql`select 1 from settlements where nonce = ${nonce}`;
    await service.workers.stop();
    try {
      // Whoever reads the block has the proof.
      await submitDirectly(service.world, proof);
      // A seller of the facilitator hears that it is over once no request under way can claim it.
      expect(await present(proof)).toBe(name === PLACE_SETTLE ? "pending" : "used");
      expect(await claims()).toHaveLength(0);
    } finally {
      service.workers.start();
    }
    await service.world.mine(2 * ADMISSION_BLOCKS_MAX);
    await observerHasRead(service);
    expect(await present(proof)).toBe("used");
    expect(await claims()).toHaveLength(0);
  });

  test("refuses a proof that a stranger has submitted before", async () => {
    const proof = fitting(placeOf(name));
    await submitDirectly(service.world, proof);
    await service.world.mine(2 * ADMISSION_BLOCKS_MAX);
    await observerHasRead(service);
    expect(await present(proof)).toBe("used");
    const { nonce } = proof.authorization;
    expect(await service.opened.sql`select 1 from settlements where nonce = ${nonce}`).toHaveLength(0);
  });
});
