import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { type Answer, BASE_URL, call, fetchPath } from "./http";
import type { Json, Parties } from "./mandates";

/** Links, files and images of a seller, over the API. */
export function shopOf(seller: () => Parties) {
  const body = (answer: Answer) => answer.body as Json;
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
      const answer = await uploadImage(bytes);
      expect([answer.status, answer.body]).toMatchObject([200, { status: "ok" }]);
      return body(answer).image;
    },
    createLink,
    async uploaded(bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<Json> {
      const answer = await upload(bytes, name);
      expect([answer.status, answer.body]).toMatchObject([200, { status: "ok" }]);
      return body(answer).file;
    },
    async created(json: object): Promise<Json> {
      const answer = await createLink(json);
      expect([answer.status, answer.body]).toMatchObject([200, { success: true }]);
      return body(answer).paymentLink;
    },
    editLink: (linkId: string, json: object) =>
      call("PATCH", `/api/payment-links/${linkId}`, { bearer: seller().agent.jwt, json }),
    removeLink: (linkId: string) => call("DELETE", `/api/payment-links/${linkId}`, { bearer: seller().agent.jwt }),
  };
}

export const bytesOf = (size: number) => new Uint8Array(randomBytes(size));
export const pathOf = (url: string) => url.slice(BASE_URL.length);

export async function downloaded(url: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const answer = await fetchPath("GET", pathOf(url));
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}
