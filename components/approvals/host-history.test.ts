import { expect, test } from "vitest";
import { historyLine } from "./host-history";

const NOTHING = {
  ...{ paid: 0, delivered: 0, unseen: 0, refused: 0, priceAsListed: 0, addressesPaid: 0 },
  ...{ listedAmount: null, lastPayTo: null, lastPaidAt: null },
};

test.each([
  [{}, "First payment to this host"],
  [{ refused: 2 }, "Never paid. It refused 2 times"],
  [{ paid: 1, delivered: 1, priceAsListed: 1, addressesPaid: 1 }, "Paid once: 1 delivered"],
  [{ paid: 2, unseen: 2, priceAsListed: 2, addressesPaid: 1 }, "Paid 2 times: delivery unknown"],
  [
    { paid: 12, delivered: 8, unseen: 3, refused: 1, priceAsListed: 10, addressesPaid: 2 },
    "Paid 12 times: 8 delivered, 1 refused, 3 unknown, 2 at another price than the first, 2 addresses",
  ],
])("the history %o is said in one line", (facts, line) => {
  expect(historyLine({ ...NOTHING, ...facts })).toBe(line);
});
