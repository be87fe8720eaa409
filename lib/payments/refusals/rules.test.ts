import { expect, test } from "vitest";
import { mayMeanContract } from "./rules";

test.each([
  ["invalid_exact_evm_payload_signature", true],
  ["invalid_exact_evm_payload_undeployed_smart_wallet", true],
  ["Payment verification failed: invalid_payload", true],
  ["Invalid signature length", true],
  ["EIP-1271 wallets are not supported", true],
  ["contract wallet not supported", true],
  ["insufficient_funds", false],
  ["invalid_exact_evm_payload_recipient_mismatch", false],
  ["X-PAYMENT header is required", false],
  ["", false],
])('the seller\'s error "%s" means that it refuses contracts: %s', (reason, expected) =>
  expect(mayMeanContract(reason)).toBe(expected),
);
