import { expect, test } from "vitest";
import { encodeHeader } from "@/lib/x402/header";
import { deliveryIn, type Reached, type SellerPath } from "./fetch";

const path: SellerPath = {
  send: () => Promise.reject(new Error("nothing more is requested")),
  isOwn: false,
  headers: {},
  deadline: 0,
  signal: undefined,
};

const answered = (status: number, receipt?: object): Reached => ({
  isAnswered: true,
  url: new URL("https://api.example.com/"),
  status,
  headers: { "content-type": "text/plain", ...(receipt && { "payment-response": encodeHeader(receipt) }) },
  bytes: Buffer.from("no such coin"),
  end: "whole",
});

test.each([200, 204, 400, 403, 404, 409, 422])("a %i with a receipt is what was bought", async (status) => {
  expect(await deliveryIn(path, answered(status, { success: true }))).toMatchObject({ status, body: "no such coin" });
});

test.each([302, 402, 408, 429, 500, 503])("after a %i with a receipt the content may still follow", async (status) => {
  expect(await deliveryIn(path, answered(status, { success: true }))).toBeNull();
});

test("a refusal without a receipt is no delivery", async () => {
  expect(await deliveryIn(path, answered(404))).toBeNull();
  expect(await deliveryIn(path, answered(404, { success: false }))).toBeNull();
});
