import { failures, type Remedies } from "@/lib/core/errors";

export const linkErrors = failures({
  LINK_NOT_FOUND: ["not_found", "There is no such payment link"],
  PAYMENT_NOT_FOUND: ["not_found", "There is no such payment"],
  WALLET_NOT_LINKED: [
    "conflict",
    "No owner has linked this agent, or another owner has since this link was created, so there is no wallet to pay. Create a mandate with POST /api/mandates/create-intent and have the user open its authorizationUrl and link the agent: signing is not needed to sell. The authorizationUrl of this error only explains that",
  ],
  REDIRECT_ORIGIN_NOT_ALLOWED: [
    "invalid",
    "redirectUrl and cancelUrl must be an https URL on a domain that the owner has verified (dashboard, Settings) or an origin that the operator allows (REDIRECT_ORIGINS), or this service's front page, a payment link or a receipt",
  ],
  EXPIRY_IN_PAST: ["invalid", "expiresAt must be in the future, or null for no expiry"],
  MAX_USES_TOO_LOW: ["invalid", "maxUses must not be lower than the number of payments made or under way"],
  AMOUNT_NOT_OFFERED: [
    "invalid",
    "amount must be a whole number of atomic USDC units (1000000 = 1.0 USDC) between minAmount and maxAmount",
  ],
  QUANTITY_NOT_OFFERED: ["invalid", "quantity must be a whole number from 1 to maxQuantity"],
  FIELD_INVALID: [
    "invalid",
    "This link asks its buyers for the fields in `fields`. Add them to the URL as query parameters. The one in `field` is missing or not valid",
  ],
  LINK_OF_INVOICE: [
    "conflict",
    "This link belongs to the invoice in `invoiceId`, and only the invoice changes it. To stop it, cancel the invoice",
  ],
  FILE_NOT_FOUND: ["not_found", "There is no such file, it belongs to another owner, or its address was changed"],
  FILE_URL_EXPIRED: ["gone", "The address of this file has expired. Read your purchase again for a new one"],
  FILE_EMPTY: ["invalid", "The file is empty: send its bytes as the body"],
  IMAGE_NOT_FOUND: ["not_found", "There is no such image, or it belongs to another owner"],
  IMAGE_INVALID: [
    "invalid",
    "The image must be a still PNG, JPEG or WebP of 64 to 4096 pixels a side that its metadata does not turn. `reason` says what it is instead",
  ],
  FILES_FULL: [
    "conflict",
    "Your files and images would exceed the storage for one owner. A file without a link or a buyer is deleted after a day",
  ],
  LINK_SELLS_CALLS: [
    "conflict",
    "This link sells calls to an API. Request a path of it at `paidUrl`: the 402 there has the price",
  ],
  UPSTREAM_URL_INVALID: [
    "invalid",
    "upstream.url must be a public https URL of the seller's own API, without credentials and query",
  ],
  UPSTREAM_WITH_CONTENT: [
    "invalid",
    "A link with an upstream sells its answers: it cannot have content, a file, a choice of amount or quantity, or fields",
  ],
  PATH_NOT_OFFERED: ["not_found", "This link does not sell this path. This request took no payment"],
  METHOD_NOT_OFFERED: ["not_found", "This link does not sell this method. This request took no payment"],
  CALLS_FULL: [
    "unavailable",
    "This server is busy with other calls. This request took no payment, and no call of a pass. Send it again with the same proof or pass",
  ],
  UPSTREAM_FAILED: [
    "unavailable",
    "You have paid, but there is no answer of the seller's API. Do not pay again: send the same request with the same proof or pass",
  ],
  PASS_NOT_OFFERED: [
    "not_found",
    "No pass is sold here. This request took no payment. `url`, if there is one, is where this link sells its pass now",
  ],
  PASS_REFUSED: [
    "conflict",
    "This pass admits no call now: `reason` says why. No single call can be bought here either. This request took no payment",
  ],
  LINK_DISABLED: ["gone", "This link is disabled. This request took no payment"],
  LINK_EXPIRED: ["gone", "This link has expired. This request took no payment"],
  LINK_SOLD_OUT: ["gone", "Sold out. This request took no payment"],
});

