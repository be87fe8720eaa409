import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { type Answer, BASE_URL, call, fetchPath } from "./http";
import type { Json, Parties } from "./mandates";

/** Links, files and images of a seller, over the API. */
export function shopOf(seller: () => Parties) {
  const body = (response: Answer) => response.body as Json;
  const upload = (bytes: Uint8Array<ArrayBuffer>, name = "report.pdf", { owner, agent }: Parties = seller()) =>
    call("POST", `/api/agents/${agent.agentId}/link-files?${new URLSearchParams({ name })}`, {
      session: owner.session,
      headers: { "content-type": "application/octet-stream" },
      raw: bytes,
    });
  const createLink = (json: object) =>
    call("POST", "/api/payment-links", { bearer: seller().agent.jwt, json: { amount: "10000", ...json } });
  const uploadImage = (bytes: Buffer, { owner, agent }: Parties = seller()) =>
    call("POST", `/api/agents/${agent.agentId}/link-images`, {
      session: owner.session,
      headers: { "content-type": "application/octet-stream" },
      raw: new Uint8Array(bytes),
    });
  return {
    upload,
    uploadImage,
    async uploadedImage(bytes: Buffer): Promise<Json> {
      const response = await uploadImage(bytes);
      expect([response.status, response.body]).toMatchObject([200, { status: "ok" }]);
      return body(response).image;
    },
    createLink,
    async uploaded(bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<Json> {
      const response = await upload(bytes, name);
      expect([response.status, response.body]).toMatchObject([200, { status: "ok" }]);
      return body(response).file;
    },
    async created(json: object): Promise<Json> {
      const response = await createLink(json);
      expect([response.status, response.body]).toMatchObject([200, { success: true }]);
      return body(response).paymentLink;
    },
    editLink: (linkId: string, json: object) =>
      call("PATCH", `/api/payment-links/${linkId}`, { bearer: seller().agent.jwt, json }),
    removeLink: (linkId: string) => call("DELETE", `/api/payment-links/${linkId}`, { bearer: seller().agent.jwt }),
  };
}

export const bytesOf = (size: number) => new Uint8Array(randomBytes(size));
export const pathOf = (url: string) => url.slice(BASE_URL.length);

export async function downloaded(url: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetchPath("GET", pathOf(url));
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
