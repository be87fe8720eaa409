import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newAgentId } from "@/lib/core/ids";
import { addSeconds, fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import {
  activeKey,
  agentOfClaims,
  claimsFor,
  keyStates,
  LEAD_SECONDS,
  nextKey,
  readHeader,
  type SigningKey,
  upkeep,
} from "./rules";

const NOW = new Date("2026-11-20T12:00:00.400Z");
const DAY = 86_400;

const key = (kid: string, activeFrom: Date, retiredAt: Date | null = null): SigningKey => ({
  kid,
  publicJwk: {},
  sealedKey: "",
  publishedAt: addSeconds(activeFrom, -LEAD_SECONDS),
  activeFrom,
  retiredAt,
});

describe("the signing keys", () => {
  test("are used at once if they are the first ever", () => {
    expect(upkeep([], NOW, 900)).toEqual({ publish: { activeFrom: NOW }, drop: [] });
  });

  test("always include a published next key, for longer than the JWKS is cached before it signs", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * DAY }), (age) => {
        const plan = upkeep([key("a", addSeconds(NOW, -age))], NOW, 900);
        const lead = plan.publish && plan.publish.activeFrom.getTime() - NOW.getTime();
        expect(lead).toBeGreaterThanOrEqual(LEAD_SECONDS * 1000);
      }),
    );
  });

  test("need no change while a next key waits", () => {
    const keys = [key("a", addSeconds(NOW, -DAY)), key("b", addSeconds(NOW, DAY))];
    expect(upkeep(keys, NOW, 900)).toEqual({ publish: null, drop: [] });
    expect(activeKey(keys, NOW)?.kid).toBe("a");
    expect(nextKey(keys, NOW)?.kid).toBe("b");
  });

  test("take over at their time, exact to the millisecond", () => {
    const turn = addSeconds(NOW, 100);
    const keys = [key("a", addSeconds(NOW, -DAY), turn), key("b", turn)];
    expect(activeKey(keys, new Date(turn.getTime() - 1))?.kid).toBe("a");
    expect(activeKey(keys, turn)?.kid).toBe("b");
  });

  test("are each listed with state and expiry", () => {
    const [past, turn] = [addSeconds(NOW, -100), addSeconds(NOW, 100)];
    const keys = [
      key("older", addSeconds(NOW, -9 * DAY), addSeconds(NOW, -DAY)),
      key("old", addSeconds(NOW, -DAY), past),
      key("now", past, turn),
      key("next", turn),
    ];
    const removalTime = (retiredAt: Date) => addSeconds(retiredAt, DAY + 60);
    expect(keyStates(keys, NOW, 900)).toEqual([
      { kid: "now", state: "active", until: turn },
      { kid: "next", state: "next", until: turn },
      { kid: "old", state: "retired", until: removalTime(past) },
      { kid: "older", state: "retired", until: removalTime(addSeconds(NOW, -DAY)) },
    ]);
    expect(keyStates(keys, removalTime(turn), 900).map(({ kid, state, until }) => [kid, state, until])).toEqual([
      ["next", "active", null],
      ["now", "retired", removalTime(turn)],
      ["old", "retired", removalTime(past)],
      ["older", "retired", removalTime(addSeconds(NOW, -DAY))],
    ]);
    // The upkeep drops exactly the keys whose `until` has passed.
    expect(upkeep(keys, removalTime(turn), 900).drop.toSorted()).toEqual(["now", "old", "older"]);
    expect(keyStates([], NOW, 900)).toEqual([]);
  });

  test("stay listed after retirement until the longest token that they can have signed has expired", () => {
    const retired = (seconds: number) => [
      key("a", addSeconds(NOW, -9 * DAY), addSeconds(NOW, -seconds)),
      key("b", addSeconds(NOW, -seconds)),
      key("c", addSeconds(NOW, DAY)),
    ];
    expect(upkeep(retired(DAY), NOW, 900).drop).toEqual([]);
    expect(upkeep(retired(DAY + 61), NOW, 900).drop).toEqual(["a"]);
    expect(upkeep(retired(DAY + 61), NOW, 7 * DAY).drop).toEqual([]);
  });

  test("never lose the current key, whatever its row says", () => {
    expect(upkeep([key("a", addSeconds(NOW, -90 * DAY), addSeconds(NOW, -60 * DAY))], NOW, 900).drop).toEqual([]);
  });
});

