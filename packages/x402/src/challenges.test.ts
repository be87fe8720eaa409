import { expect, test } from "vitest";
import { findCharges } from "./challenges.ts";
import { NETWORKS } from "./networks.ts";

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const PAYEE = `0x${"ab".repeat(20)}`;
const terms = {
  amount: "20000",
  currency: NETWORKS.base.usdc,
  methodDetails: { chainId: 8453, credentialTypes: ["authorization"], decimals: 6 },
  recipient: PAYEE,
};
const charge = (more = "", request: object = terms) =>
  `Payment id="a", realm="r", method="evm", intent="charge", request="${encode(request)}"${more}`;

test("a charge becomes an offer, whose credential repeats the challenge", () => {
  const [offer] = findCharges(charge(', expires="2030-01-01T00:00:00.000Z", description="A \\"b\\" \\u2014 c"'));
  expect(offer).toMatchObject({ network: "base", amount: "20000", payTo: PAYEE, description: 'A "b" — c' });
  const authorization = { from: PAYEE, to: PAYEE, value: "20000" };
  const { header, value } = offer?.toCredential?.({ signature: "0x01", authorization }) ?? {};
  expect(header).toBe("Authorization");
  expect(JSON.parse(Buffer.from(value?.slice("Payment ".length) ?? "", "base64url").toString())).toEqual({
    challenge: offer?.challenge,
    payload: { type: "authorization", ...authorization, signature: "0x01" },
    source: `did:pkh:eip155:8453:${PAYEE}`,
  });
});

test.each<[string, string, number]>([
  ["two challenges", `${charge()}, ${charge()}`, 2],
  ["one among other schemes", `Basic realm="a, Payment x", Negotiate ab+/==, ${charge()}, Digest qop=auth`, 1],
  ["a scheme in capitals, with spaces around =", charge().replace("Payment", "PAYMENT").replaceAll("=", " = "), 1],
  ["a challenge without quotes around its id", charge().replace('"a"', "a"), 1],
  ["nothing", "", 0],
  ["only separators", " , ,", 0],
  ["parameters without a scheme", 'id="a"', 0],
  ["a text without an end", `${charge()}, x="`, 0],
  ["a parameter twice", charge(', id="b"'), 0],
  ["a request that is no JSON", charge().replace(/request="[^"]*"/, 'request="e30x"'), 0],
  ["a request that is null", charge("", [null]), 0],
  ["more than 16 challenges", `${'Payment id="a", '.repeat(40)}${charge()}`, 0],
  ["more than 16 KB", `${charge()}${" ".repeat(16_384)}`, 0],
])("%s", (_, header, count) => {
  expect(findCharges(header)).toHaveLength(count);
});

// What takes quadratic time or worse exceeds the timeout.
test.each([" ", ",", "a", "=", '"', "\\", "a=", "a ", 'a="', "Payment "])("a long header of %j is read", (part) => {
  const header = part.repeat(16_384 / part.length);
  for (let n = 0; n < 10; n++) expect(findCharges(header)).toEqual([]);
});
