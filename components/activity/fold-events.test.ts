import { expect, test } from "vitest";
import { foldEvents } from "./fold-events";
import type { ActivityEvent } from "./words/event";

const event = (id: string, type: string, subject: string, second: number, meta: Record<string, unknown> = {}) =>
  ({ id, type, subject, agentId: null, agentName: null, meta, at: new Date(second * 1000) }) satisfies ActivityEvent;

const idsOf = (events: readonly ActivityEvent[]) => foldEvents(events).map((group) => group.map(({ id }) => id));

test("a sale is one group, which begins with the paid link", () => {
  const sale = [
    event("b", "settlement.settled", "stl_1", 5),
    event("a", "payment_link.paid", "lnk_1", 5, { settlementId: "stl_1" }),
  ];
  expect(idsOf(sale)).toEqual([["a", "b"]]);
  expect(idsOf([...sale].reverse())).toEqual([["a", "b"]]);
});

test("a refund is one group from its request to its end", () => {
  expect(
    idsOf([
      event("d", "settlement.settled", "stl_2", 9, { purpose: "refund" }),
      event("c", "refund.settled", "ref_1", 9, { settlementId: "stl_2" }),
      event("x", "owner.signed_in", "own_1", 8),
      event("b", "refund.approved", "ref_1", 7, { settlementId: "stl_2" }),
      event("a", "refund.created", "ref_1", 6),
    ]),
  ).toEqual([["c", "d", "b", "a"], ["x"]]);
});

test("a refund that was stopped later does not begin with its approval", () => {
  expect(
    idsOf([
      event("c", "settlement.declined", "stl_2", 9),
      event("b", "refund.approved", "ref_1", 7, { settlementId: "stl_2" }),
    ]),
  ).toEqual([["c", "b"]]);
});

test("other events, other sales and a refund without a settlement stay apart", () => {
  expect(
    idsOf([
      event("e", "settlement.settled", "stl_3", 9),
      event("d", "payment_link.paid", "lnk_1", 9, { settlementId: "stl_4" }),
      event("c", "payment.settled", "pay_1", 9, { settlementId: "stl_3" }),
      event("b", "refund.cancelled", "ref_1", 8),
      event("a", "refund.created", "ref_2", 7),
    ]),
  ).toEqual([["e"], ["d"], ["c"], ["b"], ["a"]]);
});
