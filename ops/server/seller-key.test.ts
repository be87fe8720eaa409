import { expect, test } from "vitest";
import { moveSellerKey } from "./seller-key.mjs";

const KEY = "tsk_4fQ8Lm2NvXc7Rt9Wp1Zs6Yb3";

const moved = (url: string, headers: Record<string, string> = {}) => {
  const req = { url, headers };
  moveSellerKey(req);
  return [req.url, headers.authorization];
};

test.each([
  [`/facilitator/k/${KEY}/verify`, "/facilitator/verify"],
  [`/facilitator/k/${KEY}/settle`, "/facilitator/settle"],
  [`/facilitator/k/${KEY}/settle?a=b`, "/facilitator/settle?a=b"],
  [`/facilitator/k/${KEY}//verify`, "/facilitator/verify"],
  [`/facilitator//k/${KEY}/verify`, "/facilitator/verify"],
])("the key of %s is sent in the header, in place of another", (url, plain) => {
  expect(moved(url)).toEqual([plain, `Bearer ${KEY}`]);
  expect(moved(url, { authorization: "Bearer tsk_other" })).toEqual([plain, `Bearer ${KEY}`]);
});

test.each([
  [`/facilitator/k/${KEY}/supported`, "/facilitator/supported"],
  [`/facilitator/k/${KEY}//supported`, "/facilitator/supported"],
  [`/facilitator/k/${KEY}`, "/facilitator/k"],
  [`/facilitator/k/${KEY}/`, "/facilitator/k"],
  [`/facilitator/k/${KEY}/verfiy`, "/facilitator/k"],
  [`/facilitator/k/${KEY}/verify/x`, "/facilitator/k"],
  [`/facilitator/k/${KEY}/../../api/payment-links`, "/facilitator/k"],
  [`/facilitator/k/${KEY}/a/supported`, "/facilitator/k"],
  [`/facilitator//k//${KEY}//a`, "/facilitator/k"],
])("the key of %s is removed and used for nothing", (url, plain) => {
  expect(moved(url)).toEqual([plain, undefined]);
});

test.each([
  ["/facilitator//supported", "/facilitator/supported"],
  ["/facilitator//verify", "/facilitator/verify"],
  ["/facilitator/verify", "/facilitator/verify"],
  ["/facilitator/key", "/facilitator/key"],
  [`/api/facilitator/k/${KEY}/verify`, `/api/facilitator/k/${KEY}/verify`],
  ["/facilitators", "/facilitators"],
  ["//facilitator/verify", "//facilitator/verify"],
])("%s becomes %s, with the header as it was", (url, plain) => {
  expect(moved(url, { authorization: "Bearer a" })).toEqual([plain, "Bearer a"]);
});
