import { expect, test } from "vitest";
import { asAppError } from "@/lib/http/app-error";
import { ChainUnavailable } from "@/lib/platform/chain";
import { LaneBusy } from "@/lib/platform/lanes";
import { toFailure } from "./results";

test.each([
  [new LaneBusy(), 503, "unavailable"],
  [new ChainUnavailable("no node answers"), 503, "unavailable"],
  [new Error("timeout exceeded when trying to connect"), 503, "unavailable"],
  [new TypeError("a fault of ours"), 500, "internal_error"],
])("%s is told as %i %s, over HTTP and over MCP", (error, status, code) => {
  expect(asAppError(error)).toMatchObject({ status, code, cause: error });
  expect(toFailure(error).error).toMatchObject({ status, code });
});
