import { type HDAccount, hdKeyToAccount, mnemonicToAccount } from "viem/accounts";

/** The key above all accounts of anvil's mnemonic. Derived once, because it is slower than deriving an account from it. */
const parent = mnemonicToAccount("test test test test test test test test test test test junk", {
  path: "m/44'/60'/0'/0",
}).getHdKey();

/** Nine of the ten accounts that anvil unlocks and funds. The tenth mints. */
export const accounts = range(0, 9).map(account);

/** Outside anvil's ten, so that only the service uses their nonces. */
export const relayers = range(20, 22).map(account);

export function privateKeyOf(owner: HDAccount): `0x${string}` {
  const key = owner.getHdKey().privateKey;
  if (!key) throw new Error(`${owner.address} has no private key`);
  return `0x${Buffer.from(key).toString("hex")}`;
}

/** The mnemonic's account with this index (m/44'/60'/0'/0/index). */
export function account(addressIndex: number): HDAccount {
  // viem's type allows only paths from the root.
  return hdKeyToAccount(parent, { path: `m/${addressIndex}` as `m/44'/60'/${string}` });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
