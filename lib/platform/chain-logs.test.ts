import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from "viem";
import { expect, test } from "vitest";
import { toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { usesIn } from "./chain-logs";

const ABI = parseAbi([
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
  "event Mint(address indexed minter, address indexed to, uint256 amount)",
  "event Odd(address indexed from, address indexed to, uint256 indexed value)",
]);

const person = (n: number) => toAddress(`0x${n.toString(16).padStart(40, "0")}`);
const nonce = (n: number): Hex => `0x${n.toString(16).padStart(64, "0")}`;
const [alice, bob, carol] = [person(1), person(2), person(3)];

type Log = { topics: readonly Hex[]; data: Hex };
const topics = (text: ReturnType<typeof encodeEventTopics>) => text as Hex[];
const used = (authorizer: Hex, n: number): Log => ({
  topics: topics(
    encodeEventTopics({ abi: ABI, eventName: "AuthorizationUsed", args: { authorizer, nonce: nonce(n) } }),
  ),
  data: "0x",
});
const cancelled = (authorizer: Hex, n: number): Log => ({
  topics: topics(
    encodeEventTopics({ abi: ABI, eventName: "AuthorizationCanceled", args: { authorizer, nonce: nonce(n) } }),
  ),
  data: "0x",
});
const uint = (value: bigint) => encodeAbiParameters([{ type: "uint256" }], [value]);
const transfer = (from: Hex, to: Hex, value: bigint): Log => ({
  topics: topics(encodeEventTopics({ abi: ABI, eventName: "Transfer", args: { from, to } })),
  data: uint(value),
});
const approval = (owner: Hex, spender: Hex, value: bigint): Log => ({
  topics: topics(encodeEventTopics({ abi: ABI, eventName: "Approval", args: { owner, spender } })),
  data: uint(value),
});
const mint = (minter: Hex, to: Hex, value: bigint): Log => ({
  topics: topics(encodeEventTopics({ abi: ABI, eventName: "Mint", args: { minter, to } })),
  data: uint(value),
});
const use = (payer: Hex, n: number, paid: { to: Hex; value: bigint } | null) => ({
  payer,
  nonce: nonce(n),
  transfer: paid,
});

test("a used authorization is paired with the transfer that the token made for it", () => {
  expect(usesIn([used(alice, 1), transfer(alice, bob, 5n)])).toEqual([use(alice, 1, { to: bob, value: 5n })]);
});

test("a used authorization without a transfer is no payment", () => {
  expect(usesIn([used(alice, 1)])).toEqual([use(alice, 1, null)]);
  expect(usesIn([used(alice, 1), used(bob, 2), transfer(bob, carol, 5n)])).toEqual([
    use(alice, 1, null),
    use(bob, 2, { to: carol, value: 5n }),
  ]);
});

test("a transfer without an authorization, or before its use, is no payment", () => {
  expect(usesIn([transfer(alice, bob, 5n)])).toEqual([]);
  expect(usesIn([transfer(alice, bob, 5n), used(alice, 1)])).toEqual([use(alice, 1, null)]);
});

test("another account's transfer is never taken for the payer's", () => {
  expect(usesIn([used(alice, 1), transfer(bob, carol, 9n)])).toEqual([use(alice, 1, null)]);
  expect(usesIn([used(alice, 1), transfer(bob, carol, 9n), transfer(alice, bob, 5n)])).toEqual([
    use(alice, 1, { to: bob, value: 5n }),
  ]);
});

test("other token events in between change nothing", () => {
  const between = [
    approval(alice, bob, 1n),
    mint(carol, bob, 2n),
    transfer(ZERO_ADDRESS, bob, 2n),
    { topics: [], data: "0x" as const },
  ];
  expect(usesIn([used(alice, 1), ...between, transfer(alice, bob, 5n)])).toEqual([
    use(alice, 1, { to: bob, value: 5n }),
  ]);
});

test("two authorizations of one payer in a batch keep their own transfers, and one transfer counts for one authorization", () => {
  expect(usesIn([used(alice, 1), transfer(alice, bob, 5n), used(alice, 2), transfer(alice, carol, 7n)])).toEqual([
    use(alice, 1, { to: bob, value: 5n }),
    use(alice, 2, { to: carol, value: 7n }),
  ]);
  expect(usesIn([used(alice, 1), used(alice, 2), transfer(alice, bob, 5n)])).toEqual([
    use(alice, 1, null),
    use(alice, 2, { to: bob, value: 5n }),
  ]);
  expect(usesIn([used(alice, 1), transfer(alice, bob, 5n), transfer(alice, carol, 7n)])).toEqual([
    use(alice, 1, { to: bob, value: 5n }),
  ]);
});

test("a cancellation does not count as a use", () => {
  expect(usesIn([cancelled(alice, 1), transfer(alice, bob, 5n)])).toEqual([]);
});

test("a payment to oneself and one of zero are read like any other", () => {
  expect(usesIn([used(alice, 1), transfer(alice, alice, 0n)])).toEqual([use(alice, 1, { to: alice, value: 0n })]);
});

test("an event with the same name and other indexed members is not read as a transfer", () => {
  const odd: Log = { topics: [...transfer(alice, bob, 5n).topics, uint(5n)], data: "0x" };
  expect(usesIn([used(alice, 1), odd])).toEqual([use(alice, 1, null)]);
});
