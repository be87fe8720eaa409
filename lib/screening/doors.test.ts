import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What signs a transfer or submits one of somebody else. */
const SIGNS =
  /(?<!function )\b(?:wallets\.send|signDraft|signedClaim|signTransfer|signOwn|signAuthorization|signDigest|admitSimulated|claimLegs)\(/;

/**
 * Every file outside of the signers themselves that signs or submits a transfer, and the file where its payee is screened before
 * that. Null: it pays the owner or the service itself.
 */
const DOORS: Record<string, string | null> = {
  // Under mandates, also from vaults and their pockets.
  "lib/payments/sign.ts": "lib/payments/sign.ts",
  // One payment after an approval.
  "lib/approvals/pay/service.ts": "lib/approvals/pay/service.ts",
  "lib/payouts/create.ts": "lib/payouts/recipients.ts",
  "lib/payouts/decide.ts": "lib/payouts/recipients.ts",
  "lib/payouts/legs/claim.ts": "lib/payouts/recipients.ts",
  "lib/refunds/service.ts": "lib/refunds/service.ts",
  // Proofs that arrive at links, agents' addresses, the firewall and the facilitator.
  "lib/settlements/admission.ts": "lib/settlements/admission.ts",
  // The keys of vaults and pockets, for the payments above and on the way home.
  "lib/mandates/vaults/keys.ts": "lib/payments/sign.ts",
  "lib/mandates/vaults/pocket.ts": "lib/payments/sign.ts",
  "lib/mandates/vaults/pocket-calls.ts": null,
  "lib/mandates/vaults/operations.ts": null,
  // Withdrawals to the owner's own addresses, and payments to the service.
  "lib/wallets/service.ts": null,
  "lib/recoveries/service.ts": null,
  "lib/recoveries/jobs.ts": null,
  // The signature itself.
  "lib/x402/signature.ts": null,
};

test("every door that signs or submits a transfer screens the payee", () => {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" })
    .map((path) => join("lib", path))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .filter((path) => SIGNS.test(readFileSync(path, "utf8")));
  expect(files.sort()).toEqual(Object.keys(DOORS).sort());
  for (const place of new Set(Object.values(DOORS))) {
    if (place) expect(readFileSync(place, "utf8"), place).toMatch(/await assert(?:Payable|Settleable)\(/);
  }
  for (const caller of ["lib/payouts/create.ts", "lib/payouts/decide.ts"])
    expect(readFileSync(caller, "utf8"), caller).toMatch(/await assertRecipients\(/);
});
