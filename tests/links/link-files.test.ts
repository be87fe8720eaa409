import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type FileId, newId, type SettlementId } from "@/lib/core/ids";
import { FILE_BYTES_MAX, STORED_BYTES_MAX } from "@/lib/links/files/limits";
import * as files from "@/lib/links/files/service";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, call, fetchPath } from "../support/http";
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
const { upload, uploaded, createLink, created, editLink } = shopOf(() => seller);
async function buyAt(linkId: string): Promise<Json> {
  const headers = paying(claimFrom(service.payer(), payTo, AMOUNT));
  const response = await call("GET", `/paymentlink/${linkId}`, { headers });
  expect([response.status, response.body]).toMatchObject([200, { status: "success" }]);
  return response.body;
}
/** The number of files of the sellers, and of `parties`. */
async function stored(...parties: Parties[]): Promise<number> {
  const agentIds = [seller, otherParties, ...parties].map(({ agent }) => agent.agentId);
  const [row] = await service.opened.sql`select count(*)::int as n from link_files
    where owner_id in (select owner_id from agents where id = any(${agentIds}))`;
  return row?.n;
}
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a file that a link sells", () => {
  test("is delivered to its buyer byte for byte, under its file name", async () => {
    const bytes = bytesOf(700_001);
    const file = await uploaded(bytes, "Bericht für März.pdf");
    expect(file).toEqual({
      fileId: expect.stringMatching(/^fil_[0-9A-Za-z]{24}$/),
      name: "Bericht für März.pdf",
      bytes: 700_001,
      sha256: sha256(bytes),
    });
    const link = await created({ fileId: file.fileId, resourceContent: "read me" });
    expect(link.file).toEqual(file);
    const required = await call("GET", `/paymentlink/${link.linkId}`);
    expect(required.text).not.toContain(file.fileId);

    const purchase = await buyAt(link.linkId);
    const path = `/api/agents/${seller.agent.agentId}/link-files`;
    const unnamed = await call("POST", path, { session: seller.owner.session, raw: bytes });
    expect(body(unnamed).file).toMatchObject({ name: "file", sha256: sha256(bytes) });
    const { fileId: _, ...rest } = file;
    expect(purchase).toMatchObject({ resource: "read me", file: { ...rest, urlExpiresAt: expect.any(String) } });
    const response = await downloaded(purchase.file.url);
    expect(response.status).toBe(200);
    expect(response.bytes.equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "700001",
      "content-disposition": `attachment; filename="Bericht f_r M_rz.pdf"; filename*=UTF-8''Bericht%20f%C3%BCr%20M%C3%A4rz.pdf`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, no-store",
    });
  });

  test("has a new download URL each time the purchase is read, and only for a reader with the purchase's key", async () => {
    const bytes = bytesOf(10);
    const { linkId } = await created({ fileId: (await uploaded(bytes)).fileId });
    const { settlementId, contentUrl } = await buyAt(linkId);
    const key = new URL(contentUrl).searchParams.get("key") ?? "";
    const read = async (query: string) => body(await call("GET", `/api/settlements/${settlementId}${query}`));
    const { file } = await read(`?key=${key}`);
    expect((await downloaded(file.url)).bytes.equals(bytes)).toBe(true);
    expect(await read("")).not.toHaveProperty("file");
    expect(await read("?key=wrong")).not.toHaveProperty("file");
  });

  test("stays the one that was sold when the link gets another file or none", async () => {
    const [old, next] = [bytesOf(20), bytesOf(30)];
    const link = await created({ fileId: (await uploaded(old, "old.bin")).fileId });
    const first = await buyAt(link.linkId);
    const replacing = await uploaded(next, "next.bin");
    expect(body(await editLink(link.linkId, { fileId: replacing.fileId })).paymentLink.file).toEqual(replacing);
    const second = await buyAt(link.linkId);
    expect(body(await editLink(link.linkId, { fileId: null })).paymentLink).not.toHaveProperty("file");
    expect(await buyAt(link.linkId)).not.toHaveProperty("file");
    expect((await downloaded(first.file.url)).bytes.equals(old)).toBe(true);
    expect((await downloaded(second.file.url)).bytes.equals(next)).toBe(true);
  });
});

describe("the download URL of a file", () => {
  test("is refused once it is changed or has expired", async () => {
    const [one, two] = [await uploaded(bytesOf(5)), await uploaded(bytesOf(6))];
    const sale = newId("settlement");
    const { url } = await files.signed(service.opened.system, sale, one);
    expect((await downloaded(url)).status).toBe(200);
    const changed = (name: string, value: string) => {
      const other = new URL(url);
      other.searchParams.set(name, value);
      return pathOf(other.href);
    };
    const signature = new URL(url).searchParams.get("signature") ?? "";
    for (const path of [
      changed("sale", newId("settlement")),
      changed("expires", "4102444800"),
      changed("signature", `${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`),
      changed("signature", ""),
      pathOf(url).replace(one.fileId, two.fileId),
      pathOf(url).replace(one.fileId, newId("file")),
    ])
      expectRefused(await call("GET", path), 404, "FILE_NOT_FOUND");
    const past = { ...service.opened.system, now: () => new Date(Date.now() - 3_601_000) };
    const late = await files.signed(past, sale as SettlementId, one);
    expectRefused(await call("GET", pathOf(late.url)), 410, "FILE_URL_EXPIRED");
    for (const path of [
      changed("expires", "-1"),
      changed("sale", "x"),
      `/api/payment-links/files/${one.fileId}`,
      "/api/payment-links/files/nobody",
    ])
      expect((await call("GET", path)).status).toBe(400);
    expect((await call("GET", pathOf(url))).status).toBe(200);
  });
});

