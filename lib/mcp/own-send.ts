import { z } from "zod";
import type { Send } from "@/lib/platform/outbound";
import type { PurchaseView } from "@/lib/purchases/service";
import { type Api, type EndpointName, errorOf } from "./api";

export const jsonBody = z.record(z.string(), z.unknown());

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

/** What this service answered to a purchase at itself; null if it has not. Throws its refusal of an order that needed no payment. */
export function ownAnswer({ outcome, answer }: PurchaseView): z.output<typeof jsonBody> | null {
  if (!answer) return null;
  const body = jsonBody.catch({}).parse(answer.body ? JSON.parse(answer.body) : {});
  if (outcome === "not_required") throw errorOf(answer.status, body);
  return body;
}
