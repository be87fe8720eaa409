import { afterAll, beforeAll, expect, test } from "vitest";
import { newOwner } from "../support/actors";
import { call, fetchPath } from "../support/http";
import { jpegOf, pngOf, webpOf } from "../support/images";
import { shopOf } from "../support/link-files";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { createWorld, type World } from "../support/world";

let world: World;
let seller: Parties;
let closeSystem: () => Promise<void>;
beforeAll(async () => {
  world = await createWorld();
  ({ closeSystem } = await import("../support/wiring"));
  seller = await linkedPair();
});
afterAll(async () => {
  await closeSystem();
  await world.stop();
});

async function makeLink(json: object): Promise<string> {
  const { body } = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json });
  return (body as Json).paymentLink.linkId;
}

/** Width and height from the header of a PNG. */
async function sizeOf(answer: Response): Promise<[number, number]> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test("a link has a picture for previews, of any price, also when it cannot be paid", async () => {
  const links = [
    await makeLink({ amount: "1250000", description: "<b>أخبار 新闻 😀</b>" }),
    await makeLink({ amount: "123456789012345678", network: "base-sepolia" }),
  ];
  const disabled = await makeLink({ amount: "1250000" });
  await call("PATCH", `/api/payment-links/${disabled}`, { bearer: seller.agent.jwt, json: { status: "disabled" } });
  for (const linkId of [...links, disabled]) {
    const answer = await fetchPath("GET", `/api/payment-links/${linkId}/picture`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(await sizeOf(answer)).toEqual([1200, 630]);
  }
  const documented = await call("GET", `/api/payment-links/${disabled}/picture`);
  expect(documented.headers.get("cache-control")).toBe("public, max-age=60");
});

test("the picture has the link's image, if it can be drawn in little time", async () => {
  const { uploadedImage } = shopOf(() => seller);
  const drawn = async (image: Buffer): Promise<{ isPlain: boolean; size: [number, number] }> => {
    const { imageId } = await uploadedImage(image);
    const answer = await fetchPath("GET", `/api/payment-links/${await makeLink({ amount: "4", imageId })}/picture`);
    expect(answer.status).toBe(200);
    const bytes = await answer.clone().arrayBuffer();
    return { isPlain: Buffer.from(bytes).equals(plain), size: await sizeOf(answer) };
  };
  const without = await fetchPath("GET", `/api/payment-links/${await makeLink({ amount: "4" })}/picture`);
  const plain = Buffer.from(await without.arrayBuffer());
  const size = [1200, 630];
  expect(await drawn(pngOf(300, 200))).toEqual({ isPlain: false, size });
  expect(await drawn(jpegOf(300, 200))).toEqual({ isPlain: false, size });
  // A kind of colours that does not exist: the structure is right, and no decoder draws it.
  expect(await drawn(Buffer.from(pngOf(300)).fill(7, 25, 26))).toMatchObject({ size });
  expect(await drawn(webpOf(300, 200))).toEqual({ isPlain: true, size });
  expect(await drawn(pngOf(2_049, 2_048))).toEqual({ isPlain: true, size });
});

test("there is no picture of a link that does not exist", async () => {
  const owner = await newOwner();
  const unknown = await call("GET", "/api/payment-links/lnk_000000000000000000000000/picture", {
    session: owner.session,
  });
  expect([unknown.status, unknown.body]).toMatchObject([404, { code: "LINK_NOT_FOUND" }]);
});
