import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { excessOf, keptOf, liesAbout, type OnChain, type VaultView } from "./judge-vaults";
import { newMemory, type Proof, type VaultMemory } from "./memory";

const VAULT = toAddress("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
const respond = (status: number) => ({ status, body: {}, text: "{}", headers: new Headers() });
const vault = (...replies: VaultMemory["replies"]): VaultMemory => ({
  mandateId: "mdt_x",
  owner: 0,
  address: VAULT,
  released: 10n,
  funds: 10n,
  startsAt: 0,
  isEnded: false,
  pocket: null,
  refunds: [],
  replies,
});

const SIGNED = { to: "signature", answer: respond(200) } as const;
const REVOKED = { to: "revocation", answer: respond(200) } as const;
const LOST = { to: "revocation", answer: null } as const;

const OPEN: NonNullable<VaultView["vault"]> = {
  state: "open",
  funded: "10",
  balance: "7",
  spent: "3",
  isRevoked: false,
  returned: "0",
  pocket: null,
};
const CLOSED = { ...OPEN, state: "closed", balance: "0", spent: "10" };
const FAILED = { ...CLOSED, state: "failed", funded: "0", spent: "0" };
const onChain: OnChain = { isOpened: true, funded: 10n, balance: 7n, spent: 3n, isRevoked: false };
const empty: OnChain = { isOpened: true, funded: 10n, balance: 0n, spent: 10n, isRevoked: false };
const nothing: OnChain = { isOpened: false, funded: 0n, balance: 0n, spent: 0n, isRevoked: false };

test.each<[string, VaultMemory, VaultView, OnChain]>([
  ["signed, and the mandate has none", vault(SIGNED), { status: "signed", vault: null }, nothing],
  ["money on the chain, and the mandate has none", vault(), { status: "signed", vault: null }, onChain],
  ["another balance", vault(SIGNED), { status: "signed", vault: { ...OPEN, balance: "8" } }, onChain],
  ["revoked on the chain only", vault(), { status: "revoked", vault: CLOSED }, { ...empty, isRevoked: true }],
  [
    "revoked, and open",
    vault(SIGNED, REVOKED),
    { status: "revoked", vault: { ...OPEN, balance: "0", spent: "10" } },
    empty,
  ],
  ["revoked, and the mandate is not", vault(SIGNED, REVOKED), { status: "signed", vault: CLOSED }, empty],
  [
    "an undocumented response",
    vault({ to: "signature", answer: respond(500) }),
    { status: "draft", vault: null },
    nothing,
  ],
])("the simulation's judge reports a false statement about a vault: %s", (_, memory, said, chain) => {
  expect(liesAbout(memory, said, chain)).toHaveLength(1);
});

test.each<[string, VaultMemory, VaultView, OnChain]>([
  ["open", vault(SIGNED), { status: "signed", vault: OPEN }, onChain],
  ["never signed", vault({ to: "signature", answer: respond(503) }), { status: "claimed", vault: null }, nothing],
  ["revoked, and the money is back", vault(SIGNED, REVOKED), { status: "revoked", vault: CLOSED }, empty],
  ["revoked without a response", vault(SIGNED, LOST), { status: "signed", vault: OPEN }, onChain],
  ["never opened", vault(SIGNED), { status: "revoked", vault: FAILED }, nothing],
  [
    "never opened, and a stranger sent it money",
    vault(SIGNED),
    { status: "revoked", vault: { ...FAILED, balance: "5" } },
    { ...nothing, balance: 5n },
  ],
])("the simulation's judge accepts a true statement about a vault: %s", (_, memory, said, chain) => {
  expect(liesAbout(memory, said, chain)).toEqual([]);
});

test.each([
  ["signed more than it has", 6n, 0n, 1],
  ["paid more than it has", 5n, 11n, 1],
  ["everything", 5n, 10n, 0],
])("the simulation's judge compares what a vault has signed and paid: %s", (_, value, paidAmount, lies) => {
  const proof = { authorization: { from: VAULT, value } } as Proof;
  expect(excessOf(vault(), paidAmount, { ...newMemory(), proofs: [proof, proof] })).toHaveLength(lies);
});

const REFUNDED = { arrived: 5n, home: 9n, left: 0n };
const refunds = [{ from: VAULT, to: VAULT }];
const pocket = { address: VAULT, balance: "5" };

test.each([
  ["it stays", { ...REFUNDED, left: 5n }, {}, 1],
  ["its owner got less", { ...REFUNDED, home: 4n }, { returned: "4" }, 1],
  ["it is not said to have gone home", REFUNDED, { returned: "4" }, 1],
  ["the empty pocket is said to have it", REFUNDED, { pocket }, 1],
  ["it went home", REFUNDED, {}, 0],
  ["it never reached a block", { ...REFUNDED, arrived: 0n }, {}, 0],
])("the simulation's judge checks a refund to a closed vault: %s", (_, sums, said, lies) => {
  const view = { status: "revoked", vault: { ...CLOSED, returned: "9", ...said } };
  expect(keptOf({ ...vault(), refunds }, view, sums)).toHaveLength(lies);
  expect(keptOf(vault(), view, sums)).toEqual([]);
});
