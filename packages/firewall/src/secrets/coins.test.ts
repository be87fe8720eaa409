import { expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";

const MINT = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";

test.each([
  `https://api.acme.io/score?token=${MINT}`,
  `{"chain":"solana","token":"${MINT}"}`,
  `baseToken: "${MINT}", quoteToken: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"`,
  `token0 = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913`,
  `token=0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC`,
])("a coin's address is no credential: %s", (text) => {
  expect(findSecrets(text)).toEqual([]);
});

test.each([`access_token=${MINT}`, `BOT_TOKEN="${MINT}"`, `apiToken: "${MINT}"`, `secret=${MINT}`])(
  "what lets in is a credential, even if an address could be written so: %s",
  (text) => {
    expect(findSecrets(text)).toHaveLength(1);
  },
);
