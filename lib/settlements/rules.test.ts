import fc from "fast-check";
import { decodeFunctionData, type Hex, zeroHash } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import type { Call } from "@/lib/platform/chain";
import { type Terms, vaultCode } from "@/lib/vaults/terms";
import { MULTICALL3, NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { MULTICALL_ABI, TOKEN_ABI } from "@/lib/x402/token";
import {
  cappedFees,
  decideGroup,
  type FailureCode,
  fitsGasBudget,
  type GroupLeg,
  type GroupState,
  gasCharged,
  gasCharges,
  groupStateOf,
  isSameProof,
  isTimeToSend,
  meaningOf,
  multicall,
  payerKind,
  publicStatus,
  raisedFees,
  stipendOf,
  transferCall,
} from "./rules";
import type { Settlement } from "./store";
import type { SettlementState } from "./tables";

const KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const STRANGER = toAddress(`0x${"5".repeat(40)}`);
const VAULT: Terms = {
  contractVersion: 2,
  token: NETWORKS.base.usdc,
  owner: toAddress(`0x${"6".repeat(40)}`),
  signer: STRANGER,
  agent: null,
  start: 1,
  end: 2,
  limit: toUsdc(1n),
  perPayment: null,
  release: null,
  payees: null,
  mandate: zeroHash,
};
const NOW = new Date("2026-11-20T12:00:00.000Z");

describe("a presented proof is the same as an earlier one", () => {
  const authorization = {
    from: toAddress(privateKeyToAccount(KEY).address),
    to: STRANGER,
    value: toUsdc(5n),
    validAfter: 1n,
    validBefore: 2n,
    nonce: zeroHash,
  };
  const signed = { network: "base", authorization, signature: signAuthorization("base", authorization, KEY) } as const;
  const row = {
    network: "base",
    asset: NETWORKS.base.usdc,
    payer: authorization.from,
    nonce: zeroHash,
    payee: STRANGER,
    amount: toUsdc(5n),
    validAfter: 1n,
    validBefore: 2n,
    signature: signed.signature,
  } as const;

  test("if each field and the signature are equal, in any case of the hexadecimal digits", () => {
    expect(isSameProof(row, signed)).toBe(true);
    expect(isSameProof(row, { ...signed, signature: `0x${signed.signature.slice(2).toUpperCase()}` })).toBe(true);
  });

  test.each<[string, Partial<Settlement>]>([
    ["network", { network: "base-sepolia" }],
    ["asset", { asset: STRANGER }],
    ["payer", { payer: STRANGER }],
    ["payee", { payee: authorization.from }],
    ["amount", { amount: toUsdc(4n) }],
    ["beginning", { validAfter: 0n }],
    ["end", { validBefore: 3n }],
    ["nonce", { nonce: `0x${"1".repeat(64)}` }],
    ["signature", { signature: `${signed.signature}00` }],
  ])("only if it has no other %s", (_, change) => {
    expect(isSameProof({ ...row, ...change }, signed)).toBe(false);
  });
});

describe("a revert message of the token", () => {
  test.each([
    ["FiatTokenV2: authorization is expired", { next: "fail_if_unused", code: "EXPIRED" }],
    ["FiatTokenV2: authorization is not yet valid", { next: "wait" }],
    ["FiatTokenV2: authorization is used or canceled", { next: "look_up" }],
    ["ERC20: transfer amount exceeds balance", { next: "fail", code: "INSUFFICIENT_FUNDS" }],
    ["Blacklistable: account is blacklisted", { next: "fail_if_unused", code: "ACCOUNT_BLOCKED" }],
    ["Pausable: paused", { next: "fail_if_unused", code: "TOKEN_PAUSED" }],
    ["FiatTokenV2: invalid signature", { next: "fail", code: "INVALID_SIGNATURE" }],
    ["ECRecover: invalid signature 's' value", { next: "fail", code: "INVALID_SIGNATURE" }],
    ["ECRecover: invalid signature 'v' value", { next: "fail", code: "INVALID_SIGNATURE" }],
    ["ECRecover: invalid signature length", { next: "fail", code: "INVALID_SIGNATURE" }],
    ["ERC20: transfer to the zero address", { next: "fail", code: "REVERTED" }],
    ["out of gas", { next: "fail", code: "REVERTED" }],
    ["0x08c379a0", { next: "fail", code: "REVERTED" }],
    ["", { next: "fail", code: "REVERTED" }],
  ])("%j is understood", (reason, meaning) => {
    expect(meaningOf(reason)).toEqual(meaning);
  });

  test("always has a meaning, whatever the text", () => {
    fc.assert(fc.property(fc.string(), (reason) => ["fail", "wait", "look_up"].includes(meaningOf(reason).next)));
  });
});

test("a settlement is not failed while its authorization can still move money", () => {
  expect((["claimed", "prepared", "broadcast", "declined", "settled", "void"] as const).map(publicStatus)).toEqual([
    "pending",
    "pending",
    "pending",
    "pending",
    "settled",
    "failed",
  ]);
});

describe("a batch of payments is sent", () => {
  const queue = { waiting: 1, oldest: NOW, inFlight: 1 };

  test.each([
    ["never when nothing waits", { waiting: 0, oldest: null, inFlight: 0 }, 60, false],
    ["immediately when nothing is in flight", { ...queue, inFlight: 0 }, 0, true],
    ["not yet while others are in flight and few wait", queue, 0.1, false],
    ["once the oldest has waited long enough", queue, 0.2, true],
    ["immediately when enough wait", { ...queue, waiting: 25 }, 0, true],
    ["not yet with one less than enough", { ...queue, waiting: 24 }, 0, false],
  ])("%s", (_, state, seconds, isTime) => {
    expect(isTimeToSend(state, addSeconds(NOW, seconds))).toBe(isTime);
  });
});

describe("the gas charged to payers", () => {
  test("is higher when code verifies the signature", () => {
    const of = (code: Hex, payee = STRANGER) => stipendOf(payerKind("base", code, payee));
    expect(of("0x")).toBe(120_000n);
    // The deployment of the account, which no code has paid for yet, comes on top.
    const deployment = { factory: STRANGER, factoryCalldata: "0x" } as const;
    expect(stipendOf(payerKind("base", "0x", STRANGER, deployment))).toBe(900_000n);
    expect(stipendOf(payerKind("base", "0x00", STRANGER, deployment))).toBe(400_000n);
    for (const code of ["0x00", `0xef0100${"11".repeat(20)}`] as const) expect(of(code)).toBe(400_000n);
    // A payment from a vault to its owner may call the owner's own contract.
    const code = vaultCode(VAULT);
    expect(of(vaultCode({ ...VAULT, contractVersion: 1 }))).toBe(of(code));
    expect([of(code), of(code, VAULT.owner), of(vaultCode({ ...VAULT, token: STRANGER }))]).toEqual([
      200_000n,
      400_000n,
      400_000n,
    ]);
  });

  test.each([
    ["moved alone at an ordinary cost", { hasMoved: true, gasUsed: 110_000n, carried: 1 }, 0n],
    ["moved alone at a heavy cost", { hasMoved: true, gasUsed: 300_000n, carried: 1 }, 300_000n],
    ["alone, not moved", { hasMoved: false, gasUsed: 60_000n, carried: 1 }, 60_000n],
    ["moved among others", { hasMoved: true, gasUsed: 9_000_000n, carried: 80 }, 0n],
    ["among others, not moved", { hasMoved: false, gasUsed: 9_000_000n, carried: 80 }, 120_000n],
  ])("for a transfer that %s", (_, transfer, counted) => {
    expect(gasCharged(transfer)).toBe(counted);
  });

  test.each([
    [0n, 0, true],
    [600_000n, 0, true],
    [600_001n, 0, false],
    [0n, 1, true],
    [0n, 2, false],
    [200_001n, 1, false],
  ])("of %i spent with %i payments pending leaves a budget for one more: %s", (spent, underway, fits) => {
    expect(fitsGasBudget(1_000_000n, { spent, underway }, "code")).toBe(fits);
  });

  test.each([
    ["account", 0n, 1_000, true],
    ["account", 880_000n, 0, true],
    ["account", 880_001n, 0, false],
    ["account", 760_001n, 1, false],
    ["vault", 0n, 1_000, true],
    ["vault", 800_000n, 0, true],
    ["vault", 800_001n, 0, false],
  ] as const)(
    "of an %s with %i spent and %i payments pending leaves a budget for one more: %s",
    (kind, spent, underway, fits) => {
      expect(fitsGasBudget(1_000_000n, { spent, underway }, kind)).toBe(fits);
    },
  );

  const row = (change: object) =>
    ({
      payer: VAULT.owner,
      state: "broadcast",
      signatureKind: "ecdsa",
      groupId: null,
      factory: null,
      ...change,
    }) as Settlement;
  const mined = { to: NETWORKS.base.usdc, gasUsed: 60_000n, isShown: () => false, isEmpty: false };

  test("is summed over all transfers of a transaction that did not move", () => {
    const [one, vault] = [row({}), row({ payer: STRANGER, signatureKind: "erc1271" })];
    const charges = gasCharges([one, one, vault, row({ state: "settled" })], mined);
    expect([...charges]).toEqual([
      [VAULT.owner, 240_000n],
      [STRANGER, 200_000n],
    ]);
    const leg = row({ groupId: "stl_1" });
    expect([...gasCharges([leg, leg, leg], mined)]).toEqual([]);
  });

  test("that deployed a payer is charged to it and to its factory, also if the transfer worked", () => {
    const deployed = row({ factory: STRANGER, signatureKind: "erc1271", state: "settled" });
    const charged = [VAULT.owner, STRANGER].map((account) => [account, 60_000n]);
    expect([...gasCharges([deployed], { ...mined, to: MULTICALL3 })]).toEqual(charged);
    // It had code when it was sent.
    expect([...gasCharges([deployed], mined)]).toEqual([]);
  });

  test("for a replaced transaction is charged to nobody, unless it carried only one payment", () => {
    const empty = { ...mined, gasUsed: 21_000n, isEmpty: true };
    expect([...gasCharges([row({}), row({})], empty)]).toEqual([]);
    expect([...gasCharges([row({})], empty)]).toEqual([[VAULT.owner, 21_000n]]);
  });
});

const UNCAPPED = { maxFeePerGas: 10n ** 30n, maxPriorityFeePerGas: 10n ** 30n };

test("no fee exceeds the cap, whatever a node says about the base fee and however often the fee is raised", () => {
  const cap = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 100_000_000n };
  const feesAtBase = (base: bigint) => ({ maxFeePerGas: 2n * base + 1_000_000n, maxPriorityFeePerGas: 1_000_000n });
  // The fee grows by 30 % in each step.
  let base = 5_000_000n;
  let fees = cappedFees(feesAtBase(base), cap);
  let raises = 0;
  for (let next: typeof fees | null = fees; next; raises++) {
    fees = next;
    base = (base * 13n) / 10n;
    next = raisedFees(fees, feesAtBase(base), cap);
  }
  expect(raises).toBeGreaterThan(10);
  expect(fees.maxFeePerGas <= cap.maxFeePerGas && fees.maxPriorityFeePerGas <= cap.maxPriorityFeePerGas).toBe(true);
  expect(cappedFees(feesAtBase(10n ** 15n), cap)).toEqual({ ...cap, maxPriorityFeePerGas: 1_000_000n });
});

