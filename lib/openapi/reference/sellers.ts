import type { Sayings } from "./said";
import { DOMAIN, OK, UPDATED } from "./values";

const domain = {
  domainId: DOMAIN,
  origin: "https://shop.example.com",
  isVerified: false,
  proof: "tessera-verification=Zk3pQ7vN2mLx",
  fileUrl: "https://shop.example.com/.well-known/tessera-verification.txt",
  verifiedAt: null,
  checkedAt: null,
  missingSince: null,
};
const verified = { ...domain, isVerified: true, verifiedAt: UPDATED, checkedAt: UPDATED };

const profile = { name: "Example Shop", support: "help@shop.example.com", domain: "shop.example.com", logoUrl: null };
const profileResponses = { 200: { ...OK, profile } };

export const SELLERS: Sayings = {
  addDomain: {
    description:
      "Publish `proof` as a TXT record of the host, or in the file at `fileUrl`, then call `verify`. Until then nothing about the domain is shown to buyers.",
    request: { domain: "shop.example.com" },
    responses: { 200: { ...OK, domain } },
  },
  listDomains: {
    description:
      "`missingSince` is set when the daily look found no proof any more: publish it again before the domain loses its verification.",
    responses: { 200: { ...OK, domains: [verified] } },
  },
  verifyDomain: {
    description:
      "409 `domain_not_proved` says in `reason` what was found instead. DNS servers may return an old answer for a while: try again later.",
    responses: { 200: { ...OK, domain: verified } },
  },
  removeDomain: {
    description:
      "The owner's links that name the domain in `redirectUrl` or `cancelUrl` go on to be paid. Adding the domain again begins with a new verification.",
    responses: { 200: OK },
  },
  getProfile: {
    description: "`domain` is the oldest verified one, or null. What is null is not shown to buyers.",
    responses: profileResponses,
  },
  updateProfile: {
    description:
      "It takes effect at once on every checkout, invoice and receipt of the owner's agents. Members that are left out stay as they are.",
    request: { name: "Example Shop", support: "help@shop.example.com" },
    responses: profileResponses,
  },
  setLogo: {
    description:
      "The picture is written again from the parts that draw it, so that nothing but its pixels reaches buyers. One that its metadata turns is refused: turn its pixels. `logoUrl` of the response is its address, and changes with every picture.",
    request: {
      data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    },
    responses: profileResponses,
  },
  removeLogo: {
    description: "Buyers see no picture from then on. Removing a logo that is not there changes nothing.",
    responses: profileResponses,
  },
  getLogo: {
    description:
      "Anybody may load it; pages of the checkout do. It may be cached for ever, because its address is its content's.",
  },
};
