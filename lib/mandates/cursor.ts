import { z } from "zod";
import { decodeCursor, encodeCursor } from "@/lib/core/page";
import type { MandateCursor } from "./lists";
import type { MandateGroup } from "./rules";

const CURSOR = /^(active|paused|waiting|ended)\.(.+)$/;

/** Encodes a position in a list of mandates for a URL; decodeMandateCursor decodes it, or returns null. */
export const encodeMandateCursor = ({ group, ...cursor }: MandateCursor): string => `${group}.${encodeCursor(cursor)}`;

export function decodeMandateCursor(text: string): MandateCursor | null {
  const [, group, encodedCursor = ""] = CURSOR.exec(text) ?? [];
  const cursor = decodeCursor(encodedCursor);
  return cursor && { ...cursor, group: group as MandateGroup };
}

export const mandateCursorText = z.codec(
  z
    .string({ error: "must be given once" })
    .refine((text) => decodeMandateCursor(text) !== null, "must be the nextCursor of a list"),
  z.custom<MandateCursor>(),
  // The refinement above has checked it.
  { decode: (text) => decodeMandateCursor(text) as MandateCursor, encode: encodeMandateCursor },
);
