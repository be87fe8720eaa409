import { endpoint } from "@/lib/core/endpoint";

export const getOpenApi = endpoint({
  method: "GET",
  path: "/openapi.json",
  summary: "This document: the API as OpenAPI 3.1",
  description:
    "Generate a client from it, or check one. It changes with a release only: send its `ETag` as `If-None-Match`. The same content for people is at `/docs/reference`.",
  auth: "none",
  surface: "resource",
  work: 16,
  response: { contentType: "application/json", hasETag: true },
  errors: {},
});
