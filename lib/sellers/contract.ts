import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { sellerErrors } from "./errors";
import { PROOF_PATH, proofText } from "./rules";
import type { Domain } from "./service";

const { domain_not_found, domain_invalid, too_many_domains, domain_not_proved } = sellerErrors.table;

const ok = z.literal("ok");
const params = z.object({ domainId: id("domain") });

const domainItem = z.object({
  domainId: id("domain"),
  origin: z.string(),
  isVerified: z.boolean(),
  /** Publish this as a TXT record of the host, or as a line of the file. */
  proof: z.string(),
  fileUrl: z.string(),
  verifiedAt: isoDate.nullable(),
  /** When the proof was last checked. */
  checkedAt: isoDate.nullable(),
  /** Since when the proof is missing. After a week the domain is no longer verified. */
  missingSince: isoDate.nullable(),
});
export type DomainItem = z.output<typeof domainItem>;

const oneDomain = z.object({ status: ok, domain: domainItem });

const domainExample = {
  domainId: sample.DOMAIN,
  origin: "https://shop.example.com",
  isVerified: false,
  proof: "tessera-verification=Zk3pQ7vN2mLx",
  fileUrl: "https://shop.example.com/.well-known/tessera-verification.txt",
  verifiedAt: null,
  checkedAt: null,
  missingSince: null,
};

const verifiedExample = { ...domainExample, isVerified: true, verifiedAt: sample.UPDATED, checkedAt: sample.UPDATED };

export const listDomains = endpoint({
  method: "GET",
  path: "/api/seller/domains",
  summary: "The owner's domains, oldest first. Links may send payers to those that are verified",
  description:
    "`missingSince` is set when the daily look found no proof any more: publish it again before the domain loses its verification.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, domains: z.array(domainItem) }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, domains: [verifiedExample] } } },
});

export const addDomain = endpoint({
  method: "POST",
  path: "/api/seller/domains",
  summary: "Add a domain to verify; the same domain again returns the same proof",
  description:
    "Publish `proof` as a TXT record of the host, or in the file at `fileUrl`, then call `verify`. Until then nothing about the domain is shown to buyers.",
  auth: "owner",
  surface: "wallet",
  body: z.object({ domain: z.string({ error: "must be a host name" }).max(253, "must have at most 253 characters") }),
  response: oneDomain,
  errors: { domain_invalid, too_many_domains },
  example: { request: { domain: "shop.example.com" }, responses: { 200: { ...sample.OK, domain: domainExample } } },
});

export const verifyDomain = endpoint({
  method: "POST",
  path: "/api/seller/domains/{domainId}/verify",
  summary: "Look for the proof now, in DNS and in the file. It is looked for again every day",
  description:
    "409 `domain_not_proved` says in `reason` what was found instead. DNS servers may return an old answer for a while: try again later.",
  auth: "owner",
  surface: "wallet",
  params,
  response: oneDomain,
  errors: { domain_not_found, domain_not_proved, rate_limited: edgeErrors.table.rate_limited },
  example: { responses: { 200: { ...sample.OK, domain: verifiedExample } } },
});

export const removeDomain = endpoint({
  method: "DELETE",
  path: "/api/seller/domains/{domainId}",
  summary: "Remove a domain. Links do not send payers there any more",
  description:
    "The owner's links that name the domain in `redirectUrl` or `cancelUrl` go on to be paid. Adding the domain again begins with a new verification.",
  auth: "owner",
  surface: "wallet",
  params,
  response: z.object({ status: ok }),
  errors: { domain_not_found },
  example: { responses: { 200: sample.OK } },
});

export const toDomainItem = ({ id, origin, token, verifiedAt, checkedAt, missingSince }: Domain): DomainItem => ({
  domainId: id,
  origin,
  isVerified: verifiedAt !== null,
  proof: proofText(token),
  fileUrl: `${origin}${PROOF_PATH}`,
  verifiedAt,
  checkedAt,
  missingSince,
});
