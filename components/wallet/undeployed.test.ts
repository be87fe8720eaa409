import { expect, test } from "vitest";
import { isOfUndeployed } from "./undeployed";

test("the signature of an account that is not deployed has an ending that no other signature has", () => {
  expect(isOfUndeployed(`0xabcd${"6492".repeat(16)}`)).toBe(true);
  expect(isOfUndeployed(`0xABCD${"6492".repeat(15)}`)).toBe(false);
  for (const other of ["0x", "", null, undefined, 6492]) expect(isOfUndeployed(other)).toBe(false);
});
