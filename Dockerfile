# The service as an image: docs/scaling.md. `docker build -t tessera .`
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/package.json
COPY packages/firewall/package.json packages/firewall/package.json
COPY packages/x402/package.json packages/x402/package.json
COPY dev/biome dev/biome
COPY ops/strip-packages.mjs ops/strip-packages.mjs
RUN npm ci
COPY . .
RUN npm run build
# The last stage has no compiler to read next.config.ts with.
RUN node ops/plain-config.mjs next.config.mjs
# `npm prune` removes what no lock file names, and with it the compiled lib.
RUN npm prune --omit=dev && npx tsx ops/compile-lib.ts && node ops/strip-packages.mjs node_modules && rm -rf .next/cache

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 MODE=production PORT=3000
WORKDIR /app
COPY --from=build /app/package.json /app/tsconfig.json /app/next.config.mjs ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
COPY --from=build /app/public public
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/docs docs
COPY --from=build /app/lib lib
COPY --from=build /app/ops ops
COPY --from=build /app/.next .next
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "ops/server/healthy.mjs"]
STOPSIGNAL SIGTERM
CMD ["node", "ops/server/start.mjs"]
