import { expect, test } from "vitest";
import { signatureFault } from "./native.mjs";

test("the compiled code for signatures is there", () => expect(signatureFault()).toBeNull());

test("a machine without it is told what is missing and what to do", () => {
  const fault = signatureFault(() => {
    throw new Error("No native build was found for platform=linux arch=arm64\n    loaded from: /x");
  });
  expect(fault).toMatch(/secp256k1 is missing for .*No native build was found.*npm rebuild secp256k1/);
  expect(fault).not.toContain("\n");
});
