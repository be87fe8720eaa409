import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import { STORED_BYTES_MAX } from "@/lib/links/files/limits";
import { IMAGE_BYTES_MAX } from "@/lib/links/images/limits";
import * as images from "@/lib/links/images/service";
import { soldWith } from "@/lib/links/received/service";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call, fetchPath } from "../support/http";
import {
  chunk,
  exifOf,
  exifSegment,
  jpegOf,
  PNG_SIGNATURE,
  pngHeader,
  pngOf,
  segment,
  webpOf,
} from "../support/images";
import { bytesOf, downloaded, pathOf, shopOf } from "../support/link-files";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { expectRefused } from "../support/refused";
import { shareService } from "../support/service";
import { claimFrom, freshAddress, paying } from "../support/system";

const payTo = freshAddress();
const AMOUNT = 10_000n;

const service = shareService();
let seller: Parties;
let otherParties: Parties;

beforeAll(async () => {
  [seller, otherParties] = [await linkedPair(), await linkedPair()];
  await setReceivingAddress(seller, payTo);
});

const body = (response: Answer) => response.body as Json;
const { upload, uploadImage, uploadedImage, createLink, created, editLink, removeLink } = shopOf(() => seller);
/** The number of images of the sellers, and of `parties`. */
async function stored(...parties: Parties[]): Promise<number> {
  const agentIds = [seller, otherParties, ...parties].map(({ agent }) => agent.agentId);
  const [row] = await service.opened.sql`select count(*)::int as n from link_images
    where owner_id in (select owner_id from agents where id = any(${agentIds}))`;
  return row?.n;
}
const isKept = async ({ imageId }: Json): Promise<boolean> =>
  (await service.opened.sql`select exists (select from link_images where image_id = ${imageId}) as is`)[0]?.is;
const SCRIPT = Buffer.from("<script>alert(1)</script>");

