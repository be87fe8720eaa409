import type { Endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import { surfaceOf, unknownEndpoint } from "@/lib/http/unknown";
import { route } from "@/lib/wiring";

/** For unknown API paths: an error in the format of the neighbouring paths, rather than an HTML page. */
function refusing(method: Endpoint["method"]) {
  const refuse = async () => {
    throw edgeErrors.endpoint_not_found();
  };
  const handlers = {
    wallet: route(unknownEndpoint(method, "wallet"), refuse),
    resource: route(unknownEndpoint(method, "resource"), refuse),
  };
  return (req: Request) => handlers[surfaceOf(new URL(req.url).pathname)](req);
}

export const GET = refusing("GET");
export const POST = refusing("POST");
export const PATCH = refusing("PATCH");
export const DELETE = refusing("DELETE");