test("a replacement raises both fees by at least 10 %, to at least the current fees and at most ten times those", () => {
  const fees = fc.record({
    maxFeePerGas: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    maxPriorityFeePerGas: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  });
  fc.assert(
    fc.property(fees, fees, (before, today) => {
      const raised = raisedFees(before, today, UNCAPPED);
      if (!raised) {
        expect((before.maxFeePerGas * 5n) / 4n + 1n).toBeGreaterThan(today.maxFeePerGas * 10n);
        return;
      }
      expect(raised.maxFeePerGas).toBeLessThanOrEqual(today.maxFeePerGas * 10n);
      for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
        expect(raised[fee] * 10n).toBeGreaterThanOrEqual(before[fee] * 11n);
        expect(raised[fee]).toBeGreaterThan(before[fee]);
        expect(raised[fee]).toBeGreaterThanOrEqual(today[fee]);
      }
    }),
  );
});

const authorization = {
  from: toAddress(privateKeyToAccount(KEY).address),
  to: toAddress("0x209693Bc6afc0C5328bA36FaF03C514EF312287C"),
  value: toUsdc(1_250_000n),
  validAfter: 1n,
  validBefore: 2n ** 256n - 1n,
  nonce: `0x${"07".repeat(32)}` as const,
};
const signature = signAuthorization("base", authorization, KEY);
const settlement = (change: Partial<Settlement> = {}): Settlement => ({
  id: "stl_000000000000000000000000",
  network: "base",
  asset: NETWORKS.base.usdc,
  payer: authorization.from,
  payee: authorization.to,
  amount: authorization.value,
  validAfter: authorization.validAfter,
  validBefore: authorization.validBefore,
  nonce: authorization.nonce,
  signature,
  signatureKind: "ecdsa",
  factory: null,
  factoryCalldata: null,
  lastError: null,
  useNotShownAt: null,
  purpose: "upl",
  agentId: null,
  ownerId: null,
  groupId: null,
  subject: "x",
  resource: "",
  description: "",
  state: "claimed",
  signer: null,
  relayerNonce: null,
  claimedAtBlock: 0n,
  attempts: 0,
  retryAt: null,
  failureCode: null,
  isLate: false,
  txHash: null,
  blockNumber: null,
  createdAt: NOW,
  declinedAt: null,
  endedAt: null,
  ...change,
});

