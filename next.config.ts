import type { NextConfig } from "next";

const nextConfig: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  serverExternalPackages: ["secp256k1", "pino", "pg"],
  experimental: { serverSourceMaps: false },
  async headers() {
    return [
      {
        source: "/:path*",
        headers: [
          { key: "X-Content-Type-Options", value: "nosniff" },
          { key: "X-Frame-Options", value: "DENY" },
          { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
          { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
          { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=()" },
        ],
      },
    ];
  },
  async rewrites() {
    return {
      beforeFiles: [
        {
          // One URL for a receipt: a page for people, JSON for whoever does not ask for HTML.
          source: "/receipt/:settlementId",
          missing: [
            { type: "header", key: "accept", value: "(.*)text/html(.*)" },
            // How the page itself asks for its next state.
            { type: "header", key: "rsc" },
          ],
          destination: "/api/settlements/:settlementId",
        },
      ],
      afterFiles: [],
      fallback: [],
    };
  },
};

export default nextConfig;