export const linkRemedies: Remedies = {
  amount_not_offered: {
    cause:
      "The payer of this link chooses the amount, in a range that its seller set. `amount` in the URL is outside of it.",
    remedy:
      "Use an `amount` in atomic units between `minAmount` and `maxAmount` of this error, or none for the usual one.",
  },
  quantity_not_offered: {
    cause: "`quantity` in the URL is not a whole number from 1 to the most that the seller allows in one payment.",
    remedy: "Use a `quantity` up to `maxQuantity` of this error.",
  },
  field_invalid: {
    cause: "The seller asks the buyers of this link for texts, and one of them is missing or not valid.",
    remedy:
      "Add each required entry of `fields` to the URL as a query parameter with its `name`, and request the URL again: the price and the proof belong to that URL.",
  },
  link_sold_out: {
    cause: "The link's `maxUses` is reached, by payments that settled or are under way.",
    remedy:
      "This request took no payment. With `pendingPayments` in the error, that many are not over yet: a place opens again if one of them fails.",
  },
  link_expired: { cause: "The link's `expiresAt` has passed.", remedy: "This request took no payment." },
  link_disabled: { cause: "The seller disabled the link.", remedy: "This request took no payment." },
  wallet_not_linked: {
    cause: "The agent has no owner yet, so there is no address to pay.",
    remedy:
      "The agent proposes a mandate with `POST /api/mandates/create-intent`. Its owner opens the `authorizationUrl` of that response and links the agent; signing is not needed to be paid. The `authorizationUrl` of this error only explains that to a person.",
  },
  link_not_found: {
    cause: "The id is wrong, the link was deleted, or it belongs to another agent.",
    remedy: "A seller lists links with `GET /api/payment-links`. A buyer asks the seller for the current address.",
  },
  link_of_invoice: {
    cause: "An invoice and its link always ask for the same money, so the link cannot be changed on its own.",
    remedy: "Cancel the invoice in `invoiceId` to stop the link, and make a new invoice for other terms.",
  },
  expiry_in_past: {
    cause: "A link whose `expiresAt` has passed could never be paid.",
    remedy: "Send a time in the future, or `null` for no expiry. To stop a link now, disable it.",
  },
  max_uses_too_low: {
    cause: "Payments that were made or are under way count, and cannot be taken back by a lower limit.",
    remedy: "Send at least that number. To sell no more, disable the link.",
  },
  redirect_origin_not_allowed: {
    cause: "A checkout redirects buyers only to domains that the seller has verified.",
    remedy: "Verify the domain under *Dashboard, Settings*, or use an address of this service.",
  },
  file_empty: {
    cause: "The body has no bytes.",
    remedy: "Send the file itself as the body, not JSON and not a form.",
  },
  file_not_found: {
    cause: "The file was deleted or belongs to another owner, or its signed address was changed.",
    remedy: "A seller uploads it again. A buyer reads the purchase again, which gives the whole address.",
  },
  file_url_expired: {
    cause: "Addresses of files work for a short time, so a copied address stops working. The purchase is not affected.",
    remedy:
      "Read the purchase again, with the same proof or from its receipt: it gives a new address, and nothing is paid.",
  },
  image_not_found: {
    cause:
      "The image was deleted or belongs to another owner. It is deleted when its link gets another one or none, and with its link.",
    remedy:
      "Upload it again, and use the new `imageId`. A page that shows the link gets its current image when it is reloaded.",
  },
  image_invalid: {
    cause:
      "`reason`: `type` is another format, such as SVG or HEIC, `damaged` is cut off or broken, `animated` moves, `rotated` is turned by its metadata, and `too_small` and `too_large` have a side below 64 or above 4096 pixels.",
    remedy:
      "Save the image again as a still PNG, JPEG or WebP. For `rotated`, turn the pixels themselves; the form in the dashboard does so.",
  },
  link_sells_calls: {
    cause: "The seller offers an API here, with a price for each call, and no content of its own.",
    remedy: "Send your request to `paidUrl`, followed by the path that you want to call.",
  },
  upstream_url_invalid: {
    cause: "`reason` says what is wrong: paid requests, with the seller's secret headers, go to this URL.",
    remedy: "Name the base URL of your API, as buyers' paths continue it.",
  },
  upstream_with_content: {
    cause: "A link sells one thing: its own content, or calls to an upstream.",
    remedy: "Make two links, or take the content and the choices of this one out.",
  },
  upstream_failed: {
    cause:
      "You have paid, or called with a pass, and the seller's API gave no answer that can be delivered: `reason` says why. With `busy`, another request with this proof is still there, or this server has no room for the answer or ends.",
    remedy:
      "Do not pay again. Send the same request with the same proof until `repeatUntil`, from the same network address if the payment had no identifier: it brings another try, or the answer that was kept. There is none after a streamed answer that you have read up to the seller's limit of time or size. Without `repeatUntil`, the message says whether there was an answer; if not, ask the seller for a refund with the `settlementId`. On a pass, `callEnd` says what became of the call: once it is `back`, send the request again, and one that changes something with the same `Idempotency-Key`.",
  },
  calls_full: {
    cause:
      "Requests and answers of paid calls are held in memory, and what this server has for them, or the share of it for one buyer's address or one seller, is in use.",
    remedy: "This request took nothing. Send it again, with the same proof or pass, after `Retry-After` seconds.",
  },
  path_not_offered: {
    cause:
      "The seller listed the paths that can be bought, and this one is not among them, or it is not written plainly.",
    remedy:
      "Use one of `paths`, if there are any. Dots, empty segments and encoded slashes are not taken. A pass took no call: if its path was sold when it was bought, the seller has put another API behind the link since. Ask for a refund of what is unused.",
  },
  pass_not_offered: {
    cause:
      "The link sells no pass, or another one: `terms` in the URL stands for the price and all that the pass admits.",
    remedy:
      "Request `url`, if there is one, and read the new terms before you pay. Otherwise pay for single calls. Passes that were bought stay valid.",
  },
  pass_refused: {
    cause:
      "`reason` is the code that a call on this pass gets where single calls are sold: `PASS_USED_UP`, `PASS_INSUFFICIENT`, `PASS_OVER`, `PASS_HELD`, `PASS_REFUNDED` or `PASS_NOT_FOR_THIS`. Here the seller has stopped to sell, or the path is not sold.",
    remedy:
      "With `PASS_HELD` a refund is on its way: try later. `GET /pass/{linkId}` with the token shows what is left of the pass.",
  },
  method_not_offered: {
    cause: "The seller listed the methods that can be bought.",
    remedy: "Use one of `methods`.",
  },
  files_full: {
    cause: "An owner has a fixed amount of storage for files and images. Files that a buyer has paid for are kept.",
    remedy:
      "Delete links with large files, or upload a smaller one. Files without a link or a buyer are deleted after a day.",
  },
};