describe("the contract call that moves the money", () => {
  const argsOf = (call: Call) => decodeFunctionData({ abi: TOKEN_ABI, data: call.data }).args ?? [];
  const head = [
    authorization.from,
    authorization.to,
    authorization.value,
    authorization.validAfter,
    authorization.validBefore,
    authorization.nonce,
  ];
  test("contains the signature bytes of an account or a contract unchanged", () => {
    for (const bytes of [signature, "0x", "0x1234", `0x${"ab".repeat(200)}`] as const) {
      const call = transferCall(settlement({ signature: bytes }));
      expect(call.to).toBe(NETWORKS.base.usdc);
      expect(call.data.slice(0, 10)).toBe("0xcf092995");
      expect(argsOf(call)).toEqual([...head, bytes]);
    }
  });

  test("goes to the token of the settlement's own network", () => {
    expect(transferCall(settlement({ network: "base-sepolia" })).to).toBe(NETWORKS["base-sepolia"].usdc);
  });
});

describe("a bundle of calls for a network without the settler contract", () => {
  const calls = fc
    .array(fc.uint8Array({ minLength: 4, maxLength: 40 }), { minLength: 2, maxLength: 20 })
    .map((list) =>
      list.map((bytes): Call => ({ to: NETWORKS.base.usdc, data: `0x${Buffer.from(bytes).toString("hex")}` })),
    );

  test("contains every call in order, and reverts all if one fails", () => {
    fc.assert(
      fc.property(calls, (list) => {
        const bundled = multicall(list.map((call) => ({ call })));
        expect(bundled.to).toBe(MULTICALL3);
        const [inside] = decodeFunctionData({ abi: MULTICALL_ABI, data: bundled.data }).args;
        expect(inside).toEqual(list.map(({ to, data }) => ({ target: to, allowFailure: false, callData: data })));
      }),
    );
  });
});

