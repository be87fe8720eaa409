import type { Endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import { surfaceOf, unknownEndpoint } from "@/lib/http/unknown";
import { route } from "@/lib/wiring";

/** There is nothing at this path: said as the paths around it say what is wrong, and not with a page. */
function refusing(method: Endpoint["method"]) {
  const refuse = async () => {
    throw edgeErrors.endpoint_not_found();
  };
  const answers = {
    wallet: route(unknownEndpoint(method, "wallet"), refuse),
    resource: route(unknownEndpoint(method, "resource"), refuse),
  };
  return (req: Request) => answers[surfaceOf(new URL(req.url).pathname)](req);
}

export const GET = refusing("GET");
export const POST = refusing("POST");
export const PATCH = refusing("PATCH");
export const DELETE = refusing("DELETE");