describe("an image of a link", () => {
  test.each([
    ["image/png", pngOf(100, 80, { middle: [chunk("tEXt", SCRIPT), chunk("eXIf", exifOf(1))] }), pngOf(100, 80)],
    ["image/jpeg", jpegOf(100, 80, [exifSegment(exifOf(1)), segment(0xfe, SCRIPT)]), jpegOf(100, 80)],
    ["image/webp", Buffer.concat([webpOf(100, 80), SCRIPT]), webpOf(100, 80)],
  ])(
    "as %s is served so that no browser runs it, and without the location where it was taken",
    async (type, file, plain) => {
      const image = await uploadedImage(file);
      const { imageId, url } = image;
      expect(imageId).toMatch(/^img_[0-9A-Za-z]{24}$/);
      const bytes = plain.length;
      expect(image).toEqual({ imageId, type, width: 100, height: 80, bytes, url: `${BASE_URL}${pathOf(url)}` });
      const link = await created({ imageId });
      expect(link.image).toEqual(image);
      const response = await downloaded(url);
      expect(response.status).toBe(200);
      expect(response.bytes.equals(plain)).toBe(true);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": type,
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "public, max-age=31536000, immutable",
      });
      expect(response.headers.get("set-cookie")).toBeNull();
      expect((await call("GET", pathOf(url))).status).toBe(200);
    },
  );

  test("is replaced or removed; the old image is deleted, and its URL becomes 404", async () => {
    const [first, second] = [await uploadedImage(pngOf(64)), await uploadedImage(pngOf(65))];
    const link = await created({ imageId: first.imageId, title: "A mug" });
    expect(body(await editLink(link.linkId, { imageId: second.imageId })).paymentLink.image).toEqual(second);
    expectRefused(await call("GET", pathOf(first.url)), 404, "IMAGE_NOT_FOUND");
    expectRefused(await editLink(link.linkId, { imageId: first.imageId }), 404, "IMAGE_NOT_FOUND");
    expect(body(await editLink(link.linkId, { imageId: second.imageId })).paymentLink.image).toEqual(second);
    expect(body(await editLink(link.linkId, { title: "Another mug" })).paymentLink.image).toEqual(second);
    expect((await call("GET", pathOf(second.url))).status).toBe(200);
    expect(body(await editLink(link.linkId, { imageId: null })).paymentLink).not.toHaveProperty("image");
    expect(await Promise.all([first, second].map(isKept))).toEqual([false, false]);
    const [event] = await service.opened.sql`select meta from events where subject = ${link.linkId}
      and type = 'payment_link.updated' order by created_at desc, id desc limit 1`;
    expect(event?.meta).toMatchObject({ changed: ["image"], from: { image: { imageId: second.imageId } } });
  });

  test("can be changed by the owner and by the agent", async () => {
    const image = await uploadedImage(jpegOf(64));
    const { session } = seller.owner;
    const path = `/api/agents/${seller.agent.agentId}/payment-links`;
    const createdResponse = await call("POST", path, { session, json: { amount: "1", imageId: image.imageId } });
    const { linkId } = body(createdResponse).paymentLink;
    expect(body(createdResponse).paymentLink.image).toEqual(image);
    const changed = await call("PATCH", `${path}/${linkId}`, { session, json: { imageId: null } });
    expect(body(changed).paymentLink).not.toHaveProperty("image");
  });

  test("is deleted with its link, unless another link has it", async () => {
    const image = await uploadedImage(webpOf(64));
    const [one, two] = [await created({ imageId: image.imageId }), await created({ imageId: image.imageId })];
    expect((await removeLink(one.linkId)).status).toBe(200);
    expect((await fetchPath("GET", pathOf(image.url))).status).toBe(200);
    expect((await removeLink(two.linkId)).status).toBe(200);
    expect(await isKept(image)).toBe(false);
    expectRefused(await call("GET", pathOf(image.url)), 404, "IMAGE_NOT_FOUND");
  });

  test("stays while one link has it, also when two links exchange their images simultaneously", async () => {
    const [a, b] = [await uploadedImage(pngOf(66)), await uploadedImage(pngOf(67))];
    const [one, two] = [await created({ imageId: a.imageId }), await created({ imageId: b.imageId })];
    const third = await created({ imageId: a.imageId });
    await editLink(third.linkId, { imageId: b.imageId });
    for (const [left, right] of [
      [b, a],
      [a, b],
      [b, a],
    ]) {
      const responses = await Promise.all([
        editLink(one.linkId, { imageId: left.imageId }),
        editLink(two.linkId, { imageId: right.imageId }),
      ]);
      // One can lose its image to the other's change: then the whole edit is refused.
      for (const response of responses) expect([200, 404]).toContain(response.status);
    }
    for (const { linkId } of [one, two]) {
      const read = await call("GET", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt });
      expect(await isKept(body(read).paymentLink.image)).toBe(true);
    }
  });

  test("is deleted after a day if no link uses it", async () => {
    const [unused, used] = [await uploadedImage(pngOf(68)), await uploadedImage(pngOf(69))];
    await created({ imageId: used.imageId });
    const later = (milliseconds: number) => {
      const time = Date.now() + milliseconds;
      return images.forgetUnused({ ...service.opened.system, now: () => new Date(time) }, 1_000);
    };
    await later(86_000_000);
    expect(await isKept(unused)).toBe(true);
    expect(await later(86_500_000)).toBeGreaterThan(0);
    expect(await Promise.all([unused, used].map(isKept))).toEqual([false, true]);
  });

  test("is on the buyer's receipt until the link gets another one; the title and the tax note stay", async () => {
    const image = await uploadedImage(pngOf(70));
    const { linkId } = await created({ imageId: image.imageId, title: "A mug", taxNote: "VAT DE 1" });
    const boughtResponse = await call("GET", `/paymentlink/${linkId}`, {
      headers: paying(claimFrom(service.payer(), payTo, AMOUNT)),
    });
    expect([boughtResponse.status, boughtResponse.body]).toMatchObject([200, { status: "success" }]);
    const readSold = () => soldWith(service.opened.system, body(boughtResponse).settlementId);
    const asSold = { imageId: image.imageId, alt: "A mug" };
    const order = { quantity: null, answers: null };
    expect(await readSold()).toEqual({ image: asSold, title: "A mug", taxNote: "VAT DE 1", ...order });
    await editLink(linkId, { title: "Gold", taxNote: "VAT DE 2" });
    expect(await readSold()).toEqual({ image: asSold, title: "A mug", taxNote: "VAT DE 1", ...order });
    await editLink(linkId, { imageId: (await uploadedImage(pngOf(71))).imageId });
    expect(await readSold()).toEqual({ image: null, title: "A mug", taxNote: "VAT DE 1", ...order });
  });
});

