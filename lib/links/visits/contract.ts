import { z } from "zod";
import { addressText, bytes32 } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import * as sample from "@/lib/samples";
import { params } from "../contract";
import { linkErrors } from "../errors";

const VISIT_ID = "must be 16 to 40 letters, digits, _ or -";
const visitId = z.string(VISIT_ID).regex(/^[\w-]{16,40}$/, VISIT_ID);

const visitBody = z.discriminatedUnion(
  "step",
  [
    z.object({ visitId, step: z.enum(["viewed", "connected"]) }),
    z.object({ visitId, step: z.literal("signed"), payer: addressText, nonce: bytes32 }),
  ],
  { error: ({ code }) => (code === "invalid_union" ? "must be viewed, connected or signed" : "must be an object") },
);

export const visitLink = endpoint({
  method: "POST",
  path: "/api/payment-links/{linkId}/visits",
  summary: "Report a visitor's progress on the checkout page. Statistics for the seller; no effect on payments",
  description:
    "The checkout page calls it; other clients need not. `visitId` is a random text that the page chose. `signed` joins a visit to its payment.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "visit_per_address",
  params,
  body: visitBody,
  bodyBytesMax: 1024,
  response: z.object({ success: z.literal(true) }),
  errors: { LINK_NOT_FOUND: linkErrors.table.LINK_NOT_FOUND },
  example: {
    request: { visitId: "v_2bMvXc9LkJh5gFdS", step: "signed", payer: sample.BUYER, nonce: sample.NONCE },
    responses: { 200: sample.SUCCESS },
  },
});
