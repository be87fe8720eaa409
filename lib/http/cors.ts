/**
 * Pages on any origin may request a price, pay and read the receipt. Stock clients also send Access-Control-Expose-Headers, as a
 * request header.
 */
export const corsHeaders: readonly (readonly [string, string])[] = [
  ["Access-Control-Allow-Origin", "*"],
  [
    "Access-Control-Expose-Headers",
    "PAYMENT-REQUIRED, WWW-Authenticate, X-PAYMENT-RESPONSE, PAYMENT-RESPONSE, Payment-Receipt, X-Request-Id, Retry-After",
  ],
];

/** The OPTIONS handler of every paid resource. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: [
      ...corsHeaders.map(([name, value]): [string, string] => [name, value]),
      ["Access-Control-Allow-Methods", "GET, POST, OPTIONS"],
      [
        "Access-Control-Allow-Headers",
        "Content-Type, Authorization, X-Payment, Payment-Signature, Sign-In-With-X, Accept-Payment, X-Agent-ID, Idempotency-Key, Access-Control-Expose-Headers",
      ],
      ["Access-Control-Max-Age", "600"],
    ],
  });
