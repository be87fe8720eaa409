import { failures } from "@/lib/core/errors";

export const sellerErrors = failures({
  domain_not_found: ["not_found", "You have no such domain"],
  domain_invalid: [
    "invalid",
    "domain must be the name of a public host, such as shop.example.com, without a scheme, a port or a path",
  ],
  too_many_domains: ["conflict", "You have as many domains as you can. Remove one first"],
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
