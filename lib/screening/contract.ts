import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { REPORT_REASON_MAX } from "@/lib/core/lengths";
import { shownText } from "@/lib/core/shown";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { reportErrors } from "./errors";

export { LISTS_PATH } from "./rules";

export const reportPayee = endpoint({
  method: "POST",
  path: "/api/payee-reports",
  summary: "Report to the operator that an address is on a list of theirs by mistake",
  description:
    "The page of `appealUrl` sends it. Anybody can report an address; the operator reads the reports and decides. Nothing is paid before that.",
  auth: "none",
  surface: "wallet",
  limitPerAddress: "report_per_address",
  body: z.object(
    {
      address: addressText,
      reason: shownText({ max: REPORT_REASON_MAX, hasLines: true, error: "must be a text" }).default(""),
    },
    { error: "must be an object" },
  ),
  bodyBytesMax: 16_384,
  response: z.object({ status: z.literal("ok") }),
  errors: {
    payee_not_denied: reportErrors.table.payee_not_denied,
    unavailable: edgeErrors.table.unavailable,
  },
  example: {
    request: { address: sample.BUYER, reason: "This is the wallet of my own shop." },
    responses: { 200: sample.OK },
  },
});
