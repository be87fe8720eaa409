import { type NextRequest, NextResponse } from "next/server";
import { DEFAULT_LANGUAGE, LANGUAGE_COOKIE, LANGUAGE_PARAMETER } from "@/lib/core/language";
import { frameAncestors, isForFrames } from "@/lib/http/frames";
import { isForBuyers, LANGUAGE_HEADER, languageOf } from "@/lib/http/language";

/**
 * Sets a Content-Security-Policy with a fresh nonce on every page, and the language of pages for buyers. It only sets headers: routes and services decide about
 * access, never this file.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const isDevelopment = process.env.NODE_ENV === "development";
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // /sw.js: 'strict-dynamic' takes 'self' out of script-src.
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${await frameAncestors(pathname)}`,
  ].join("; ");
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("Content-Security-Policy", policy);
  // What others may frame is drawn for nobody in particular, also where the browser sends the cookie (another port or subdomain).
  if (isForFrames(pathname)) headers.delete("cookie");
  const sources = {
    parameter: request.nextUrl.searchParams.get(LANGUAGE_PARAMETER),
    // A frame has no cookies, or those of one browser and not of another: its language must not depend on them.
    cookie: isForFrames(pathname) ? null : request.cookies.get(LANGUAGE_COOKIE)?.value,
    accepted: request.headers.get("accept-language"),
  };
  headers.set(LANGUAGE_HEADER, isForBuyers(pathname) ? languageOf(sources) : DEFAULT_LANGUAGE);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

export const config = {
  // All paths that can return a page, including "not found". vault-exit.html has a policy of its own, which it keeps as a file. The API serves none, and its hot paths should not pay for this.
  matcher: [
    "/((?!api/|facilitator/(?:verify|settle|supported)$|_next/static/|pa(?:id|ss)/|unifypaymentlink/agentid/|(?:healthz|readyz|register|refresh|verify-vc|mcp(?:/[^/]+)?|oauth/(?:register|token|revoke)|openapi\\.json|tessera-client\\.tgz|public-key\\.pem|vault-exit\\.html|home\\.js|sw\\.js|icon\\.svg|favicon\\.ico)$|discovery/|\\.well-known/(?:security\\.txt|jwks\\.json|did\\.json|agent-identity|x402|erc7730(?:/[^/]+)?|oauth-(?:authorization-server|protected-resource(?:/mcp(?:/oauth)?)?))$|agent/(?:[^/]+|vc/issue)$|token/rotate$).*)",
  ],
};
