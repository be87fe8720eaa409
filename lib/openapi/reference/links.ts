import type { Sayings } from "./said";
import { BUYER, FILE, HASH, IMAGE, LAST_PAGE, NONCE, OK, ORIGIN, SETTLEMENT, SUCCESS, TX_HASH, WALLET } from "./values";
import { link, pending, receiptUrl, received, settledPayment } from "./views";

const oneLink = { 200: { ...SUCCESS, paymentLink: link } };
const deleted = { 200: { ...SUCCESS, message: "The payment link is deleted" } };

const linkRequest = {
  amount: "1000000",
  description: "A report",
  resourceContent: "https://service.example/r/1",
  maxUses: 10,
};
const change = { description: "A report, second edition", maxUses: 20 };

const image = {
  imageId: IMAGE,
  type: "image/jpeg",
  width: 1200,
  height: 800,
  bytes: 148_213,
  url: `${ORIGIN}/api/payment-links/images/${IMAGE}`,
};

const contentUrl = `${ORIGIN}/api/settlements/${SETTLEMENT}?key=Zk3pQ7vN`;

export const LINKS: Sayings = {
  createLink: {
    description:
      "`resourceContent` is delivered once the payment has settled on the chain. The link's `url` works for agents (x402) and for people (a checkout page). With `customAmount`, `maxQuantity` or `fields`, the buyer adds `amount`, `quantity` and the fields' names to the URL as query parameters; the 402 of that URL is for exactly that order.",
    request: linkRequest,
    responses: oneLink,
  },
  listLinks: {
    description:
      "Deleted links are not in it. Send `nextCursor` as `cursor` for the next page; it is null on the last one. `useCount` includes payments that are under way.",
    responses: { 200: { ...SUCCESS, paymentLinks: [link], ...LAST_PAGE } },
  },
  getLink: {
    description:
      "`isPayable` says whether a payment would be taken now, and `unavailableReason` why not. What a payer sees is at the link's `url`.",
    responses: oneLink,
  },
  updateLink: {
    description:
      "Price, network, reference and the buyer's choices cannot be changed: payers may hold a proof for them. Create another link instead. `status: disabled` stops sales at once; payments that are under way still settle.",
    request: change,
    responses: oneLink,
  },
  deleteLink: {
    description:
      "It cannot be undone. To stop sales for a while, set `status` to `disabled` instead. A link of an invoice is stopped by cancelling the invoice.",
    responses: deleted,
  },
  listLinkPayments: {
    description:
      "Only those of this link; `GET /api/received-payments` has all. A payment is final once `settlementStatus` is `settled`; `pending` ones are still on their way.",
    responses: { 200: { ...SUCCESS, payments: [received], ...LAST_PAGE } },
  },
  listReceivedPayments: {
    description:
      "Read it to deliver what was bought, or subscribe to webhooks. `id` is the `paymentId` for a refund. The deprecated `offset` is for old clients: use `cursor`.",
    responses: { 200: { ...SUCCESS, payments: [received], ...LAST_PAGE } },
  },
  getReceivedPayment: {
    description:
      "`paymentId` is the number in `id` of the lists. `refundedAmount` is what was given back of it, and what waits for that.",
    responses: { 200: { ...SUCCESS, payment: received } },
  },
  createOwnedLink: {
    description:
      "The same as `POST /api/payment-links` by the agent, for a person in the dashboard. The agent sees the link among its own, and can change it.",
    request: linkRequest,
    responses: oneLink,
  },
  updateOwnedLink: {
    description:
      "The same as `PATCH /api/payment-links/{linkId}` by the agent: price, network, reference and the buyer's choices cannot be changed.",
    request: change,
    responses: oneLink,
  },
  deleteOwnedLink: {
    description: "Its URL answers 404 from then on. Payments and their receipts are kept. It cannot be undone.",
    responses: deleted,
  },
  uploadFile: {
    description:
      "The body is the file itself, in any content type but JSON. Then create or change a link with its `fileId`. Send no `Idempotency-Key`: it is answered 400, and a file that is sent twice is two files. A file that no link has and nobody bought is deleted after a day.",
    responses: { 200: { ...OK, file: { fileId: FILE, name: "report.pdf", bytes: 48_213, sha256: HASH.slice(2) } } },
  },
  uploadImage: {
    description:
      "The body is the image itself, in any content type but JSON: a still PNG, JPEG or WebP, decided by its bytes, of 64 to 4096 pixels a side. Metadata such as the place where a photo was taken is not kept, so an image that its metadata turns is refused: turn its pixels. Then create or change a link with its `imageId`. Send no `Idempotency-Key`: it is answered 400. An image that no link gets is deleted after a day.",
    responses: { 200: { ...OK, image } },
  },
  getImage: {
    description:
      "The address is in `image.url` of a link. It never shows another image, so browsers keep it. It is answered 404 once the link has another image or none, or is deleted.",
  },
  downloadFile: {
    description:
      "Use the address from the purchase as it is: its query is signed. After an hour it is answered 410; read the purchase again (`contentUrl`) for a new address, without paying.",
  },
  payLink: {
    description:
      "Also at /pay/{linkId}, where browsers get a checkout page. The names of the link's `fields` are query parameters too. The requirement is for exactly the order in the query: send the proof to the same URL. Present the same proof again after a 202, a 5xx or a lost connection: it is never taken twice.",
    responses: {
      200: {
        ...SUCCESS,
        status: "success",
        resource: link.resourceContent,
        receipt: {
          txHash: TX_HASH,
          payer: BUYER,
          payee: WALLET,
          amount: "1000000",
          currency: "USDC",
          network: "base",
        },
        settlementId: SETTLEMENT,
        receiptUrl,
        contentUrl,
      },
      202: { ...pending, contentUrl },
    },
  },
  getPicture: {
    description:
      "For messengers and search engines, which read its address from the checkout page. Anybody may load it.",
  },
  visitLink: {
    description:
      "The checkout page calls it; other clients need not. `visitId` is a random text that the page chose. `signed` joins a visit to its payment.",
    request: { visitId: "v_2bMvXc9LkJh5gFdS", step: "signed", payer: BUYER, nonce: NONCE },
    responses: { 200: SUCCESS },
  },
  getUpl: {
    description:
      "Anybody may pay an agent there, any amount, without a link: `?amount=` in atomic units and `&asset=usdc`. `resource` of the requirement is the URL for the retry. Present the same proof again after a 202, a 5xx or a lost connection: it is never taken twice.",
    responses: { 200: settledPayment, 202: pending },
  },
  downloadSales: {
    description:
      "The table of the dashboard's sales page, with the same filters, for bookkeeping. One line for each payment, with its transaction and what was refunded.",
  },
};
