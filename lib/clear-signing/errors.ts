import { failures } from "@/lib/core/errors";

export const clearSigningErrors = failures({
  DESCRIPTOR_NOT_FOUND: ["not_found", "There is no such descriptor. GET /.well-known/erc7730 lists them"],
});
