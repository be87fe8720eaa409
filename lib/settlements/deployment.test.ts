import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { ChainUnavailable } from "@/lib/platform/chain";
import { type Sending, type SendingOutcome, sendingOf, trySending } from "./deployment";
import type { PayerKind } from "./rules";

const account = toAddress(`0x${"1".repeat(40)}`);
const deployment = { factory: toAddress(`0x${"2".repeat(40)}`), factoryCalldata: "0x1234" } as const;
const sendingBy = (kind: PayerKind, given: typeof deployment | null = deployment) =>
  sendingOf(kind, { to: account, data: "0xab" }, given);

type Outcome = SendingOutcome<string>;
type Planned = "accepted" | Exclude<Outcome, { type: "accepted" }> | Error;

const UNSIGNED = { type: "refused", reason: "FiatTokenV2: invalid signature" } as const;
const REVERTED = { type: "refused", reason: "" } as const;
const POOR = { type: "refused", reason: "ERC20: transfer amount exceeds balance" } as const;
const OVER = { type: "over_budget", over: "of the first" } as const;
const OVER_TOO = { type: "over_budget", over: "of the second" } as const;

/** The outcome of both ways together, and the kinds that were tried. */
async function tried(first: Sending, ...planned: Planned[]) {
  const kinds: PayerKind[] = [];
  const outcome = await trySending(first, async (sending): Promise<Outcome> => {
    const next = planned[kinds.push(sending.kind) - 1];
    if (next === undefined || next instanceof Error) throw next ?? new Error("not planned");
    return next === "accepted" ? { type: "accepted", sending } : next;
  });
  return { outcome, kinds };
}

describe("a transfer whose payer came with a deployment", () => {
  test.each<[PayerKind, PayerKind]>([
    ["undeployed", "code"],
    ["code", "undeployed"],
  ])("as %s is tried as %s where that may be what it lacks", async (kind, other) => {
    for (const first of [UNSIGNED, REVERTED, OVER]) {
      const { outcome, kinds } = await tried(sendingBy(kind), first, "accepted");
      expect([outcome.type, kinds]).toEqual(["accepted", [kind, other]]);
    }
  });

  test("is tried once if it is accepted, or if its signature was", async () => {
    for (const first of ["accepted", POOR] as const) {
      const { kinds } = await tried(sendingBy("code"), first);
      expect(kinds).toEqual(["code"]);
    }
  });

  test.each<[string, Planned, Planned, Planned]>([
    ["the first refusal, if the second says no more", UNSIGNED, REVERTED, UNSIGNED],
    ["the second refusal, if its signature was accepted", UNSIGNED, POOR, POOR],
    ["the same if the first was over its budget", OVER, POOR, POOR],
    ["the first refusal, if the second is over its budget", UNSIGNED, OVER_TOO, UNSIGNED],
    ["the first budget, if the second is refused for its signature", OVER, UNSIGNED, OVER],
    [
      "the first refusal, if the node did not run the second",
      UNSIGNED,
      new ChainUnavailable("", { isOfCall: true }),
      UNSIGNED,
    ],
  ])("has as its outcome %s", async (_, first, second, expected) => {
    expect((await tried(sendingBy("undeployed"), first, second)).outcome).toEqual(expected);
  });

  test("has no outcome while no node responds", async () => {
    await expect(tried(sendingBy("code"), UNSIGNED, new ChainUnavailable("down"))).rejects.toThrow("down");
  });
});

test.each<[string, Sending]>([
  ["without a deployment", sendingBy("code", null)],
  ["from an ordinary account", sendingBy("account")],
  ["from a vault", sendingBy("vault")],
])("a transfer %s is tried once", async (_, sending) => {
  expect((await tried(sending, UNSIGNED)).kinds).toEqual([sending.kind]);
});
