import { z } from "zod";
import { type AddressRange, readRange } from "@/lib/core/ip";

/** Where requests to URLs of strangers must not go, beside private addresses. */
export const OUTBOUND_VARIABLES = {
  OWN_ADDRESSES: z
    .string()
    .transform((text) => text.split(",").map((part) => readRange(part.trim())))
    .refine(
      (ranges): ranges is AddressRange[] => ranges.every((range) => range !== null),
      "must be IP addresses or networks such as 203.0.113.0/24, comma-separated",
    )
    .optional(),
};
