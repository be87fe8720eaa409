import { type HDAccount, hdKeyToAccount, mnemonicToAccount } from "viem/accounts";

/** Of all accounts of the mnemonic that anvil uses. Derived once: that takes longer than an account below it. */
const parent = mnemonicToAccount("test test test test test test test test test test test junk", {
  path: "m/44'/60'/0'/0",
}).getHdKey();

/** Nine of the ten that anvil unlocks and enriches; the tenth mints. */
export const accounts = range(0, 9).map(account);

/** Outside anvil's ten, so that nothing but the service uses their nonces. */
export const relayers = range(20, 22).map(account);

export function privateKeyOf(owner: HDAccount): `0x${string}` {
  const key = owner.getHdKey().privateKey;
  if (!key) throw new Error(`${owner.address} has no private key`);
  return `0x${Buffer.from(key).toString("hex")}`;
}

/** The account of the mnemonic with this number, as wallets count them. */
export function account(addressIndex: number): HDAccount {
  // viem's type knows only paths from the root.
  return hdKeyToAccount(parent, { path: `m/${addressIndex}` as `m/44'/60'/${string}` });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
