import { expect, test } from "vitest";
import { parseUsdc, toUsdc } from "@/lib/core/usdc";
import { type Draft, emptyRow, readAddress, readDraft, readShare, sharesSaid, switched, tallyOf } from "./draft";

const ALICE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const CAROL = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

type Rows = { to: string; amount?: string; share?: string }[];
const draft = (mode: Draft["mode"], rows: Rows, total = ""): Draft => ({
  network: "base",
  mode,
  total,
  description: " Royalties ",
  bizId: "",
  rows: rows.map((row, key) => ({ ...emptyRow(key), ...row })),
});

test.each([
  [ALICE, ALICE],
  [ALICE.toLowerCase(), ALICE],
  [`0x${ALICE.slice(2).toUpperCase()}`, ALICE],
  [`  ${BOB}\n`, BOB],
])("an address in any case is read with its checksum: %s", (text, address) => {
  expect(readAddress(text)).toEqual({ type: "valid", address });
});

test.each([
  "",
  "alice.eth",
  ALICE.slice(0, -1),
  `${ALICE}0`,
  ALICE.slice(2),
  // One letter mistyped, and one whose case was changed.
  ALICE.replace("C5", "c5"),
  ALICE.replace("C8", "C9"),
])("an address with a wrong checksum or format is refused: %j", (text) => {
  expect(readAddress(text)).toMatchObject({ type: "invalid" });
});

test.each([
  ["100", 10_000],
  ["33.33", 3_333],
  ["0.01", 1],
  ["5.5", 550],
])("a share of %s percent is %i basis points", (text, bps) => {
  expect(readShare(text)).toBe(bps);
});

test.each(["", "0", "0.001", "100.01", "-1", "1,5", "1e1", "٣", "33 %"])("%j is not a valid share", (text) => {
  expect(readShare(text)).toBeNull();
});

test("a single recipient is sent without a list, and texts without surrounding blanks", () => {
  expect(readDraft(draft("amounts", [{ to: ALICE.toLowerCase(), amount: "12.5" }]))).toMatchObject({
    payout: {
      amount: 12_500_000n,
      body: { network: "base", toAddress: ALICE, amount: "12500000", description: "Royalties" },
    },
  });
});

test("shares add up to exactly the total: the first recipient gets the rounding remainder, displayed before sending", () => {
  const thirds = draft(
    "shares",
    [
      { to: ALICE, share: "33.34" },
      { to: BOB, share: "33.33" },
      { to: CAROL, share: "33.33" },
    ],
    "0.000010",
  );
  const tally = tallyOf(thirds);
  expect(tally).toEqual({ amounts: [4n, 3n, 3n], remainder: 1n, sum: 10n, sharesLeft: 0 });
  const read = readDraft(thirds);
  expect(read.type === "valid" && read.payout.legs.map(({ amount }) => amount)).toEqual(tally.amounts);
  expect(read.type === "valid" && read.payout.body).toEqual({
    network: "base",
    amount: "10",
    recipients: [
      { toAddress: ALICE, shareBps: 3_334 },
      { toAddress: BOB, shareBps: 3_333 },
      { toAddress: CAROL, shareBps: 3_333 },
    ],
    description: "Royalties",
  });
});

test("every error is displayed at its field", () => {
  const faulty = readDraft(
    draft("amounts", [
      { to: "0x12", amount: "1" },
      { to: BOB, amount: "1,5" },
      { to: "", amount: "" },
    ]),
  );
  expect(faulty.type === "invalid" && [...faulty.faults.rows].map(([key, fault]) => [key, Object.keys(fault)])).toEqual(
    [
      [0, ["to"]],
      [1, ["amount"]],
      [2, ["to", "amount"]],
    ],
  );
});

test("a duplicate address, a share of zero and shares that do not add up to 100 % are errors", () => {
  const twice = readDraft(
    draft("amounts", [
      { to: ALICE, amount: "1" },
      { to: ALICE.toLowerCase(), amount: "2" },
    ]),
  );
  expect(twice.type === "invalid" && twice.faults.rows.get(1)?.to).toContain("already above");
  const nothing = readDraft(
    draft(
      "shares",
      [
        { to: ALICE, share: "99.99" },
        { to: BOB, share: "0.01" },
      ],
      "0.0001",
    ),
  );
  expect(nothing.type === "invalid" && nothing.faults.rows.get(1)?.share).toContain("is zero");
  const missing = readDraft(
    draft(
      "shares",
      [
        { to: ALICE, share: "50" },
        { to: BOB, share: "37.5" },
      ],
      "1",
    ),
  );
  expect(missing.type === "invalid" && missing.faults.form).toBe(
    "The shares add up to 87.50%: 12.50% are not assigned yet.",
  );
  expect(sharesSaid(-1)).toBe("The shares add up to 100.01%: 0.01% too much.");
});

test("switching between shares and amounts keeps the payout the same", () => {
  const amounts = draft("amounts", [
    { to: ALICE, amount: "1" },
    { to: BOB, amount: "2" },
  ]);
  const shares = switched(amounts, "shares");
  expect(shares).toMatchObject({ mode: "shares", total: "3.00", rows: [{ share: "33.34" }, { share: "66.66" }] });
  const back = switched(shares, "amounts");
  expect(tallyOf(back).sum).toBe(parseUsdc("3"));
  expect(switched(draft("amounts", [{ to: ALICE }, { to: BOB }]), "shares")).toMatchObject({ mode: "shares" });
});

test("a single recipient has an amount, whatever the form was switched to before", () => {
  const alone = draft("shares", [{ to: ALICE, amount: "2", share: "40" }]);
  expect(tallyOf(alone)).toMatchObject({ sum: toUsdc(2_000_000n), sharesLeft: 0 });
  expect(readDraft(alone)).toMatchObject({ type: "valid" });
});
