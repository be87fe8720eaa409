import { expect, test } from "vitest";
import { soldTitle } from "./words";

const sold = (title: string | null, description: string, quantity = 1) =>
  soldTitle({ title, settlement: { description }, quantity });

test.each([
  [sold("Lisbon in three days", "A PDF guide", 2), "Lisbon in three days × 2"],
  [sold("Lisbon in three days", "A PDF guide"), "Lisbon in three days"],
  [sold(null, "\n A PDF guide\nwith maps", 3), "A PDF guide × 3"],
  [sold(null, " \n"), null],
])(
  "a sale is listed by its title and quantity, and by a line of its description only without a title: %#",
  (title, expected) => {
    expect(title).toBe(expected);
  },
);
