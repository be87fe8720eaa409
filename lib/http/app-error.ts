import { AppError } from "@/lib/core/errors";
import { ChainUnavailable } from "@/lib/platform/chain";
import { isDatabaseDown, isDatabaseError } from "@/lib/platform/db";
import { LaneBusy } from "@/lib/platform/lanes";
import { edgeErrors } from "./errors";

/** PostgreSQL takes no U+0000, in a text (22021) and in JSON (22P05). */
const UNSTORABLE = ["22021", "22P05"];

/** What a caller is told of an error, over HTTP and over MCP. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ChainUnavailable || error instanceof LaneBusy || isDatabaseDown(error))
    return edgeErrors.unavailable(undefined, error);
  if (UNSTORABLE.some((code) => isDatabaseError(error, code)))
    return edgeErrors.invalid_request({ message: "A text has the character U+0000, which cannot be stored" }, error);
  return edgeErrors.internal_error(undefined, error);
}
