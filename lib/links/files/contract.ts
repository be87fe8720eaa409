import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { endpoint } from "@/lib/core/endpoint";
import { agentId, id } from "@/lib/core/id-text";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { linkErrors } from "../errors";
import { FILE_BYTES_MAX, FILE_NAME_MAX } from "./limits";
import { isFileName } from "./rules";

const members = {
  name: z.string(),
  bytes: z.int(),
  /** SHA-256, in hex. */
  sha256: z.string(),
};

/** A file that a link delivers. */
export const linkFile = z.object({ fileId: id("file"), ...members });

/** A purchased file. `url` expires; read the purchase again for a new one. */
export const soldFile = z.object({ ...members, url: z.string(), urlExpiresAt: isoDate });

const { FILE_NOT_FOUND, FILE_URL_EXPIRED, FILE_EMPTY, FILES_FULL } = linkErrors.table;

export const uploadFile = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/link-files",
  summary: "Store a file for payment links of the owner's agents",
  description:
    "The body is the file itself, in any content type but JSON. Then create or change a link with its `fileId`. Send no `Idempotency-Key`: it is answered 400, and a file that is sent twice is two files. A file that no link has and nobody bought is deleted after a day.",
  auth: "owner",
  surface: "wallet",
  limitPerAddress: "upload_per_address",
  work: 60,
  params: z.object({ agentId }),
  query: z.object({
    /** The name under which a buyer's browser saves the file. */
    name: z
      .string("must be given once")
      .refine(isFileName, `must be a file's name of 1 to ${FILE_NAME_MAX} visible characters, without a path`)
      .default("file"),
  }),
  rawBody: { bytesMax: FILE_BYTES_MAX },
  response: z.object({ status: z.literal("ok"), file: linkFile }),
  errors: {
    agent_not_found: agentErrors.table.agent_not_found,
    FILE_EMPTY,
    FILES_FULL,
    rate_limited: edgeErrors.table.rate_limited,
  },
  example: {
    responses: {
      200: {
        ...sample.OK,
        file: { fileId: sample.FILE, name: "report.pdf", bytes: 48_213, sha256: sample.HASH.slice(2) },
      },
    },
  },
});

export const downloadFile = endpoint({
  method: "GET",
  path: "/api/payment-links/files/{fileId}",
  summary: "A purchased file, at the signed `url` of the purchase, for an hour",
  description:
    "Use the address from the purchase as it is: its query is signed. After an hour it is answered 410; read the purchase again (`contentUrl`) for a new address, without paying.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "file_per_address",
  params: z.object({ fileId: id("file") }),
  query: z.object({
    sale: id("settlement"),
    expires: z.string("must be given once").regex(/^\d{1,12}$/, "must be the time in the url"),
    signature: z.string("must be given once").max(200, "must have at most 200 characters"),
  }),
  response: { contentType: "application/octet-stream" },
  errors: { FILE_NOT_FOUND, FILE_URL_EXPIRED },
});
