import { edgeErrors } from "./errors";

/** The token of `Authorization: Bearer …` (RFC 6750), or null when the header is missing or has another scheme. */
export function bearerToken(req: Request): string | null {
  const match = /^Bearer +([^\s,]+)$/i.exec(req.headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}

/** Throws origin_not_allowed if another site's page sent a state-changing request with a session cookie. */
export function assertOwnOrigin(req: Request, baseUrl: string): void {
  if (req.method === "GET" || req.method === "HEAD") return;
  if (req.headers.get("origin") !== new URL(baseUrl).origin) throw edgeErrors.origin_not_allowed();
}
