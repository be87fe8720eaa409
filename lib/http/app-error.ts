import { AppError } from "@/lib/core/errors";
import { ChainUnavailable } from "@/lib/platform/chain";
import { isDatabaseDown } from "@/lib/platform/db";
import { LaneBusy } from "@/lib/platform/lanes";
import { edgeErrors } from "./errors";

/** What a caller is told of an error, over HTTP and over MCP. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ChainUnavailable || error instanceof LaneBusy || isDatabaseDown(error))
    return edgeErrors.unavailable(undefined, error);
  return edgeErrors.internal_error(undefined, error);
}
