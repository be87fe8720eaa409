import { expect, test } from "vitest";
import { toUsdc } from "@/lib/core/usdc";
import { onrampOf, topUpUri } from "./top-up";

const OWN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const missing = { network: "base", address: OWN, amount: toUsdc(1_250_000n) } as const;

test("the QR code for another wallet is a transfer of USDC to the buyer's own address", () => {
  expect(topUpUri(missing)).toBe(
    `ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=${OWN}&uint256=1250000`,
  );
});

test("the on-ramp's URL contains address, amount and network where the operator placed them", () => {
  expect(onrampOf("https://buy.example/?to={address}&usdc={amount}&on={network}&again={address}", missing)).toBe(
    `https://buy.example/?to=${OWN}&usdc=1.25&on=base&again=${OWN}`,
  );
  expect(onrampOf("https://buy.example/", missing)).toBe("https://buy.example/");
});
