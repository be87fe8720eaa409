import { expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";
import { isPublicAddress } from "./public-values.ts";

test.each<[chain: string, address: string, mistyped: string]>([
  ["Solana", "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNs"],
  ["Solana, with zeros", "So11111111111111111111111111111111111111112", "So111111111111111111111111111111111111111112"],
  ["EVM", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291"],
  [
    "Sui",
    "0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC",
    "0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC::more",
  ],
  ["Tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
  ["TON", "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs", "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDt"],
  [
    "Stellar",
    "CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75",
    "CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI76",
  ],
])("an address of %s is told by its form and its checksum", (_chain, address, mistyped) => {
  expect([isPublicAddress(address), isPublicAddress(mistyped)]).toEqual([true, false]);
});

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

const sealed = `AgB${"yWq7Rk2Zc9Lm4Xp8Tn3Vb6Hs1Jd5Gf0Qa".repeat(6)}`;

test.each([
  "db:\n  password: ENC[AES256_GCM,data:Zm9vQ2x1YjEy,iv:3uR1mJ0mIqv6c5n9,tag:Zk1q2v8d0yT4,type:str]",
  "api_key: ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQ]",
  'HELLO_TOKEN="encrypted:BDqDBibm4wsYqMpCjTQ6BsDHmMadg9K3dAt+Z9HPMfLEIRVz50hmLXPXRuDBXaJi"',
  "DB_PASSWORD=vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9vyf7w==",
  "client_secret: AQICAHhBv7vJ8QmXo2Tg5Zk1sLr9Yw3Nd6Pf0Hc4Ub8Ei",
  "password: U2FsdGVkX1+vupppZksvRf5pq5g5XjFRIipRkwB0K1Y=",
  `kind: SealedSecret\nspec:\n  encryptedData:\n    password: ${sealed}`,
])("a ciphertext that is made to be stored is none: %s", (text) => {
  expect(findSecrets(text)).toEqual([]);
});

test("a value that only begins like a sealed one is a secret", () => {
  expect(findSecrets(`kind: Secret\nstringData:\n  password: ${sealed}`)).toHaveLength(1);
});

test.each([
  "PaginationToken",
  "nextSyncToken",
  "resume_token",
  "StartingToken",
  "prevPageToken",
  "deltaToken",
  "csrfToken",
])("a mark of a page or a form is none: %s", (name) => {
  expect(findSecrets(`{"${name}":"CAISlgEKiwEIAxKFAQgDEoABAHo0cWpZbm1RbE9kT2c3"}`)).toEqual([]);
});
