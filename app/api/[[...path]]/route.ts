import { z } from "zod";
import { type Endpoint, endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import { route } from "@/lib/wiring";

/** Paths of resources that agents sell and of their payments. All other paths belong to the wallet. */
const RESOURCES = /^\/api\/(invoices|payment-links|received-payments|settlements|transaction-firewall)(\/|$)/;

/** For unknown API paths: an error in the format of the neighbouring paths, rather than an HTML page. Reads no body. */
function refusing(method: Endpoint["method"]) {
  const refusingAs = (surface: "wallet" | "resource") => {
    const unknown = endpoint({
      method,
      path: "/api/{…}",
      summary: "Unknown endpoint",
      description: "",
      auth: "none",
      surface,
      response: z.never(),
      errors: { endpoint_not_found: edgeErrors.table.endpoint_not_found },
    });
    return route(unknown, async () => {
      throw edgeErrors.endpoint_not_found();
    });
  };
  const [refuseInWallet, refuseInResources] = [refusingAs("wallet"), refusingAs("resource")];
  return (req: Request) => (RESOURCES.test(new URL(req.url).pathname) ? refuseInResources(req) : refuseInWallet(req));
}

export const GET = refusing("GET");
export const POST = refusing("POST");
export const PATCH = refusing("PATCH");
export const DELETE = refusing("DELETE");
