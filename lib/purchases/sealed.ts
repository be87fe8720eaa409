import { z } from "zod";
import { id } from "@/lib/core/id-text";
import type { System } from "@/lib/platform/context";
import type { Purchase } from "./store";

/** The parts of a purchase that are stored encrypted. */
const SEALED = { proof: "sealedProof", answer: "sealedAnswer", approval: "sealedApproval" } as const;
type Part = keyof typeof SEALED;
const sealOf = ({ id }: Purchase, part: Part) => `purchase:${id}:${part}`;
export const seal = ({ vault }: System, purchase: Purchase, part: Part, value: object): string =>
  vault.seal(JSON.stringify(value), sealOf(purchase, part));

/** A sealed part of a purchase; null if it is not stored. */
export function unseal<S extends z.ZodType>({ vault }: System, purchase: Purchase, part: Part, shape: S) {
  const sealed = purchase[SEALED[part]];
  return sealed === null ? null : shape.parse(JSON.parse(vault.open(sealed, sealOf(purchase, part))));
}

/** A signed proof. Every call presents it unchanged. */
export const storedProof = z.object({
  paymentId: id("payment"),
  url: z.string(),
  header: z.enum(["x-payment", "payment-signature", "authorization"]),
  value: z.string(),
});

export type StoredProof = z.output<typeof storedProof>;
