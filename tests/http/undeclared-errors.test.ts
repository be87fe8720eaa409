import { Writable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Endpoint, endpoint } from "@/lib/core/endpoint";
import { failures } from "@/lib/core/errors";
import { DEFAULT_LIMITS } from "@/lib/core/limits";
import { edgeErrors } from "@/lib/http/errors";
import { createRoute } from "@/lib/http/route";
import { codesOf } from "@/lib/openapi/failures";
import type { System } from "@/lib/platform/context";
import { createLog } from "@/lib/platform/log";
import { endpointAt, endpoints, named } from "../support/endpoints";
import { type Thrown, thrownByRoutes } from "../support/thrown";
import { assertAllDeclared, readLogLine } from "../support/undeclared";

const errors = failures({
  KNOWN: ["conflict", "Declared"],
  UNKNOWN: ["conflict", "Not declared"],
});

const contract = endpoint({
  method: "POST",
  path: "/things",
  summary: "",
  description: "",
  auth: "none",
  surface: "wallet",
  response: z.object({}),
  errors: { known: errors.table.KNOWN },
});

/** Calls an endpoint that throws, and gives its log to the check of the test servers. */
async function throwing(error: () => Error): Promise<{ status: number; lines: string[] }> {
  const lines: string[] = [];
  const to = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk).trimEnd());
      done();
    },
  });
  const system = {
    log: createLog("error", to),
    config: { baseUrl: "http://localhost", limits: DEFAULT_LIMITS },
    // The limit per address then counts in memory.
    db: { $client: { query: () => Promise.reject(new Error("no database here")) } },
  } as unknown as System;
  const authenticate = async () => ({ type: "anonymous" as const });
  const route = createRoute({
    system: () => system,
    authenticate,
    logIn: () => Promise.reject(new Error("no agent here")),
    track: (work) => work,
    isPaying: async () => false,
  });
  const handler = route(contract, async () => {
    throw error();
  });
  const { status } = await handler(new Request("http://localhost/things", { method: "POST" }));
  for (const line of lines) readLogLine(line);
  return { status, lines };
}

test("an undeclared error is sent to the client unchanged, and fails the test file in which it was thrown", async () => {
  expect((await throwing(errors.UNKNOWN)).status).toBe(409);
  expect(assertAllDeclared).toThrow("POST /things threw UNKNOWN");
  expect(assertAllDeclared).not.toThrow();
});

test("an error declared with a different status counts as undeclared", async () => {
  await throwing(failures({ known: ["gone", "Declared as a conflict"] }).known);
  expect(assertAllDeclared).toThrow("POST /things threw known");
});

test.each([
  ["a declared error, whatever the case of its code", () => errors.KNOWN(), 409],
  ["an error of the edge", () => edgeErrors.rate_limited(), 429],
  ["a bug", () => new Error("a bug"), 500],
])("%s is not reported", async (_, error, status) => {
  expect((await throwing(error)).status).toBe(status);
  expect(assertAllDeclared).not.toThrow();
});

test("no contract declares a code twice, in two spellings, or with a status that differs from the edge's", () => {
  const edge = new Map(Object.entries(edgeErrors.table).map(([code, [kind]]) => [code, kind]));
  const wrong = endpoints.flatMap((e) => {
    const codes = Object.entries(e.errors).map(([code, [kind]]) => ({ code: code.toLowerCase(), kind }));
    const isTwice = new Set(codes.map(({ code }) => code)).size < codes.length;
    const differs = codes.some(({ code, kind }) => edge.has(code) && edge.get(code) !== kind);
    return isTwice || differs ? [named(e)] : [];
  });
  expect(wrong).toEqual([]);
});

