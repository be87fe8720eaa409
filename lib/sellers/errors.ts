import { failures, type Remedies } from "@/lib/core/errors";

export const sellerErrors = failures({
  domain_not_found: ["not_found", "You have no such domain"],
  domain_invalid: [
    "invalid",
    "domain must be the name of a public host, such as shop.example.com, without a scheme, a port or a path",
  ],
  too_many_domains: ["conflict", "You already have ten domains, the maximum. Remove one first"],
  logo_invalid: [
    "invalid",
    "The logo must be a PNG, JPEG or WebP of at most 200 KB and 2048 pixels a side, not animated, and not turned by its metadata",
  ],
  logo_not_found: ["not_found", "There is no such logo"],
  domain_not_proved: [
    "conflict",
    "Neither the DNS record nor the file shows your token yet. DNS changes can take an hour: see reason, then try again",
  ],
});

export const sellerRemedies: Remedies = {
  domain_not_found: {
    cause: "The owner has no domain with this id, or removed it.",
    remedy: "List the domains with `GET /api/seller/domains`.",
  },
  domain_invalid: {
    cause: "Only a public host name can be verified: no scheme, path, IP address or port.",
    remedy: "Send the host alone, for example `shop.example.com`.",
  },
  too_many_domains: {
    cause: "An owner can have ten domains, verified or not.",
    remedy: "Remove one with `DELETE /api/seller/domains/{domainId}`.",
  },
  logo_invalid: {
    cause:
      "The file is not a PNG, JPEG or WebP, or it is animated, incomplete, rotated by its metadata or too large. Its name does not matter.",
    remedy: "Save the logo again as a PNG of at most 2048 pixels a side and 200 KB.",
  },
  logo_not_found: {
    cause: "No seller uses this logo any longer. Its address changes with the picture.",
    remedy: "Read the profile again, and use its `logoUrl`.",
  },
  domain_not_proved: {
    cause:
      "We looked for the proof in the TXT records of the host and in its file, and found it in neither. `reason` says what was found instead.",
    remedy:
      "Publish `proof` of the domain as it is. DNS servers may return the old answer until its time to live has passed.",
  },
};
