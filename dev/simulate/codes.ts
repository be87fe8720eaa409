import type { Hex } from "viem";

/** Hand-written runtime code of accounts that verify their own signatures (ERC-1271). */
const MAGIC = "631626ba7e60e01b60005260206000f3";
const NO = "63ffffffff60e01b60005260206000f3";
const BURN = "5b600056";

/** `if (tx.gasprice == 0) accept else …`: simulations have a gas price of 0, transactions do not. The jump skips the rejection. */
const onlyUnpriced = (otherwise: string): Hex => {
  const behind = (5 + otherwise.length / 2).toString(16).padStart(2, "0");
  return `0x3a1560${behind}57${otherwise}5b${MAGIC}`;
};

export const CODES = {
  acceptsAll: `0x${MAGIC}`,
  refusesAll: `0x${NO}`,
  burnsAll: `0x${BURN}`,
  acceptsInSimulation: onlyUnpriced(NO),
  // The loop's JUMPDEST is at byte 5.
  burnsOnChain: onlyUnpriced("5b600556"),
} as const satisfies Record<string, Hex>;

/** The address where each code is installed, so that accounts can delegate to it (EIP-7702). */
export const codeAddress = (name: keyof typeof CODES): Hex =>
  `0xc0de${Object.keys(CODES).indexOf(name).toString(16).padStart(36, "0")}`;

export const delegationTo = (name: keyof typeof CODES): Hex => `0xef0100${codeAddress(name).slice(2)}`;