test("one sale has only a few simultaneous downloads, however slowly they are read", async () => {
  const file = await uploaded(new Uint8Array(FILE_BYTES_MAX));
  const { url } = await files.signed(service.opened.system, newId("settlement"), file);
  const unread = await Promise.all(Array.from({ length: 4 }, () => fetchPath("GET", pathOf(url))));
  expect(unread.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const refusal = await call("GET", pathOf(url));
  expectRefused(refusal, 429, "RATE_LIMITED", { retryAfterSeconds: 10 });
  expect(refusal.headers.get("retry-after")).toBe("10");
  await Promise.all(unread.map(({ body }) => body?.cancel()));
  await expect.poll(async () => (await downloaded(url)).status).toBe(200);
});

describe("an upload is refused and nothing is stored", () => {
  test.each([...["", " ", "..", "../x", "a/b", "a\\b", "a\nb", "x\u202efdp.exe", "x".repeat(151), ".x", "x."]])(
    "for the file name %j",
    async (name) => {
      const storedBefore = await stored();
      expect((await upload(bytesOf(3), name)).status).toBe(400);
      expect(await stored()).toBe(storedBefore);
    },
  );

  test("for an empty file, and for one that is too large", async () => {
    const storedBefore = await stored();
    expectRefused(await upload(new Uint8Array()), 400, "file_empty");
    expectRefused(await upload(new Uint8Array(FILE_BYTES_MAX + 1)), 413, "body_too_large", {
      bytesMax: FILE_BYTES_MAX,
    });
    expect(await stored()).toBe(storedBefore);
  });

  test("only above the size limit: a file of exactly the limit is stored", async () => {
    expect((await uploaded(new Uint8Array(FILE_BYTES_MAX))).bytes).toBe(FILE_BYTES_MAX);
  });

  test("with an Idempotency-Key, because the same key could come with other bytes", async () => {
    const storedBefore = await stored();
    for (const name of ["idempotency-key", "x-idempotency-key"]) {
      const response = await call("POST", `/api/agents/${seller.agent.agentId}/link-files?name=x`, {
        session: seller.owner.session,
        headers: { [name]: "once" },
        raw: bytesOf(3),
      });
      expectRefused(response, 400, "invalid_request");
    }
    expect(await stored()).toBe(storedBefore);
  });

  test("for another owner's agent, and without a session", async () => {
    const storedBefore = await stored();
    const crossed = { owner: otherParties.owner, agent: seller.agent };
    expectRefused(await upload(bytesOf(3), "x", crossed), 404, "agent_not_found");
    const path = `/api/agents/${seller.agent.agentId}/link-files?name=x`;
    expect((await call("POST", path, { raw: bytesOf(3) })).status).toBe(401);
    expect(await stored()).toBe(storedBefore);
  });

  test("when the owner's files have reached the storage limit", async () => {
    const parties = await linkedPair();
    const file = body(await upload(bytesOf(3), "x", parties)).file;
    await service.opened.sql`update link_files set bytes = ${STORED_BYTES_MAX - 2} where file_id = ${file.fileId}`;
    expect((await upload(bytesOf(2), "x", parties)).status).toBe(200);
    const storedBefore = await stored(parties);
    expectRefused(await upload(bytesOf(1), "x", parties), 409, "files_full", { bytesMax: STORED_BYTES_MAX });
    expect(await stored(parties)).toBe(storedBefore);
  });
});

test("a link accepts only complete files of its agent's owner", async () => {
  const foreign = body(await upload(bytesOf(3), "x", otherParties)).file;
  const begun = newId("file") as FileId;
  const [owner] = await service.opened.sql`select owner_id from agents where id = ${seller.agent.agentId}`;
  await service.opened.sql`insert into link_files ${service.opened.sql({
    file_id: begun,
    owner_id: owner?.owner_id,
    name: "x",
    bytes: 0,
    sha256: "",
    created_at: new Date(),
  })}`;
  const link = await created({});
  for (const fileId of [foreign.fileId, begun, newId("file")]) {
    expectRefused(await createLink({ fileId }), 404, "FILE_NOT_FOUND");
    expectRefused(await editLink(link.linkId, { fileId }), 404, "FILE_NOT_FOUND");
  }
  const { session } = seller.owner;
  const path = `/api/agents/${seller.agent.agentId}/payment-links`;
  const json = { fileId: foreign.fileId };
  expectRefused(await call("POST", path, { session, json: { amount: "1", ...json } }), 404, "file_not_found");
  expectRefused(await call("PATCH", `${path}/${link.linkId}`, { session, json }), 404, "file_not_found");
  for (const fileId of ["x", 1, "lnk_000000000000000000000000"])
    expect((await createLink({ fileId })).status).toBe(400);
  const read = await call("GET", `/api/payment-links/${link.linkId}`, { bearer: seller.agent.jwt });
  expect(body(read).paymentLink).toEqual(link);
});
