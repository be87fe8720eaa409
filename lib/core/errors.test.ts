import { expect, test } from "vitest";
import { AppError, failures, STATUS } from "./errors";

const testErrors = failures({
  NOT_THERE: ["not_found", "There is no such thing"],
  TOO_MANY: ["limited", "Wait"],
});

test("a failure carries the code, status and message of its table, and keeps its cause to itself", () => {
  const cause = new Error("secret");
  const error = testErrors.NOT_THERE({ thing: 1 }, cause);
  expect(error).toBeInstanceOf(AppError);
  expect({ ...error, message: error.message, status: error.status }).toEqual({
    name: "AppError",
    code: "NOT_THERE",
    kind: "not_found",
    details: { thing: 1 },
    message: "There is no such thing",
    status: 404,
  });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error)).not.toContain("secret");
});

test("the table itself stays readable for endpoints that list their failures", () => {
  expect(testErrors.table).toEqual({
    NOT_THERE: ["not_found", "There is no such thing"],
    TOO_MANY: ["limited", "Wait"],
  });
});

test("every kind of failure is a client or server error", () => {
  for (const status of Object.values(STATUS)) expect(status >= 400 && status < 600).toBe(true);
});
