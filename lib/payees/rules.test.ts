import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { type Payee, type PayeePayment, pairOf, stateOf, wasJustAsked } from "./rules";

const wanted: PayeePayment = {
  ownerId: newId("owner"),
  mandateId: newId("mandate"),
  network: "base",
  method: "GET",
  payTo: toAddress(`0x${"ab".repeat(20)}`),
  amount: toUsdc(1n),
  resource: "https://api.example/a",
};
const originOf = (resource: string) => pairOf({ ...wanted, resource }).origin;

test.each([
  ["https://api.example", "https://API.Example/a?b#c", "https://api.example:443/", "https://api.example./"],
  [
    "https://xn--bcher-kva.example",
    "https://bücher.example/",
    "https://BÜCHER.example/",
    "https://b%C3%BCcher.example",
  ],
  ["https://xn--pple-43d.example", "https://аpple.example/"],
  ["https://api.example:8443", "https://api.example:8443/x"],
  ["http://api.example", "http://api.example:80/"],
  ["http://api.example:443", "http://api.example:443/"],
  ["http://[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000/"],
])("the host %s is the same for %s", (origin, ...resources) => {
  for (const resource of resources) expect(originOf(resource)).toBe(origin);
});

test("a payee is waiting, confirmed or refused, and a refusal has priority", () => {
  const time = new Date();
  const of = (confirmedAt: Date | null, refusedAt: Date | null) => stateOf({ confirmedAt, refusedAt });
  expect([of(null, null), of(time, null), of(null, time), of(time, time)]).toEqual([
    ...["waiting", "confirmed", "refused", "refused"],
  ]);
});

test("the same payment checks the host again after half a minute, and a different one at once", () => {
  const askedAt = new Date("2030-01-01T12:00:00Z");
  const { resource, method, amount } = wanted;
  const payee = { resource, method, amount, askedAt } as Payee;
  const timeAfter = (ms: number) => new Date(askedAt.getTime() + ms);
  expect(wasJustAsked(payee, wanted, timeAfter(29_999))).toBe(true);
  expect(wasJustAsked(payee, wanted, timeAfter(30_000))).toBe(false);
  expect(wasJustAsked(payee, { ...wanted, amount: toUsdc(2n) }, timeAfter(1))).toBe(false);
  expect(wasJustAsked(payee, { ...wanted, method: "POST" }, timeAfter(1))).toBe(false);
  expect(wasJustAsked(payee, { ...wanted, resource: "https://api.example/b" }, timeAfter(1))).toBe(false);
});
