import { expect, test } from "vitest";
import { AppError, failures, STATUS } from "./errors";

const testErrors = failures({
  NOT_THERE: ["not_found", "There is no such thing"],
  TOO_MANY: ["limited", "Wait"],
});

test("an error has the code, status and message of its table, and keeps its cause private", () => {
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

test("the table of errors can be read by endpoints that list their errors", () => {
  expect(testErrors.table).toEqual({
    NOT_THERE: ["not_found", "There is no such thing"],
    TOO_MANY: ["limited", "Wait"],
  });
});

test("every kind of error has a client or server error status", () => {
  for (const status of Object.values(STATUS)) expect(status >= 400 && status < 600).toBe(true);
});
