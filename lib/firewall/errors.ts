import { failures } from "@/lib/core/errors";

export const firewallErrors = failures({
  FIREWALL_NOT_FOUND: ["not_found", "There is no such firewall. The path names it: see the discovery document"],
  SCAN_NOT_OFFERED: ["not_found", "This scan is not offered. The discovery document says which are enabled"],
});
