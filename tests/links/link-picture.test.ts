import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { PLAIN_FILE } from "@/lib/links/pictures/service";
import { newOwner } from "../support/actors";
import { call, fetchPath } from "../support/http";
import { jpegOf, pngOf, webpOf } from "../support/images";
import { shopOf } from "../support/link-files";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";

shareService();

let seller: Parties;
beforeAll(async () => {
  seller = await linkedPair();
});

async function makeLink(json: object): Promise<string> {
  const { body } = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json });
  return (body as Json).paymentLink.linkId;
}

const isOwn = (response: Response) => response.headers.get("cache-control") === "public, max-age=60";

/** The link's own picture, once it is drawn. */
async function drawnPicture(linkId: string): Promise<Response> {
  let response = await fetchPath("GET", `/api/payment-links/${linkId}/picture`);
  for (let tries = 0; !isOwn(response) && tries < 60; tries++) {
    await sleep(500);
    response = await fetchPath("GET", `/api/payment-links/${linkId}/picture`);
  }
  return response;
}

/** Width and height from the header of a PNG. */
async function sizeOf(response: Response): Promise<[number, number]> {
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test("a payment link has a preview picture for any price, also when it cannot be paid", {
  timeout: 240_000,
}, async () => {
  const links = [
    await makeLink({ amount: "1250000", description: "<b>أخبار 新闻 😀</b>" }),
    await makeLink({ amount: "123456789012345678", network: "base-sepolia" }),
  ];
  const disabled = await makeLink({ amount: "1250000" });
  await call("PATCH", `/api/payment-links/${disabled}`, { bearer: seller.agent.jwt, json: { status: "disabled" } });
  for (const linkId of [...links, disabled]) {
    const response = await drawnPicture(linkId);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(await sizeOf(response)).toEqual([1200, 630]);
  }
  await call("GET", `/api/payment-links/${disabled}/picture`);
});

test("of many preview pictures requested at once, only a few are drawn; the rest are plain for some seconds", async () => {
  const links: string[] = [];
  for (let index = 0; index < 16; index++) links.push(await makeLink({ amount: `${9_000_000 + index}` }));
  const responses = await Promise.all(links.map((linkId) => fetchPath("GET", `/api/payment-links/${linkId}/picture`)));
  expect(responses.map(({ status }) => status)).toEqual(links.map(() => 200));
  const plain = responses.filter((response) => !isOwn(response));
  // One is drawn and eight wait.
  expect(plain.length).toBeGreaterThanOrEqual(16 - 9);
  const file = readFileSync(PLAIN_FILE);
  for (const response of plain) {
    expect(response.headers.get("cache-control")).toBe("public, max-age=5");
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
  }
  const [first = ""] = links;
  expect(isOwn(await drawnPicture(first))).toBe(true);
});

test("the preview picture contains the link's image, if that can be drawn quickly", async () => {
  const { uploadedImage } = shopOf(() => seller);
  const drawn = async (image: Buffer): Promise<{ isPlain: boolean; size: [number, number] }> => {
    const { imageId } = await uploadedImage(image);
    const response = await drawnPicture(await makeLink({ amount: "4", imageId }));
    expect(response.status).toBe(200);
    const bytes = await response.clone().arrayBuffer();
    return { isPlain: Buffer.from(bytes).equals(plain), size: await sizeOf(response) };
  };
  const without = await drawnPicture(await makeLink({ amount: "4" }));
  const plain = Buffer.from(await without.arrayBuffer());
  const size = [1200, 630];
  expect(await drawn(pngOf(300, 200))).toEqual({ isPlain: false, size });
  expect(await drawn(jpegOf(300, 200))).toEqual({ isPlain: false, size });
  // A kind of colours that does not exist: the structure is right, and no decoder draws it.
  expect(await drawn(Buffer.from(pngOf(300)).fill(7, 25, 26))).toMatchObject({ size });
  expect(await drawn(webpOf(300, 200))).toEqual({ isPlain: true, size });
  expect(await drawn(pngOf(2_049, 2_048))).toEqual({ isPlain: true, size });
});

test("a link that does not exist has no preview picture", async () => {
  const owner = await newOwner();
  const unknown = await call("GET", "/api/payment-links/lnk_000000000000000000000000/picture", {
    session: owner.session,
  });
  expect([unknown.status, unknown.body]).toMatchObject([404, { code: "LINK_NOT_FOUND" }]);
});
