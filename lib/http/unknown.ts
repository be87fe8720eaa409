import { z } from "zod";
import { type Endpoint, endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "./errors";

/** What a call to a path of the API at which there is nothing is declared as: it has no body to read, and answers 404. */
export const unknownEndpoint = (method: Endpoint["method"], surface: "wallet" | "resource") =>
  endpoint({
    method,
    path: "/api/{…}",
    summary: "Nothing",
    auth: "none",
    surface,
    response: z.never(),
    errors: { endpoint_not_found: edgeErrors.table.endpoint_not_found },
  });

/** What agents sell, and what became of it; the other paths are the wallet's. */
const RESOURCES = /^\/api\/(payment-links|received-payments|settlements|transaction-firewall)(\/|$)/;

/** Which error body a path of the API promises, there or not. */
export const surfaceOf = (pathname: string): "wallet" | "resource" =>
  RESOURCES.test(pathname) ? "resource" : "wallet";
