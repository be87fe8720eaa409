import { describe, expect, test } from "vitest";
import { newOwner, type TestOwner } from "../support/actors";
import { BASE_URL, call } from "../support/http";
import { chunk, pngOf } from "../support/images";
import type { Json } from "../support/mandates";
import { shareService } from "../support/service";

shareService();

const NONE = { name: null, support: null, domain: null, logoUrl: null };
const read = async ({ session }: TestOwner): Promise<Json> =>
  ((await call("GET", "/api/seller/profile", { session })).body as Json).profile;
const edit = ({ session }: TestOwner, json: object) => call("PATCH", "/api/seller/profile", { session, json });
const upload = ({ session }: TestOwner, file: Buffer) =>
  call("POST", "/api/seller/logo", { session, json: { data: file.toString("base64") } });

const png = (side: number, note = "") =>
  pngOf(side, side, { middle: note === "" ? [] : [chunk("tEXt", Buffer.from(note))] });

describe("a seller's profile", () => {
  test("is empty at first, then what its owner writes, and nobody else's", async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    expect(await read(owner)).toEqual(NONE);
    const filled = { name: "Zoë's shop", support: "help@shop.example" };
    expect(await edit(owner, filled)).toMatchObject({ status: 200, body: { profile: { ...NONE, ...filled } } });
    expect((await edit(owner, { support: null })).body).toMatchObject({
      profile: { name: filled.name, support: null },
    });
    expect((await edit(owner, {})).status).toBe(200);
    expect(await read(stranger)).toEqual(NONE);
  });

  test.each<[string, unknown]>([
    ...["", " ", "a\nb", "\u202e", "x".repeat(101), 1].map((bad): [string, unknown] => ["name", bad]),
    ...["", "shop", "javascript:alert(1)", "http://a.example", "a@b.c?bcc=d", 1].map((bad): [string, unknown] => [
      "support",
      bad,
    ]),
  ])("refuses the %s %j", async (field, bad) => {
    const owner = await newOwner();
    expect(await edit(owner, { [field]: bad })).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(await read(owner)).toEqual(NONE);
  });
});

describe("a seller's logo", () => {
  test("is served without metadata, so that no browser runs it, at a URL of its own", async () => {
    const owner = await newOwner();
    const set = await upload(owner, png(8, "<script>alert(1)</script>"));
    expect(set.status).toBe(200);
    const { logoUrl } = (set.body as Json).profile;
    expect(logoUrl).toMatch(new RegExp(`^${BASE_URL}/api/seller-logos/[0-9a-f]{64}$`));
    const path = new URL(logoUrl).pathname;
    const served = await call("GET", path);
    expect(served.status).toBe(200);
    expect(served.text).not.toContain("script");
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(((await upload(owner, png(9))).body as Json).profile.logoUrl).not.toBe(logoUrl);
    expect(await call("GET", path)).toMatchObject({ status: 404, body: { code: "logo_not_found" } });
  });

  test("that two owners uploaded stays until both have removed it", async () => {
    const [one, otherOwner] = [await newOwner(), await newOwner()];
    const { logoUrl } = ((await upload(one, png(5))).body as Json).profile;
    expect(((await upload(otherOwner, png(5, "again"))).body as Json).profile.logoUrl).toBe(logoUrl);
    const path = new URL(logoUrl).pathname;
    expect((await call("DELETE", "/api/seller/logo", { session: one.session })).body).toMatchObject({ profile: NONE });
    expect((await call("GET", path)).status).toBe(200);
    await call("DELETE", "/api/seller/logo", { session: otherOwner.session });
    expect((await call("GET", path)).status).toBe(404);
  });

  test.each<[string, Buffer]>([
    ["HTML", Buffer.from("<script>alert(1)</script>")],
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a picture that is too wide", png(2_049).subarray(0, 5_000)],
    ["a picture that is cut off", png(8).subarray(0, 50)],
    ["nothing", Buffer.alloc(0)],
  ])("cannot be %s", async (_, file) => {
    const owner = await newOwner();
    expect(await upload(owner, file)).toMatchObject({ status: 400, body: { code: "logo_invalid" } });
    expect(await read(owner)).toEqual(NONE);
  });

  test("has at most 200 KB", async () => {
    expect(await upload(await newOwner(), Buffer.alloc(210_000))).toMatchObject({ status: 400 });
  });
});
