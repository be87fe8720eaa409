import { expect } from "vitest";
import { docsUrl, RETRY_RULES } from "@/lib/core/retry";
import { type Answer, BASE_URL } from "./http";

/** What an error says about the next step. */
export const remedy = (code: string) => ({
  retry: expect.toBeOneOf(Object.keys(RETRY_RULES)),
  docsUrl: docsUrl(BASE_URL, code),
});

/** What every error of the wallet and of resources says next to its own members. */
export const refusal = (response: Answer, code: string) => {
  const { message } = response.body as { message: unknown };
  return {
    status: "error",
    error: message,
    message: expect.stringMatching(/^\S.{10,}/),
    code,
    requestId: response.headers.get("x-request-id"),
    ...remedy(code),
  };
};

/** Whether an answer is exactly this error, with these members and no others. */
export function expectRefused(response: Answer, status: number, code: string, details: object = {}): void {
  expect([response.status, response.body]).toEqual([status, { ...refusal(response, code), ...details }]);
}
