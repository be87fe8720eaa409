import { expect, test } from "vitest";
import { signatureFault } from "./native.mjs";

test("the compiled module for signatures is installed", () => expect(signatureFault()).toBeNull());

test("on a machine without the compiled module, the error says what is missing and what to do", () => {
  const fault = signatureFault(() => {
    throw new Error("No native build was found for platform=linux arch=arm64\n    loaded from: /x");
  });
  expect(fault).toMatch(/secp256k1 is missing for .*No native build was found.*npm rebuild secp256k1/);
  expect(fault).not.toContain("\n");
});
