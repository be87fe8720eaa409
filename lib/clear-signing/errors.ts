import { failures, type Remedies } from "@/lib/core/errors";

export const clearSigningErrors = failures({
  DESCRIPTOR_NOT_FOUND: ["not_found", "There is no such descriptor. GET /.well-known/erc7730 lists them"],
});

export const clearSigningRemedies: Remedies = {
  descriptor_not_found: {
    cause: "The file is not one of the descriptors for clear signing that this service publishes.",
    remedy: "Read `GET /.well-known/erc7730` for their names.",
  },
};