/** Codes that the code refers to on the way from a handler, but that never leave it: code, end of the way, reason. */
const NEVER_THROWN: readonly (readonly [code: string, way: string, reason: string])[] = [
  ["SETTLEMENT_NOT_FOUND", "settle > waitForEnd", "it was claimed a moment before"],
  ["SETTLEMENT_NOT_FOUND", "signedIn > waitForEnd", "it is the buyer's purchase"],
  ["body_too_large", "sellCall > assertLength", "the body of a GET is not read, and the other methods declare it"],
  ["PAYMENT_NOT_OVER_YET", "verify > admitPayment", "returned as settlement_pending"],
  ["PAYMENT_ALREADY_USED", "settle > claimPayment", "returned as the outcome of the earlier claim"],
  ["PAYMENT_NOT_OVER_YET", "settle > admitPayment", "returned as settlement_pending"],
  ["SETTLEMENT_UNKNOWN", "settle > claimPayment", "returned as settlement_pending"],
  ["SETTLEMENT_NOT_FOUND", "awaitEnd > waitForEnd", "it was claimed before"],
  ["missing_bearer", "agentOfLabel > authenticate > refuseLogin", "caught: the label names no agent"],
  ["invalid_or_expired_jwt", "agentOfLabel > authenticate > refuseLogin", "caught"],
  ["wrong_token_type", "agentOfLabel > authenticate > refuseLogin", "caught"],
  ["agent_not_found", "agentOfLabel > authenticate > refuseLogin", "caught"],
  ["EXPIRY_IN_PAST", "createOwned > createBy", "returned as DUE_DATE_IN_PAST"],
  ["EXPIRY_IN_PAST", "create > createBy", "returned as DUE_DATE_IN_PAST"],
  ["INVOICE_NOT_FOUND", "createBy > readInvoice", "it was inserted a moment before"],
  ["REDIRECT_ORIGIN_NOT_ALLOWED", "createBy > create > allowedTargets", "the link of an invoice has no targets"],
  ["FILE_NOT_FOUND", "createBy > create > uploader", "the link of an invoice has no file"],
  ["IMAGE_NOT_FOUND", "createBy > create > uploader", "the link of an invoice has no image"],
  ["UPSTREAM_URL_INVALID", "createBy > create > toColumns > readUpstreamUrl", "the link of an invoice has no upstream"],
  [
    "invalid_json",
    "sellCall > toBought > toToolRequest > argumentsIn",
    "only the POST of a tool has arguments, and declares it",
  ],
  ["UPSTREAM_WITH_CONTENT", "createBy > create > assertSellsOneThing", "the link of an invoice has no upstream"],
  ["IMAGE_NOT_FOUND", "remove > exchange > attach", "a link that is deleted gets no image"],
  ["payout_not_found", "create > findExisting > getById", "payouts are never deleted"],
  ["agent_nonce_used", "pay > redeem > signApproved > signDraft", "the service's own nonces are random"],
  ["approval_used", "payAbove > closing", "told as owner_limit_reached"],
  ["approval_denied", "payAbove > closing", "told as owner_limit_reached"],
  ["approval_expired", "payAbove > closing", "told as owner_limit_reached"],
  ["approval_not_found", "payAbove > signApproved", "told as owner_limit_reached"],
  ["challenge_over", "payAbove > signApproved > draftOf", "an offer has no challenge"],
  ["currency_mismatch", "signOffer > sign > requireOrder", "an offer names no currency"],
  ["host_mismatch", "signOffer > sign > requireOrder", "an offer names no host"],
  ["unknown_service", "signOffer > sign > requireOrder", "only for service credits"],
  ["approval_not_found", "approveTogether", "in the outcome of one payment"],
  ["approval_limit_reached", "approveTogether", "in the outcome of one payment"],
  ["approval_decided", "approveTogether > writeApproval", "in the outcome of one payment"],
  ["approval_expired", "approveTogether > writeApproval", "in the outcome of one payment"],
  ["agent_not_found", "createOwned > getOwned", "it was added a moment before"],
  ["DESCRIPTOR_NOT_FOUND", "descriptorList > descriptorNamed", "only files that exist are listed"],
  [
    "owner_limit_reached",
    "createOwned > approve > writeApproved > reserveApproved > chargeCaps > assertWithin > aboveCaps",
    "only for the payouts of agents",
  ],
  ["payout_approved", "approve", "approving twice is one approval"],
  ["payout_approved", "claim > assertOpen", "nobody could approve it before its agent had an owner"],
  ["payout_cancelled", "cancel > close > assertOpen", "cancelling twice is one cancellation"],
  ["payout_cancelled", "cancelForAgent > close > assertOpen", "cancelling twice is one cancellation"],
  ["payout_denied", "deny > close > assertOpen", "denying twice is one denial"],
  ["delivery_not_found", "sendOnce > getDelivery", "it was inserted a moment before"],
  ["REFUND_NOT_FOUND", "initiate > get", "it was inserted a moment before"],
  ["nothing_signed_yet", "rotateToken > rotateToken", "only for owners"],
  ["unknown_service", "pay > requireOrder", "only for service credits"],
  ["approval_denied", "deny > closing", "called for used and expired ones only"],
  ["currency_mismatch", "prepareMandate > prepare > propose", "the currency is ours"],
  ["unsupported_network", "prepareMandate > prepare > propose", "the network is that of an approval"],
];

