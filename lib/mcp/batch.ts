import { z } from "zod";
import { edgeErrors } from "@/lib/http/errors";

/** The only version with batches: 2025-06-18 removed them. It also counts for a client that names none (2025-06-18, transports). */
const BATCH_VERSION = "2025-03-26";
const BATCH_MAX = 20;

const INVALID_REQUEST = -32_600;
const REFUSED = -32_000;

/** `id` is missing in a notification, and null where it is invalid. */
const message = z
  .object({ id: z.union([z.string(), z.number()]).nullish().catch(null), method: z.unknown() })
  .catch({ id: null, method: null });
const response = z.looseObject({ jsonrpc: z.literal("2.0") });
const refusal = z.looseObject({ message: z.string() });

/**
 * The responses to the members of a batch, each handled by `send` as a request of its own, with its own work and limits: the refusal of one
 * changes nothing for the others. Throws invalid_request.
 */
export async function respondToBatch(
  req: Request,
  members: readonly unknown[],
  send: (req: Request) => Promise<Response>,
): Promise<Response> {
  const version = req.headers.get("mcp-protocol-version");
  if (version !== null && version !== BATCH_VERSION)
    throw edgeErrors.invalid_request({
      message: `Send one JSON-RPC message, not a batch: only protocol version ${BATCH_VERSION} has batches`,
    });
  if (members.length === 0 || members.length > BATCH_MAX)
    throw edgeErrors.invalid_request({ message: `A batch has 1 to ${BATCH_MAX} messages` });
  const responses = await Promise.all(members.map((member) => respondTo(req, member, send)));
  const bodies = responses.filter((body) => body !== null);
  return bodies.length === 0 ? new Response(null, { status: 202 }) : Response.json(bodies);
}

/** Null for a notification, which gets no response. */
async function respondTo(
  req: Request,
  member: unknown,
  send: (req: Request) => Promise<Response>,
): Promise<object | null> {
  const { id, method } = message.parse(member);
  const refuse = (code: number, message: string, data?: object) => ({
    jsonrpc: "2.0",
    id: id ?? null,
    error: { code, message, ...(data && { data }) },
  });
  if (Array.isArray(member)) return refuse(INVALID_REQUEST, "A batch cannot contain another");
  if (method === "initialize") return refuse(INVALID_REQUEST, "initialize cannot be part of a batch");
  const headers = new Headers(req.headers);
  headers.delete("content-length");
  const { url, signal } = req;
  const answer = await send(new Request(url, { method: "POST", headers, body: JSON.stringify(member), signal }));
  const text = await answer.text();
  const isNotification = typeof method === "string" && id === undefined;
  if (text === "" || isNotification) return null;
  const body: unknown = JSON.parse(text);
  const own = response.safeParse(body);
  if (own.success) return own.data;
  const refused = refusal.parse(body);
  return refuse(answer.status === 400 ? INVALID_REQUEST : REFUSED, refused.message, refused);
}
