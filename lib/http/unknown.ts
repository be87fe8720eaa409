import { z } from "zod";
import { type Endpoint, endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "./errors";

/** The endpoint for all unknown API paths: it reads no body and returns 404. */
export const unknownEndpoint = (method: Endpoint["method"], surface: "wallet" | "resource") =>
  endpoint({
    method,
    path: "/api/{…}",
    summary: "Unknown endpoint",
    description: "",
    auth: "none",
    surface,
    response: z.never(),
    errors: { endpoint_not_found: edgeErrors.table.endpoint_not_found },
  });

/** Paths of resources that agents sell and of their payments. All other paths belong to the wallet. */
const RESOURCES = /^\/api\/(invoices|payment-links|received-payments|settlements|transaction-firewall)(\/|$)/;

/** The error body for an API path, whether or not the path exists. */
export const surfaceOf = (pathname: string): "wallet" | "resource" =>
  RESOURCES.test(pathname) ? "resource" : "wallet";
