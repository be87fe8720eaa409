import type { Remedy } from "./remedy";

/** What a seller sets up: links, files, invoices, webhooks, keys of the facilitator. */
export const OF_SELLERS: Record<string, Remedy> = {
  link_not_found: {
    cause: "The id is wrong, the link was deleted, or it belongs to another agent.",
    remedy: "A seller lists links with `GET /api/payment-links`. A buyer asks the seller for the present address.",
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
    remedy: "Upload it again, and use the new `imageId`. A page that shows the link again has its present image.",
  },
  image_invalid: {
    cause:
      "`reason`: `type` is another format, such as SVG or HEIC, `damaged` is cut off or broken, `animated` moves, `rotated` is turned by its metadata, and `too_small` and `too_large` have a side below 64 or above 4096 pixels.",
    remedy:
      "Save the image again as a still PNG, JPEG or WebP. For `rotated`, turn the pixels themselves; the form in the dashboard does so.",
  },
  files_full: {
    cause: "An owner has a fixed amount of storage for files and images. Files that a buyer has paid for are kept.",
    remedy: "Delete links with large files, or upload a smaller one. Files without a link and a buyer go after a day.",
  },
  invoice_not_found: {
    cause: "The id is wrong, or the invoice belongs to another seller.",
    remedy: "A seller lists invoices with `GET /api/invoices`. A buyer asks the seller for the address.",
  },
  invoice_number_taken: {
    cause: "Each invoice of an owner has a number of its own, whichever agent made it.",
    remedy: "Leave `number` out to get the next one, or choose another.",
  },
  invoice_paid: {
    cause: "The chain shows the payment of this invoice.",
    remedy: "Refund the payment with `POST /api/payment-links/refunds/initiate`.",
  },
  due_date_before_issue: {
    cause: "`dueDate` is before `issueDate`. Both are days in UTC; the day of issue is today unless you send it.",
    remedy: "Send a `dueDate` on or after the day of issue.",
  },
  due_date_in_past: {
    cause: "With `isPayableAfterDue: false`, an invoice whose due date has passed could never be paid.",
    remedy: "Send a later `dueDate`, or leave `isPayableAfterDue` out.",
  },
  amount_too_small: {
    cause:
      "The service pays the gas. A transfer from an account with code can cost more gas than the payment is worth.",
    remedy: "Pay from an account without code, or sell for a higher price.",
  },
  too_many_webhooks: {
    cause: "An owner has at most ten webhooks.",
    remedy: "Delete one that is not used. One webhook can receive every kind of event.",
  },
  url_has_credentials: {
    cause: "A user name or password in an address ends up in logs.",
    remedy: "Leave them out, and verify deliveries by their signature.",
  },
  url_invalid: {
    cause: "The address is relative, or not a URL.",
    remedy: "Send a whole one, for example `https://example.com/hooks`.",
  },
  url_not_https: {
    cause: "Deliveries contain payments, so they are sent over TLS only.",
    remedy: "Use an `https://` address.",
  },
  url_not_public: {
    cause: "The host is an address of a private network, or a name without a dot. The service sends nothing there.",
    remedy: "Use a host on the public internet. Behind a firewall, put a tunnel or a proxy in front of the receiver.",
  },
  webhook_disabled: {
    cause:
      "You disabled the webhook, or the service did: its receiver answered 410, or failed for three days. `disabledBy` says which.",
    remedy: "Enable it with `PATCH /api/webhooks/{webhookId}`, then replay the delivery.",
  },
  webhook_not_found: {
    cause: "The id is wrong, or the webhook was deleted or belongs to somebody else.",
    remedy: "List yours with `GET /api/webhooks`.",
  },
  webhook_not_verified: {
    cause: "Nothing is sent to a receiver before it has shown that it expects it.",
    remedy: "`POST /api/webhooks/{webhookId}/verify`. The receiver returns the `challenge` of that request.",
  },
  delivery_not_found: {
    cause: "The id is wrong, or the delivery is older than 30 days.",
    remedy: "List the webhook's deliveries with `GET /api/webhooks/{webhookId}/deliveries`.",
  },
  delivery_underway: {
    cause: "The receiver is being called at this moment, and two attempts at once would be two deliveries.",
    remedy: "Wait until the attempt ends, read its outcome, and replay only if it failed.",
  },
  invalid_api_key: {
    cause:
      "The facilitator is used with an API key of the seller, not with a JWT. The key is missing, mistyped or revoked.",
    remedy: "Create one under *Dashboard, Facilitator* and send it as `Authorization: Bearer tsk_…`.",
  },
  key_not_found: {
    cause: "The id is wrong, or the key belongs to another owner.",
    remedy: "List yours with `GET /api/facilitator/keys`.",
  },
  key_revoked: {
    cause: "A revoked key stays revoked.",
    remedy: "Create another key, and replace the old one in your server.",
  },
  too_many_keys: {
    cause: "An owner has at most 20 API keys.",
    remedy: "Revoke one that is not used.",
  },
  too_many_requests: {
    cause: "Each API key has a number of requests a minute. Nothing was done with this one.",
    remedy: "Wait the seconds in `Retry-After`, then send the same request again.",
  },
  too_many_settlements: {
    cause: "Each API key has a number of settlements a day, which the owner set. The payment was not taken.",
    remedy:
      "Do not deliver. Settle the same proof after `Retry-After` if it is still valid then, or have the owner raise the limit.",
  },
};
