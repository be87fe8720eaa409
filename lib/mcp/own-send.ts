import type { Send } from "@/lib/platform/outbound";
import type { Api, EndpointName } from "./api";

/** For purchases at this service: calls the endpoint's own handler instead of the network. */
export const ownSend =
  (api: Api, endpoint: EndpointName, params: Record<string, string> = {}): Send =>
  async (_url, { headers, body }) => {
    const json: unknown = JSON.parse(String(body ?? "{}"));
    const response = await api.send(endpoint, { params, json, headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    return { isAnswered: true, status, headers: Object.fromEntries(response.headers), bytes, end: "whole" };
  };