describe("an upload is refused and nothing is stored", () => {
  test.each<[string, Buffer, string]>([
    ["nothing", Buffer.alloc(0), "type"],
    ["HTML", SCRIPT, "type"],
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"), "type"],
    ["a GIF", Buffer.from("GIF89a"), "type"],
    ["HTML after the header of a PNG", Buffer.concat([PNG_SIGNATURE, pngHeader(64, 64), SCRIPT]), "damaged"],
    ["a PNG that is cut off", pngOf(64).subarray(0, 60), "damaged"],
    ["a JPEG that is cut off", jpegOf(64).subarray(0, -3), "damaged"],
    ["a WebP that is cut off", webpOf(64).subarray(0, -1), "damaged"],
    ["an animation", pngOf(64, 64, { middle: [chunk("acTL", Buffer.alloc(8))] }), "animated"],
    ["a photo that its metadata turns", jpegOf(64, 64, [exifSegment(exifOf(6))]), "rotated"],
    ["a side of 63 pixels", pngOf(64, 63), "too_small"],
    ["a side of 4097 pixels", pngOf(4_097, 64), "too_large"],
    ["sides that would fill the memory", Buffer.concat([PNG_SIGNATURE, pngHeader(100_000, 100_000)]), "too_large"],
  ])("for %s", async (_, file, reason) => {
    const storedBefore = await stored();
    expectRefused(await uploadImage(file), 400, "image_invalid", { reason });
    expect(await stored()).toBe(storedBefore);
  });

  test("above 1 MB; an image of exactly 1 MB with the largest sides is stored", async () => {
    const storedBefore = await stored();
    const { length } = pngOf(4_096);
    const filled = (size: number) => pngOf(4_096, 4_096, { padding: size - length });
    expectRefused(await uploadImage(filled(IMAGE_BYTES_MAX + 1)), 413, "body_too_large", { bytesMax: IMAGE_BYTES_MAX });
    expect(await stored()).toBe(storedBefore);
    expect(body(await uploadImage(filled(IMAGE_BYTES_MAX))).image).toMatchObject({
      width: 4_096,
      height: 4_096,
      bytes: IMAGE_BYTES_MAX,
    });
  });

  test("for another owner's agent, and without a session", async () => {
    const storedBefore = await stored();
    expectRefused(
      await uploadImage(pngOf(64), { owner: otherParties.owner, agent: seller.agent }),
      404,
      "agent_not_found",
    );
    const path = `/api/agents/${seller.agent.agentId}/link-images`;
    const raw = new Uint8Array(pngOf(64));
    expect((await call("POST", path, { raw })).status).toBe(401);
    expect((await call("POST", path, { raw, bearer: seller.agent.jwt })).status).toBe(401);
    expect(await stored()).toBe(storedBefore);
  });

  test("with an Idempotency-Key", async () => {
    const path = `/api/agents/${seller.agent.agentId}/link-images`;
    const headers = { "idempotency-key": "once" };
    const response = await call("POST", path, {
      session: seller.owner.session,
      headers,
      raw: new Uint8Array(pngOf(64)),
    });
    expectRefused(response, 400, "invalid_request");
  });

  test("when the owner's files and images together have reached the storage limit", async () => {
    const parties = await linkedPair();
    const shop = shopOf(() => parties);
    const image = await shop.uploadedImage(pngOf(64));
    const file = body(await upload(bytesOf(3), "x", parties)).file;
    const remaining = STORED_BYTES_MAX - image.bytes;
    await service.opened.sql`update link_files set bytes = ${remaining - image.bytes} where file_id = ${file.fileId}`;
    await shop.uploadedImage(pngOf(64));
    const storedBefore = await stored(parties);
    expectRefused(await uploadImage(pngOf(64), parties), 409, "files_full", { bytesMax: STORED_BYTES_MAX });
    expectRefused(await upload(bytesOf(1), "x", parties), 409, "files_full", { bytesMax: STORED_BYTES_MAX });
    expect(await stored(parties)).toBe(storedBefore);
  });
});

test("a link accepts only images of its agent's owner", async () => {
  const foreign = body(await uploadImage(pngOf(64), otherParties)).image;
  const mine = await uploadedImage(pngOf(64));
  const link = await created({ imageId: mine.imageId });
  for (const imageId of [foreign.imageId, newId("image")]) {
    expectRefused(await createLink({ imageId }), 404, "IMAGE_NOT_FOUND");
    expectRefused(await editLink(link.linkId, { imageId }), 404, "IMAGE_NOT_FOUND");
  }
  const { session } = seller.owner;
  const ofOwner = `/api/agents/${seller.agent.agentId}/payment-links`;
  const taken = { imageId: foreign.imageId };
  expectRefused(await call("POST", ofOwner, { session, json: { amount: "1", ...taken } }), 404, "image_not_found");
  expectRefused(await call("PATCH", `${ofOwner}/${link.linkId}`, { session, json: taken }), 404, "image_not_found");
  const file = body(await upload(bytesOf(3))).file;
  for (const imageId of ["x", 1, file.fileId]) expect((await createLink({ imageId })).status).toBe(400);
  expect((await createLink({ fileId: mine.imageId })).status).toBe(400);
  // Nobody changes another owner's link.
  const path = `/api/agents/${otherParties.agent.agentId}/payment-links/${link.linkId}`;
  const json = { imageId: foreign.imageId };
  expectRefused(await call("PATCH", path, { session: otherParties.owner.session, json }), 404, "link_not_found");
  expect((await call("PATCH", path, { json })).status).toBe(401);
  const read = await call("GET", `/api/payment-links/${link.linkId}`, { bearer: seller.agent.jwt });
  expect(body(read).paymentLink).toEqual(link);
  expect(await Promise.all([mine, foreign].map(isKept))).toEqual([true, true]);
});

test("an agent whose link has an image is bound to its owner", async () => {
  const parties = await linkedPair();
  const shop = shopOf(() => parties);
  await shop.created({ imageId: (await shop.uploadedImage(pngOf(64))).imageId });
  expectRefused(await call("POST", "/api/agent/self/unlink", { bearer: parties.agent.jwt }), 409, "agent_bound");
});
