import { getAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { confirmed, type Person } from "./api";

/** A new random address. */
export const stranger = () => privateKeyToAddress(generatePrivateKey());

/** A different address with the same first and last digits as `address`. */
export function imitate(address: string): string {
  const middle = [...address.slice(10, 30)].map((digit) => (digit === "7" ? "8" : "7")).join("");
  return getAddress(`${address.slice(0, 10)}${middle}${address.slice(30)}`.toLowerCase());
}

/** Puts it into the person's address book. */
export const remember = (person: Person, address: string, name: string) =>
  confirmed(person, "/api/wallet/addresses", { address, name }, 201);
