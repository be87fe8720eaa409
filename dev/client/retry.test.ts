import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { responsesOf } from "@/lib/core/endpoint";
import { type Kind, STATUS } from "@/lib/core/errors";
import { wireSchema } from "@/lib/core/json-schema";
import { retryOf } from "@/lib/core/retry";
import { payLink } from "@/lib/links/checkout/contract";
import { codesOf } from "@/lib/openapi/failures";
import { createPayout } from "@/lib/payouts/contract";
import { Tessera, type TesseraError } from "@/packages/client/src/index";
import { BASE_URL, json, offerV1, scripted, signed, soon, v1 } from "@/packages/client/testing/script";

/** The client decides by itself what it repeats (packages/client/src/transport.ts, pay.ts), and has to agree with the table. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Case = [status: number, code: string];
const byCode = (codes: ReadonlyMap<number, ReadonlySet<string>>): Case[] =>
  [...codes].flatMap(([status, all]) => [...all].map((code): Case => [status, code]));

const kindOf = (status: number): Kind => {
  const [kind] = Object.entries(STATUS).find(([, value]) => value === status) ?? [];
  return kind as Kind;
};

const isRepeated = (rule: string) => rule === "same_request" || rule === "wait";

const caught = <T>(promise: Promise<T>): Promise<TesseraError | T> => promise.catch((error) => error);

describe("after a response of this service to a proof", () => {
  const required = responsesOf(payLink)[402];
  const refusals = required && wireSchema(required, new Map()).properties?.code?.enum;
  const cases: [...Case, object][] = [
    ...byCode(codesOf(payLink)).map(([status, code]): [...Case, object] => [status, code, {}]),
    ...(refusals as string[]).map((code): [...Case, object] => [402, code, {}]),
    [500, "SETTLEMENT_FAILED", {}],
  ];

  test.each(cases)(
    "with %i %s, the client presents the proof again, gives up or signs a new one, as the table says",
    async (status, code, body) => {
      const rule = retryOf(code, kindOf(status), body);
      const { fetch, of } = scripted({
        "/r": ({ headers }, index) => {
          if (!headers.has("x-payment")) return v1(offerV1());
          return index === 1 ? json(status, { code, ...body }, { "Retry-After": "2" }) : json(200, { bought: true });
        },
        "/api/payment/x402V3Payment": signed,
      });
      const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "secret", fetch });
      const end = await caught(soon(tessera.pay(`${BASE_URL}/r`, {}, { maxAmount: "10000", mandateId: "mand_1" })));
      const presented = of("/r").filter(({ headers }) => headers.has("x-payment")).length;
      const outcome = "outcome" in end ? end.outcome : "bought";
      expect([presented > 1, outcome === "bought", outcome === "not_paid"]).toEqual([
        isRepeated(rule),
        isRepeated(rule),
        rule === "new_proof",
      ]);
    },
  );

  test("with a transfer that can still be made, the client signs no new proof", async () => {
    const body = { code: "SETTLEMENT_FAILED", stillValidUntil: "2090-01-01T00:00:00.000Z" };
    expect(retryOf(body.code, "internal", body)).toBe("wait");
    const { fetch } = scripted({
      "/r": ({ headers }) => (headers.has("x-payment") ? json(500, body) : v1(offerV1())),
      "/api/payment/x402V3Payment": signed,
    });
    const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "secret", fetch });
    const end = await caught(soon(tessera.pay(`${BASE_URL}/r`, {}, { maxAmount: "10000", mandateId: "mand_1" })));
    expect(end).toMatchObject({ outcome: "declined" });
  });
});

/** What is missing comes back in hours, for which no call waits. */
const COMES_BACK_LATER = new Set(["mandate_period_budget_used", "owner_limit_reached"]);

test.each(byCode(codesOf(createPayout)))(
  "a call that gets %i %s is repeated only if the table allows it",
  async (status, code) => {
    const { fetch, of } = scripted({
      "/api/payouts": (_, index) => (index === 0 ? json(status, { code }, { "Retry-After": "2" }) : json(201, {})),
    });
    const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "secret", fetch });
    await caught(soon(tessera.payouts.create({ toAddress: "0x1", amount: "5" })));
    const rule = retryOf(code, kindOf(status));
    const sent = of("/api/payouts").length;
    if (!isRepeated(rule) && rule !== "log_in") expect(sent).toBe(1);
    // A broken server may have carried out the call, and its answer is stored under the key: repeating cannot help.
    if (isRepeated(rule) && status !== 500 && !COMES_BACK_LATER.has(code)) expect(sent).toBe(2);
  },
);
