import { concat, encodeAbiParameters, type Hex, keccak256 } from "viem";
import type { Address } from "@/lib/core/address";

export const PAYEES_MAX = 1_000;

/** The payees a vault may pay: the root is in its terms, each payment carries the proof of its payee. */
export type PayeeList = {
  root: Hex;
  /** Null for an address that is not listed. */
  proofOf: (payee: Address) => readonly Hex[] | null;
};

export type PayeeListFault = "empty" | "too_many" | "repeated";

/** Leaves, order and shape of OpenZeppelin's StandardMerkleTree of `["address"]`, so that anybody can rebuild the root. */
export function payeeList(payees: readonly Address[]): PayeeList | PayeeListFault {
  if (payees.length === 0) return "empty";
  if (payees.length > PAYEES_MAX) return "too_many";
  if (new Set(payees).size < payees.length) return "repeated";
  const leaves = payees.map(leafOf).sort();
  // A complete binary tree in an array: children of i at 2i+1 and 2i+2, leaves last and in reverse.
  const inner = leaves.length - 1;
  const tree: Hex[] = [...Array.from({ length: inner }, (): Hex => "0x"), ...leaves.toReversed()];
  for (let index = inner - 1; index >= 0; index--) {
    const [left, right] = [nodeAt(tree, 2 * index + 1), nodeAt(tree, 2 * index + 2)];
    tree[index] = keccak256(concat(left < right ? [left, right] : [right, left]));
  }
  const places = new Map(tree.slice(inner).map((leaf, index) => [leaf, inner + index]));
  return {
    root: nodeAt(tree, 0),
    proofOf: (payee) => {
      const place = places.get(leafOf(payee));
      if (place === undefined) return null;
      const proof: Hex[] = [];
      for (let index = place; index > 0; index = (index - 1) >> 1)
        proof.push(nodeAt(tree, index % 2 === 0 ? index - 1 : index + 1));
      return proof;
    },
  };
}

const leafOf = (payee: Address): Hex => keccak256(keccak256(encodeAbiParameters([{ type: "address" }], [payee])));

function nodeAt(tree: readonly Hex[], index: number): Hex {
  const node = tree[index];
  if (node === undefined) throw new Error(`no node ${index} in a tree of ${tree.length}`);
  return node;
}
