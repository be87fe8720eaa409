import { failures } from "@/lib/core/errors";

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
    "That network cannot be paid on; base and base-sepolia exist, and a mandate pays on its own",
  ],
  unsupported_asset: ["unprocessable", "The only asset is USDC of the network; leave assetAddress out"],
  currency_mismatch: ["unprocessable", "This wallet pays in USDC only. Leave currency out, or send USDC"],
  unknown_service: ["unprocessable", "Service credits pay for our own services only. Send payTo as accepts names it"],
  insufficient_credits: [
    "forbidden",
    "The owner has not enough service credits. Pay in USDC, or ask them to buy some on their wallet page",
  ],
  firewall_blocked: [
    "forbidden",
    "The owner has every payment scanned first, and the scan refused this one. findings says why; ask the owner before you go on",
  ],
});
