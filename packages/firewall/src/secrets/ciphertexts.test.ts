import { expect, test } from "vitest";
import { findSecrets } from "../find-secrets.ts";

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
