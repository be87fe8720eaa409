import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newId } from "@/lib/core/ids";
import * as files from "@/lib/links/files/service";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, call } from "../support/http";
import { bytesOf, downloaded, shopOf } from "../support/link-files";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { expectRefused } from "../support/refused";
import { shareService } from "../support/service";
import { claimFrom, freshAddress, paying } from "../support/system";

/** How long the service keeps a file, and whose it is. */

const payTo = freshAddress();
const AMOUNT = 10_000n;

const service = shareService();
let seller: Parties;

beforeAll(async () => {
  seller = await linkedPair();
  await setReceivingAddress(seller, payTo);
});

const body = (response: Answer) => response.body as Json;
const { uploaded, createLink, created, editLink, removeLink } = shopOf(() => seller);
async function buyAt(linkId: string): Promise<Json> {
  const headers = paying(claimFrom(service.payer(), payTo, AMOUNT));
  const response = await call("GET", `/paymentlink/${linkId}`, { headers });
  expect([response.status, response.body]).toMatchObject([200, { status: "success" }]);
  return response.body;
}

const DAY_MS = 86_500_000;
let days = 0;
/** Judges everything of the past, a day later than the call before. */
const passDay = async (): Promise<void> => {
  days += 1;
  const time = Date.now() + days * DAY_MS;
  const later = { ...service.opened.system, now: () => new Date(time) };
  while ((await files.forgetUnused(later, 5)) > 0);
};
const isKept = async ({ fileId }: Json): Promise<boolean> => {
  const [row] = await service.opened.sql`select exists (select from link_files where file_id = ${fileId}) as is_kept,
    exists (select from link_file_chunks where file_id = ${fileId}) as has_bytes`;
  expect(row?.has_bytes).toBe(row?.is_kept);
  return row?.is_kept;
};
const removed = async (linkId: string) => expect((await removeLink(linkId)).status).toBe(200);

test("a file is deleted with its bytes once no link has it", async () => {
  const unused = await uploaded(bytesOf(300_000));
  const [first, second, third] = [await uploaded(bytesOf(1)), await uploaded(bytesOf(2)), await uploaded(bytesOf(3))];
  const link = await created({ fileId: first.fileId });
  await editLink(link.linkId, { fileId: second.fileId });
  await editLink(link.linkId, { fileId: null });
  await editLink(link.linkId, { fileId: third.fileId });
  await passDay();
  expect(await Promise.all([unused, first, second, third].map(isKept))).toEqual([false, false, false, true]);
  await removed(link.linkId);
  expect(await isKept(third)).toBe(true);
  await passDay();
  expect(await isKept(third)).toBe(false);
  expectRefused(await createLink({ fileId: third.fileId }), 404, "FILE_NOT_FOUND");
});

test("a file stays while another link has it, and when it is set on the same link again", async () => {
  const file = await uploaded(bytesOf(4));
  const [one, two] = [await created({ fileId: file.fileId }), await created({ fileId: file.fileId })];
  expect((await editLink(two.linkId, { fileId: file.fileId })).status).toBe(200);
  await removed(one.linkId);
  await passDay();
  expect(await isKept(file)).toBe(true);
  await removed(two.linkId);
  await passDay();
  expect(await isKept(file)).toBe(false);
});

test("a file stays for its buyers, and while a payment for it can still settle", async () => {
  const [sold, open] = [await uploaded(bytesOf(5)), await uploaded(bytesOf(6))];
  const { linkId } = await created({ fileId: sold.fileId });
  const { settlementId, file } = await buyAt(linkId);
  // A second payment, which the chain has not seen.
  const [late, nonce] = [newId("settlement"), `0x${randomBytes(32).toString("hex")}`];
  const never = { tx_hash: null, block_number: null, ended_at: null, failure_code: "PAYMENT_EXPIRED" };
  const change = { id: late, nonce, state: "declined", ...never };
  await service.opened.sql`insert into settlements
    select (jsonb_populate_record(s, ${service.opened.sql.json(change)})).* from settlements s where id = ${settlementId}`;
  await service.opened
    .sql`insert into received_payments (settlement_id, agent_id, owner_id, source, link_id, file, created_at)
    select ${late}, agent_id, owner_id, source, link_id, ${service.opened.sql.json(open)}, created_at
    from received_payments where settlement_id = ${settlementId}`;
  await removed(linkId);
  await passDay();
  await passDay();
  expect(await Promise.all([sold, open].map(isKept))).toEqual([true, true]);
  expect((await downloaded(file.url)).status).toBe(200);
  await service.opened
    .sql`update settlements set state = 'void', ended_at = now(), block_number = 1 where id = ${late}`;
  await passDay();
  expect(await Promise.all([sold, open].map(isKept))).toEqual([true, false]);
  // The invariants would miss it on the chain.
  await service.opened.sql`delete from received_payments where settlement_id = ${late}`;
  await service.opened.sql`delete from settlements where id = ${late}`;
});

test("two links that exchange their files simultaneously do not deadlock", async () => {
  const [a, b] = [await uploaded(bytesOf(7)), await uploaded(bytesOf(8))];
  const [one, two] = [await created({ fileId: a.fileId }), await created({ fileId: b.fileId })];
  for (const [left, right] of [
    [b, a],
    [a, b],
  ]) {
    const responses = await Promise.all([
      editLink(one.linkId, { fileId: left.fileId }),
      editLink(two.linkId, { fileId: right.fileId }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  }
  await passDay();
  expect(await Promise.all([a, b].map(isKept))).toEqual([true, true]);
});

test("an agent whose link sells a file is bound to its owner", async () => {
  const parties = await linkedPair();
  const shop = shopOf(() => parties);
  const file = await shop.uploaded(bytesOf(9));
  const boundAt = async () =>
    (await service.opened.sql`select bound_at from agents where id = ${parties.agent.agentId}`)[0]
      ?.bound_at as Date | null;
  const link = await shop.created({});
  expect((await shop.editLink(link.linkId, { fileId: newId("file") })).status).toBe(404);
  expect(await boundAt()).toBeNull();
  expect((await shop.editLink(link.linkId, { fileId: file.fileId })).status).toBe(200);
  expect(await boundAt()).toBeInstanceOf(Date);
  expectRefused(await call("POST", "/api/agent/self/unlink", { bearer: parties.agent.jwt }), 409, "agent_bound");
  const next = await linkedPair();
  const created = await shopOf(() => next).created({
    fileId: body(await shop.upload(bytesOf(9), "x", next)).file.fileId,
  });
  expect(created.file).toMatchObject({ name: "x" });
  expectRefused(await call("POST", "/api/agent/self/unlink", { bearer: next.agent.jwt }), 409, "agent_bound");
});