describe("a group of payments", () => {
  test.each<[string, SettlementState[], GroupState]>([
    ["of which nothing has ended is intact, whatever is under way", ["claimed", "prepared", "broadcast"], "intact"],
    ["of which one has ended without moving has failed", ["claimed", "declined"], "failed"],
    ["of which one can never move has failed", ["claimed", "void"], "failed"],
    ["of which one has moved is partial", ["claimed", "settled"], "partial"],
    ["of which one has moved is partial even if another could not", ["declined", "claimed", "settled"], "partial"],
  ])("%s", (_, states, expected) => {
    expect(groupStateOf(states.map((state) => ({ state })))).toBe(expected);
  });

  const fine = { refusal: null, isSpent: false };
  const refusedLeg = (code: FailureCode) => ({ refusal: { next: "fail", code } as const, isSpent: false });
  const expired = { refusal: { next: "fail_if_unused", code: "EXPIRED" } as const, isSpent: false };
  const early = { refusal: { next: "wait" } as const, isSpent: false };
  const used = { refusal: { next: "look_up" } as const, isSpent: false };
  const ends = (...codes: FailureCode[]) => ({
    next: "end",
    codes: new Map(codes.map((code, index) => [`stl_${index}`, code])),
  });

  test.each<[string, Omit<GroupLeg, "id">[], "intact" | "failed", object]>([
    ["is sent when the token would accept every leg", [fine, fine], "intact", { next: "send" }],
    [
      "ends with the rejected leg's code, and GROUP_FAILED for the others",
      [fine, refusedLeg("INSUFFICIENT_FUNDS"), fine],
      "intact",
      ends("GROUP_FAILED", "INSUFFICIENT_FUNDS", "GROUP_FAILED"),
    ],
    ["gives each rejected leg its own code", [expired, refusedLeg("REVERTED")], "intact", ends("EXPIRED", "REVERTED")],
    ["waits with a leg that must wait", [fine, early], "intact", { next: "wait" }],
    ["waits rather than ends", [refusedLeg("REVERTED"), early], "intact", { next: "wait" }],
    ["looks up a used leg first", [fine, used, early], "intact", { next: "look_up", ids: ["stl_1"] }],
    [
      "looks up a used leg before any other ends, whatever the token rejects it for",
      [refusedLeg("INSUFFICIENT_FUNDS"), { ...expired, isSpent: true }],
      "intact",
      { next: "look_up", ids: ["stl_1"] },
    ],
    [
      "that has failed ends, though its legs would be accepted",
      [fine, fine],
      "failed",
      ends("GROUP_FAILED", "GROUP_FAILED"),
    ],
    ["that has failed ends without waiting", [early, expired], "failed", ends("GROUP_FAILED", "EXPIRED")],
    [
      "that has failed still looks up a used leg",
      [fine, { ...fine, isSpent: true }],
      "failed",
      { next: "look_up", ids: ["stl_1"] },
    ],
  ])("%s", (_, legs, expected, decision) => {
    expect(
      decideGroup(
        legs.map((leg, index) => ({ ...leg, id: `stl_${index}` as const })),
        expected,
      ),
    ).toEqual(decision);
  });
});
