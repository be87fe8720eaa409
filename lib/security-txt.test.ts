import { expect, test } from "vitest";
import { securityText } from "./security-txt";

const now = new Date("2026-11-24T15:30:00Z");
const site = (securityContact: string | null) => ({
  baseUrl: "https://wallet.example",
  site: { onrampUrl: null, isPasskeyOffered: false, operator: { name: null, contact: null, securityContact } },
});

test("security.txt names the operator's contact, and expires within a year", () => {
  expect(securityText(site("mailto:security@wallet.example"), now)).toBe(
    [
      "Contact: mailto:security@wallet.example",
      "Expires: 2027-05-23T00:00:00.000Z",
      "Preferred-Languages: en",
      "Canonical: https://wallet.example/.well-known/security.txt",
      "Policy: https://wallet.example/security",
      "",
    ].join("\n"),
  );
});

test("security.txt names the page when there is no contact", () => {
  expect(securityText(site(null), now)).toContain("Contact: https://wallet.example/security\n");
});
