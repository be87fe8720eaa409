import { failures, type Remedies } from "@/lib/core/errors";

export const paymentErrors = failures({
  payment_not_found: ["not_found", "There is no such payment. GET /api/payments lists yours"],
  invalid_request: ["invalid", "The request is not valid"],
  invalid_resource: [
    "invalid",
    "resource must be the absolute http(s) URL that requires the payment, without credentials",
  ],
  host_mismatch: [
    "invalid",
    "host is not the host of resource. Leave it out, or send the host of the URL you are paying",
  ],
  unsupported_scheme: ["invalid", "Only the scheme exact with EIP-3009 transfers is supported"],
  token_mismatch: ["invalid", "tokenName or tokenVersion is not the token's own. Leave both out"],
  unsupported_network: [
    "unprocessable",
    "This network is not supported. Use base or base-sepolia; a mandate pays only on its own network",
  ],
  unsupported_asset: ["unprocessable", "Only the network's USDC is supported; leave assetAddress out"],
  currency_mismatch: ["unprocessable", "This wallet pays in USDC only. Leave currency out, or send USDC"],
  unknown_service: ["unprocessable", "Service credits pay for our own services only. Send payTo as accepts names it"],
  insufficient_credits: [
    "forbidden",
    "The owner has too few service credits. Pay in USDC, or ask them to buy some on their wallet page",
  ],
  challenge_over: [
    "unprocessable",
    "The challenge has expired, or a payment was signed for it before. Request the URL again for a new challenge",
  ],
  firewall_blocked: [
    "forbidden",
    "The owner has every payment scanned first, and the scan refused this one. findings says why; ask the owner before you go on",
  ],
});

export const paymentRemedies: Remedies = {
  payment_not_found: {
    cause:
      "The id is wrong, or the payment belongs to another agent or owner. Payments made and payments received have different ids.",
    remedy: "List payments made with `GET /api/payments`, payments received with `GET /api/received-payments`.",
  },
  unsupported_scheme: {
    cause:
      "The wallet signs fixed amounts only: the scheme `exact` with an EIP-3009 authorization. The seller wants something else, for example `upto` (a maximum, of which it takes what it chooses) or `exact` by Permit2. Nothing was signed, and nothing is reserved.",
    remedy: "Choose an offer with `exact` from `accepts`. If there is none, this wallet cannot pay this seller.",
  },
  firewall_blocked: {
    cause: "The owner has this agent's payments scanned, and the scan refused this one. `findings` has the reasons.",
    remedy: "Nothing was signed. Show the findings to the owner, and go on only if they decide so.",
  },
  challenge_over: {
    cause:
      "The payment answers a challenge of the Machine Payments Protocol, whose nonce can be signed once and until it expires.",
    remedy:
      "If you had a proof for it, present that one again. Otherwise request the URL without a payment: its 402 has a new challenge.",
  },
  insufficient_credits: {
    cause: "The owner's balance of service credits is below the price.",
    remedy: "Nothing was spent. Pay in USDC, or have the owner buy credits.",
  },
  unsupported_asset: {
    cause: "Payments are in USDC, the token of the network that the message names.",
    remedy: "Leave the asset out, or name USDC.",
  },
  unsupported_network: {
    cause: "Payments exist on `base` and `base-sepolia`, and each mandate pays on the network that its owner signed.",
    remedy: "Use the mandate's network, or propose a mandate on the one that the seller asks for.",
  },
  currency_mismatch: {
    cause:
      "Clients of other services send a currency. Here every amount is USDC, and another currency is not converted.",
    remedy: "Leave `currency` out, or send `USDC`.",
  },
  invalid_resource: {
    cause: "`resource` is what a mandate's list of hosts is compared with, so it must be an absolute URL.",
    remedy:
      "Send the URL that answered 402, with `https://` or `http://`, without a user name and password. For a paid MCP tool, whose seller states `mcp://` or `x402://`, send the URL of its server as `resource`.",
  },
  host_mismatch: {
    cause: "`host` and the host of `resource` differ.",
    remedy: "Leave `host` out.",
  },
  token_mismatch: {
    cause:
      "`tokenName` and `tokenVersion` are part of what is signed. Other values make a signature that the token refuses.",
    remedy: "Leave both out: the service knows its token.",
  },
  unknown_service: {
    cause: "Service credits pay for the service's own scans, and `payTo` is not one of their addresses.",
    remedy: "Copy `payTo` from `accepts` of the 402 unchanged, or pay with a mandate.",
  },
};