describe("a login JWT's header", () => {
  const token = (header: unknown, signature = `${"A".repeat(341)}A`) =>
    `${Buffer.from(typeof header === "string" ? header : JSON.stringify(header)).toString("base64url")}.e30.${signature}`;
  const good = { alg: "RS256", typ: "JWT", kid: "k" };

  test("is accepted when it names RS256 and a key id", () => {
    expect(readHeader(token(good))).toEqual({ kid: "k", typ: "JWT" });
  });

  test("cannot supply a key: jwk, jku, x5u and x5c are ignored", () => {
    const header = { ...good, jwk: { kty: "RSA" }, jku: "https://evil.test", x5u: "https://evil.test", x5c: ["x"] };
    expect(readHeader(token(header))).toEqual({ kid: "k", typ: "JWT" });
  });

  test.each([
    ["another algorithm", token({ ...good, alg: "PS256" })],
    ["alg none", token({ ...good, alg: "none" })],
    ["HS256", token({ ...good, alg: "HS256" })],
    ["alg in another case", token({ ...good, alg: "rs256" })],
    ["no kid", token({ alg: "RS256", typ: "JWT" })],
    ["a kid that is no text", token({ ...good, kid: 1 })],
    ["an endless kid", token({ ...good, kid: "k".repeat(129) })],
    ["crit", token({ ...good, crit: ["exp"] })],
    ["b64", token({ ...good, b64: false })],
    ["an endless header", token({ ...good, pad: "x".repeat(2000) })],
    ["alg twice", token('{"alg":"RS256","alg":"none","kid":"k","typ":"JWT"}')],
    ["__proto__", token('{"alg":"RS256","kid":"k","__proto__":{}}')],
    ["a list", token("[]")],
    ["no JSON", token("x")],
    ["an empty signature", token(good, "")],
    ["a short signature", token(good, "A".repeat(341))],
    ["a second spelling of the same signature", token(good, `${"A".repeat(341)}B`)],
    ["padding", `${token(good)}==`],
    ["a fourth part", `${token(good)}.e30`],
    ["white space", ` ${token(good)}`],
    ["nothing", ""],
  ])("with %s is refused", (_, text) => {
    expect(readHeader(text)).toBeNull();
  });
});

describe("the claims of a login JWT", () => {
  const id = newAgentId();
  const good = claimsFor({ id, email: null, loginsFrom: null }, NOW, 900);

  test("are exactly those of the contract", () => {
    const iat = unixSeconds(NOW);
    const rest = { agent_id: id, sub: id, iss: "service-agent-did", iat, exp: iat + 900 };
    expect(good).toEqual(rest);
    expect(claimsFor({ id, email: "a@b.test", loginsFrom: null }, NOW, 900)).toEqual({ ...rest, email: "a@b.test" });
    const loginsFrom = addSeconds(NOW, 2);
    expect(claimsFor({ id, email: null, loginsFrom }, NOW, 900)).toEqual({ ...rest, iat: iat + 2, exp: iat + 902 });
  });

  test("are valid until the second in which they expire", () => {
    expect(agentOfClaims(good, NOW)?.agentId).toBe(id);
    expect(agentOfClaims(good, fromUnixSeconds(good.exp - 1))?.agentId).toBe(id);
    expect(agentOfClaims(good, fromUnixSeconds(good.exp))).toBeNull();
  });

  test.each([
    ["no exp", { exp: undefined }],
    ["exp as text", { exp: String(good.exp) }],
    ["a fractional exp", { exp: good.exp + 0.5 }],
    ["exp null", { exp: null }],
    ["an infinite exp", { exp: Number.POSITIVE_INFINITY }],
    ["a past exp", { exp: good.iat - 1 }],
    ["no iat", { iat: undefined }],
    ["iat in the future", { iat: good.iat + 61 }],
    ["nbf in the future", { nbf: good.iat + 1 }],
    ["nbf as text", { nbf: "0" }],
    ["another issuer", { iss: "service-agent-did/" }],
    ["no issuer", { iss: undefined }],
    ["issuers", { iss: ["service-agent-did"] }],
    ["another sub", { sub: newAgentId() }],
    ["no sub", { sub: undefined }],
    ["no agent_id", { agent_id: undefined }],
    ["an agent_id that is none", { agent_id: "ag_1", sub: "ag_1" }],
    ["agent_id in upper case", { agent_id: id.toUpperCase(), sub: id.toUpperCase() }],
  ])("with %s are rejected", (_, change) => {
    expect(agentOfClaims({ ...good, ...change }, NOW)).toBeNull();
  });

  test.each([null, undefined, [], "x", 1])("equal to %j are rejected", (claims) => {
    expect(agentOfClaims(claims, NOW)).toBeNull();
  });
});
