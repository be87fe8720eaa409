import { z } from "zod";
import { type Endpoint, endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import { route } from "@/lib/wiring";

/** Paths of resources that agents sell and of their payments. All other paths belong to the wallet. */
const RESOURCES = /^\/api\/(invoices|payment-links|received-payments|settlements|transaction-firewall)(\/|$)/;

/** The endpoint for all unknown paths of a surface: it reads no body and returns 404. */
const refusingIn = (surface: "wallet" | "resource", method: Endpoint["method"]) =>
  route(
    endpoint({
      method,
      path: "/api/{…}",
      summary: "Unknown endpoint",
      description: "",
      auth: "none",
      surface,
      response: z.never(),
      errors: { endpoint_not_found: edgeErrors.table.endpoint_not_found },
    }),
    async () => {
      throw edgeErrors.endpoint_not_found();
    },
  );

/** For unknown API paths: an error in the format of the neighbouring paths, rather than an HTML page. */
function refusing(method: Endpoint["method"]) {
  const [wallet, resource] = [refusingIn("wallet", method), refusingIn("resource", method)];
  return (req: Request) => (RESOURCES.test(new URL(req.url).pathname) ? resource(req) : wallet(req));
}

export const GET = refusing("GET");
export const POST = refusing("POST");
export const PATCH = refusing("PATCH");
export const DELETE = refusing("DELETE");