/** Endpoints that return errors in their own form, as results: tools of MCP, rows of a file, requests approved together. */
const WRAPS_ERRORS = new Set([
  "POST /mcp",
  "POST /mcp/oauth",
  "POST /mcp/{linkId}",
  "POST /api/wallet/payouts/batch",
  "POST /api/wallet/payouts/approve",
  "POST /api/refunds/approve",
]);

describe("the handlers of all routes", () => {
  let error: Thrown[];
  const undeclared = (e: Endpoint, codes: Thrown["codes"]): string[] => {
    const declared = new Set([...codesOf(e).values()].flatMap((all) => [...all]).map((code) => code.toLowerCase()));
    if (WRAPS_ERRORS.has(named(e))) return [];
    return [...codes].flatMap(([code, way]) => {
      const isThrown = !NEVER_THROWN.some(([never, end]) => never === code && way.endsWith(` > ${end}`));
      return isThrown && !declared.has(code.toLowerCase()) ? [`${code}: ${way}`] : [];
    });
  };

  beforeAll(() => {
    error = thrownByRoutes(process.cwd());
  });

  test("throw no error that their contract does not declare", () => {
    const found = error.map(({ contract: { module, name }, codes }) => {
      const e = endpointAt(module, name);
      return [named(e), undeclared(e, codes)] as const;
    });
    expect(Object.fromEntries(found.filter(([, codes]) => codes.length > 0))).toEqual({});
  });

  test("are followed through other modules, subfolders, callbacks and tables of codes", () => {
    const reached = new Map(error.map(({ contract, codes }) => [contract.name, codes]));
    const contracts = endpoints.filter(({ path }) => path !== "/api/{…}");
    expect(
      new Set(contracts.map(named)).size -
        new Set(error.map(({ contract: { module, name } }) => named(endpointAt(module, name)))).size,
    ).toBe(0);
    expect([...(reached.get("createPayout") ?? [])].map(([code]) => code)).toEqual(
      expect.arrayContaining([
        "duplicate_biz_id",
        "mandate_insufficient_budget",
        "insufficient_balance",
        "rate_limited",
      ]),
    );
    expect(reached.get("payLink")?.get("LINK_SOLD_OUT")).toBeDefined();
    expect(reached.get("signV3")?.get("unknown_service")).toBeDefined();
  });

  test("are reported when their contract declares no errors", () => {
    const { codes } = error.find(({ contract }) => contract.name === "createPayout") ?? { codes: new Map() };
    expect(undeclared({ ...contract, errors: {} }, codes)).toContainEqual(
      expect.stringMatching(/^duplicate_biz_id: handler > create > /),
    );
  });

  test("still contain every exception that the list above names", () => {
    const ways = error.flatMap(({ codes }) => [...codes]);
    const gone = NEVER_THROWN.filter(
      ([code, end]) => !ways.some(([c, way]) => c === code && way.endsWith(` > ${end}`)),
    );
    expect(gone).toEqual([]);
  });
});
