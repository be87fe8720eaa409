import { failures, type Remedies } from "@/lib/core/errors";

export const firewallErrors = failures({
  FIREWALL_NOT_FOUND: ["not_found", "There is no such firewall. The path names it: see the discovery document"],
  SCAN_NOT_OFFERED: ["not_found", "This scan is not offered. The discovery document says which are enabled"],
});

export const firewallRemedies: Remedies = {
  firewall_not_found: {
    cause: "The path names a firewall that does not exist.",
    remedy: "Read `/.well-known/x402` for the paths of those that do.",
  },
  scan_not_offered: {
    cause: "The operator has disabled this scanner.",
    remedy: "Read `GET /api/transaction-firewall/{firewallId}` for the enabled ones.",
  },
};
