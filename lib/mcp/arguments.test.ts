import { expect, test } from "vitest";
import { z } from "zod";
import { parseArguments } from "./arguments";
import { amountText, idText } from "./tool";

const schema = z.strictObject({ mandate_id: idText("mand_…").optional(), maxAmount: amountText });

test("both styles of an argument's name are accepted", () => {
  const parsed = { mandate_id: "mand_1", maxAmount: "10" };
  expect(parseArguments(schema, { mandate_id: "mand_1", maxAmount: "10" })).toEqual(parsed);
  expect(parseArguments(schema, { mandateId: "mand_1", max_amount: "10" })).toEqual(parsed);
});

test.each([
  [{ maxAmount: "1.5" }, "maxAmount", "atomic USDC"],
  [{ maxAmount: 1 }, "maxAmount", "atomic USDC"],
  [{}, "maxAmount", "atomic USDC"],
  [{ maxAmount: "1", max_amount: "2" }, "", "max_amount"],
  [{ maxAmount: "1", other: 1 }, "", "other"],
  ["text", "", ""],
  [[], "", ""],
])("%j is refused with the field and what it must be", (args, field, words) => {
  const attempt = () => parseArguments(schema, args);
  expect(attempt).toThrow(
    expect.objectContaining({
      code: "invalid_request",
      details: expect.objectContaining({ field, message: expect.stringContaining(words) }),
    }),
  );
});
