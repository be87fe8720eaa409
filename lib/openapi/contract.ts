import { endpoint } from "@/lib/core/endpoint";

export const getOpenApi = endpoint({
  method: "GET",
  path: "/openapi.json",
  summary: "This document: the API as OpenAPI 3.1",
  auth: "none",
  surface: "resource",
  work: 16,
  response: { contentType: "application/json", hasETag: true },
  errors: {},
});
