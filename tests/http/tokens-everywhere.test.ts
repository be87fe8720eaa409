import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import type { Endpoint } from "@/lib/core/endpoint";
import { newId, type OwnerId } from "@/lib/core/ids";
import { confirmToken, unsubscribeToken } from "@/lib/notices/tokens";
import { endpoints, named } from "../support/endpoints";
import { newKey } from "../support/facilitator";
import { type CallOptions, call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { BODIES, pathOf } from "../support/requests";
import { shareService } from "../support/service";

/** Parameters that are compared as secrets, or decoded: nothing that a stranger writes there is an error of the service. */
const service = shareService();

const isTokenLike = (name: string) => /token|secret|key$|signature|nonce|cursor|after|before|^vc$/i.test(name);
const PARTS = ["query", "body"] as const;
type Case = { e: Endpoint; part: (typeof PARTS)[number]; field: string };

const shapeOf = (schema: z.ZodType | undefined): Record<string, unknown> =>
  schema && "shape" in schema ? (schema.shape as Record<string, unknown>) : {};
const cases: [string, Case][] = [...new Map(endpoints.map((e) => [named(e), e])).values()].flatMap((e) =>
  PARTS.flatMap((part) =>
    Object.keys(shapeOf(e[part]))
      .filter(isTokenLike)
      .map((field): [string, Case] => [`${field} of ${named(e)}`, { e, part, field }]),
  ),
);

let pair: Parties;
let sellerKey: string;
let ownerId: OwnerId;
beforeAll(async () => {
  pair = await linkedPair();
  sellerKey = (await newKey(pair.owner.session)).secret;
  const [row] = await service.opened.sql`select id from owners where address = ${pair.owner.address}`;
  ownerId = row?.id;
});

/** Texts of the right form, most of them right but for their last character. */
async function genuine({ e, field }: Case): Promise<string[]> {
  const { system } = service.opened;
  if (e.path === "/api/notices/confirm") return [await confirmToken(system, ownerId, "a@mail.example")];
  if (e.path === "/api/notices/unsubscribe") return [await unsubscribeToken(system, ownerId)];
  if (/cursor|after|before/i.test(field)) return [`1700000000000.${newId("payment")}`, `active.17.${newId("mandate")}`];
  return ["A".repeat(43), `tok_${"A".repeat(24)}`, `0x${"1".repeat(130)}`, "a.b.c"];
}

/** Replacements for the last character: one with more bytes, none, or no valid character. */
const ENDS = ["\u00e9", "\u8a9e", "\ud83e\udd8a", "\ud800", "\0", "%", "=", ""];

function loginFor({ auth }: Endpoint): CallOptions {
  if (auth === "agent") return { bearer: pair.agent.jwt };
  if (auth === "seller") return { bearer: sellerKey };
  return auth === "owner" || auth === "visitor" ? { session: pair.owner.session } : {};
}

test("the tested tokens include some in query strings and some in bodies", () => {
  expect(cases.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      "token of POST /api/notices/unsubscribe",
      "token of POST /api/notices/confirm",
      "signature of GET /api/payment-links/files/{fileId}",
      "key of GET /api/settlements/{settlementId}",
      "vc of POST /verify-vc",
    ]),
  );
});

test.each(cases)("the %s is refused in the documented shape when its last character is changed", async (_, it) => {
  const { e, part, field } = it;
  for (const whole of await genuine(it)) {
    for (const end of ENDS) {
      const text = whole.slice(0, -1) + end;
      const query = part === "query" ? `?${queryFor(e, { [field]: text })}` : "";
      const json = { ...BODIES[e.path]?.(), ...(part === "body" && { [field]: text }) };
      const { status, body } = await call(e.method, pathOf(e.path, pair) + query, {
        ...loginFor(e),
        ...(e.body && { json }),
      });
      expect([text, status, body]).toEqual([text, expect.any(Number), expect.anything()]);
      expect(status, text).toBeLessThan(500);
      // An unknown text in a list's filter may be an empty list.
      if (e.method !== "GET") expect(status, text).toBeGreaterThanOrEqual(400);
    }
  }
});

function queryFor(e: Endpoint, given: Record<string, string>): string {
  const others = e.path.endsWith("/files/{fileId}")
    ? { sale: newId("settlement"), expires: "1700000000", signature: "x" }
    : {};
  return new URLSearchParams({ ...others, ...given }).toString();
}
