import { type HDAccount, mnemonicToAccount } from "viem/accounts";

/** Nine of the ten that anvil unlocks and enriches; the tenth mints. */
export const accounts = range(0, 9).map(account);

/** Outside anvil's ten, so that nothing but the service uses their nonces. */
export const relayers = range(20, 22).map(account);

export function privateKeyOf(owner: HDAccount): `0x${string}` {
  const key = owner.getHdKey().privateKey;
  if (!key) throw new Error(`${owner.address} has no private key`);
  return `0x${Buffer.from(key).toString("hex")}`;
}

function account(addressIndex: number): HDAccount {
  return mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
