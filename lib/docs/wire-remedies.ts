import type { Remedy } from "./remedy";

/** The form of a request, its login, and what a proof of x402 says. */
export const OF_THE_WIRE: Record<string, Remedy> = {
  body_too_large: {
    cause: "Each endpoint reads a limited number of bytes, 64 KiB unless its reference says otherwise.",
    remedy: "Send less in one request.",
  },
  headers_too_large: {
    cause:
      "All headers together are larger than this path allows. A browser may add cookies of another service on the same host.",
    remedy: "Send only the headers that the reference names.",
  },
  uri_too_long: {
    cause: "The path, the query or the number of parameters is above its limit.",
    remedy: "Send long values in the body of an endpoint that takes one.",
  },
  invalid_json: {
    cause:
      "The body is not one JSON object in UTF-8, or names a member twice. JSON readers differ in which of the two they use.",
    remedy: "Write the body with a JSON library, and send `{}` where nothing is needed.",
  },
  unsupported_media_type: {
    cause:
      "The body is not declared as JSON. A browser sends forms to other sites without a preflight, so only JSON is accepted.",
    remedy: "Send `Content-Type: application/json`.",
  },
  origin_not_allowed: {
    cause: "A browser sent the request from a page of another site, with this site's session.",
    remedy: "Call the endpoint from a page of this service. Programs send no `Origin`, and log in as an agent.",
  },
  not_found: {
    cause: "The path does not exist here. The faucet exists on devnet only.",
    remedy: "Compare the path with the reference or `/openapi.json`.",
  },
  session_required: {
    cause: "The endpoint is for a person who has signed in with their wallet. The session is missing or has ended.",
    remedy: "Sign in on a page of this service. An agent uses the endpoints that take its JWT.",
  },
  missing_bearer: {
    cause: "The endpoint is for agents, and the request has no `Authorization: Bearer`.",
    remedy: "Send the `jwt` of `POST /register` or `POST /refresh`.",
  },
  invalid_token: {
    cause: "The long-lived token is wrong, or was replaced by `POST /token/rotate`.",
    remedy: "Use the newest token. If it is lost, the agent's owner can issue one in the dashboard.",
  },
  invalid_or_expired_vc: {
    cause:
      "The credential has expired, was changed, or was not issued by this service. A credential is valid for a day at most.",
    remedy: "Ask the agent for a new one, for your audience and with your challenge.",
  },
  invalid_amount: {
    cause: "Amounts are whole numbers in atomic units of USDC, as text: six decimals, so that `1000000` is 1 USDC.",
    remedy: "Send digits only, without a point, a sign or an exponent, within the limits of the message.",
  },
  missing_amount: {
    cause: "The permanent address of an agent has no fixed price. The payer chooses the amount.",
    remedy: "Add `?amount=` in atomic units, for example `?amount=1000000&asset=usdc` for 1 USDC.",
  },
  missing_asset: {
    cause: "The request does not name the asset to pay with.",
    remedy: "Add `asset=usdc` to the query.",
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
    remedy: "Send the URL that answered 402, with `https://` or `http://`, without a user name and password.",
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
  firewall_not_found: {
    cause: "The path names a firewall that does not exist.",
    remedy: "Read `/.well-known/x402` for the paths of those that do.",
  },
  scan_not_offered: {
    cause: "The operator has switched this scanner off.",
    remedy: "Read `GET /api/transaction-firewall/{firewallId}` for those that are on.",
  },
  descriptor_not_found: {
    cause: "The file is not one of the descriptors for clear signing that this service publishes.",
    remedy: "Read `GET /.well-known/erc7730` for their names.",
  },
  payment_asset_mismatch: {
    cause: "The proof is a transfer of another token than the offer in `accepts`. Nothing was taken.",
    remedy: "Sign one for `asset` of the offer.",
  },
  payment_network_mismatch: {
    cause: "The proof is for another network than the offer in `accepts`. Nothing was taken.",
    remedy: "Sign one for `network` of the offer.",
  },
  payment_recipient_mismatch: {
    cause:
      "The proof pays another address than the offer in `accepts`. A seller may have changed its address in between.",
    remedy: "Ask for the price again, and sign for its `payTo`.",
  },
  payment_signature_invalid: {
    cause: "The signature is not by the payer, or over other values, for another token or network.",
    remedy: "Sign the values of the proof itself. The token's name and version are in `extra` of the offer.",
  },
  payment_not_yet_valid: {
    cause: "`validAfter` has not passed by the chain's clock, which can be seconds behind yours.",
    remedy:
      "Wait, and send the same proof again. Do not sign another one: both could be paid. Sign later proofs with a `validAfter` some minutes in the past.",
  },
  payment_validity_too_long: {
    cause: "Anyone who sees a proof can submit it until it ends, so the service limits how long it is valid.",
    remedy: "Sign with `validBefore` at most `maxTimeoutSeconds` of the offer from now.",
  },
  payment_identifier_invalid: {
    cause: "The id in the extension `payment-identifier` is too short, too long, or has other characters.",
    remedy: "Use 16 to 128 letters, digits, hyphens and underscores. A UUID fits.",
  },
  payment_identifier_reused: {
    cause: "One id stands for one payment. You sent it before with another proof or for another purchase.",
    remedy:
      "To read what was bought, send the proof of that payment again. For a new purchase, choose a new id and sign a new proof.",
  },
  not_deployed: {
    cause: "The payer is a contract account without code on this network, so the token cannot verify its signature.",
    remedy: "Deploy the account, for example by its first transaction, then sign again.",
  },
  sign_in_expired: {
    cause: "The challenge in `SIGN-IN-WITH-X` was valid for minutes, and they have passed.",
    remedy: "Sign the one in `extensions` of this response.",
  },
  sign_in_invalid: {
    cause:
      "What was signed is not a challenge of this URL, was changed, or was signed by another account or for another chain.",
    remedy: "Sign the challenge in `extensions` of this response, unchanged.",
  },
  sign_in_used: {
    cause: "Each challenge works for one request only.",
    remedy: "Sign the one in `extensions` of this response.",
  },
};
