import type { NextConfig } from "next";

/** Set for every request by lib/http/caller.ts, from Accept. */
const PREFERS_JSON = [{ type: "header" as const, key: "x-tessera-form", value: "json" }];

const nextConfig: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // No page uses /_next/image: without this, anybody can have uploads decoded and scaled there.
  images: { unoptimized: true },
  // `npm run check` does, and with the tests too.
  typescript: { ignoreBuildErrors: true },
  // Node loads it once for all of them, and the browser gets the sources (ops/compile-lib.ts).
  serverExternalPackages: ["@tessera/lib"],
  turbopack: {
    rules: {
      "*.ts": {
        condition: { all: [{ not: "browser" }, { path: /^lib\/.*\.ts$/ }] },
        loaders: ["./ops/lib-loader.cjs"],
        as: "*.cjs",
      },
    },
  },
  // Loading every route at the start spares the first visitors a wait, and costs a server that lives for seconds 3 s of CPU.
  experimental: {
    // What proxy.ts could read of a body, which Next keeps in memory. Routes with longer ones are not behind it.
    proxyClientMaxBodySize: 65_536,
    // Without it, a navigation or refresh that finds no network replaces the page by the browser's error page.
    useOffline: true,
    serverSourceMaps: process.env.SERVER_SOURCE_MAPS === "on",
    preloadEntriesOnStart: process.env.PRELOAD_ROUTES !== "off",
  },
  // What a page cannot say of itself in a <meta>.
  async headers() {
    const headers = [{ key: "Content-Security-Policy", value: "frame-ancestors 'none'" }];
    return [{ source: "/vault-exit.html", headers }];
  },
  async rewrites() {
    return {
      beforeFiles: [
        {
          // One URL for a receipt: a page for people, JSON for programs.
          source: "/receipt/:settlementId",
          has: PREFERS_JSON,
          // How the page itself asks for its next state.
          missing: [{ type: "header", key: "rsc" }],
          destination: "/api/settlements/:settlementId",
        },
        {
          // One URL for a payment link: a checkout for people, x402 for programs.
          source: "/pay/:linkId",
          has: PREFERS_JSON,
          missing: [{ type: "header", key: "rsc" }],
          destination: "/paymentlink/:linkId",
        },
        ...["x-payment", "payment-signature", "sign-in-with-x"].map((key) => ({
          source: "/pay/:linkId",
          has: [{ type: "header" as const, key }],
          destination: "/paymentlink/:linkId",
        })),
        {
          source: "/pay/:linkId",
          has: [{ type: "header" as const, key: "authorization", value: "[Pp][Aa][Yy][Mm][Ee][Nn][Tt] .*" }],
          destination: "/paymentlink/:linkId",
        },
        // Every page of the documentation is also Markdown.
        { source: "/docs.md", destination: "/docs/markdown" },
        { source: "/docs/:path(.+)\\.md", destination: "/docs/markdown/:path" },
        { source: "/docs/search.json", destination: "/docs/markdown/search.json" },
        {
          source: "/docs/:path*",
          has: [{ type: "header", key: "accept", value: "(.*)text/markdown(.*)" }],
          destination: "/docs/markdown/:path*",
        },
      ],
      afterFiles: [],
      fallback: [],
    };
  },
};

export default nextConfig;
