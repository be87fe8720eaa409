import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { newAgent, type TestAgent } from "../support/actors";
import { linkedPair, type Parties, signedMandate } from "../support/mandates";
import { type Served, serve } from "../support/serve";
import { shareService } from "../support/service";

const service = shareService();

let served: Served;
let agent: TestAgent;
let pair: Parties;
/** An agent for which its owner has signed nothing. */
let unsigned: Parties;

beforeAll(async () => {
  pair = await signedMandate();
  unsigned = await linkedPair();
  served = await serve();
  agent = await newAgent();
});

type Reply = { status: number; body: unknown };
type Issued = { vc: string; jti: string; issued_at: number; expires_at: number; kid: string };

/** A body that is neither a string nor bytes is sent as JSON. */
async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const res = await fetch(`${served.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
  });
  return { status: res.status, body: await res.json() };
}

const bearer = () => ({ authorization: `Bearer ${agent.jwt}` });
const issue = (body: unknown) => post("/agent/vc/issue", body, bearer());
const verify = (body: unknown) => post("/verify-vc", body);

const GOOD = { challenge: "c-1", audience: "https://verifier.test", ttl_seconds: 60 };

async function issued(change: object = {}): Promise<Issued> {
  const { status, body } = await issue({ ...GOOD, ...change });
  expect(status).toBe(200);
  return body as Issued;
}

const eventsOf = async (agentId: string): Promise<number> => {
  const [row] = await service.opened.sql`
    select count(*)::int as n from events where agent_id = ${agentId} and type = 'VC_ISSUED'`;
  return row?.n;
};

const CHALLENGE = "challenge required (non-empty string)";
const TOO_LARGE = "challenge too large (max 4096 bytes)";
const TTL = "ttl_seconds must be integer in [1, 86400]";
const AUDIENCE = "audience required (non-empty string)";

describe("POST /agent/vc/issue", () => {
  test("returns exactly the contract's members, and the credential has exactly the contract's claims", async () => {
    const input = { challenge: 'Zürich 🦊 \u0000 \\ "', audience: "https://Verifier.test/Path/", ttl_seconds: 600 };
    const { status, body } = await issue(input);
    const { vc, jti, issued_at, expires_at, kid } = body as Issued;
    expect([status, body]).toEqual([200, { vc, jti, issued_at, expires_at, kid }]);

    const jwks = (await (await fetch(`${served.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(vc, createLocalJWKSet(jwks), {
      algorithms: ["RS256"],
      issuer: "service-agent-did",
      audience: input.audience,
    });
    expect(protectedHeader).toEqual({ alg: "RS256", typ: "agent-vc", kid });
    expect(payload).toEqual({
      typ: "agent-vc",
      sub: agent.agentId,
      iss: "service-agent-did",
      aud: input.audience,
      jti,
      challenge: input.challenge,
      iat: issued_at,
      exp: expires_at,
    });
    expect(expires_at - issued_at).toBe(600);
    expect(Math.abs(issued_at - Date.now() / 1000)).toBeLessThan(30);
  });

  test("gives each credential its own jti, also for simultaneous requests", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => issued()));
    expect(new Set(all.map(({ jti }) => jti)).size).toBe(50);
    expect(new Set(all.map(({ vc }) => vc)).size).toBe(50);
  });

  test.each([1, 2, 3, 86_399, 86_400])("accepts ttl_seconds %j", async (ttl_seconds) => {
    const { issued_at, expires_at } = await issued({ ttl_seconds });
    expect(expires_at - issued_at).toBe(ttl_seconds);
  });

  test("accepts integers in any JSON spelling", async () => {
    for (const spelled of ["60.0", "6e1", "600e-1"]) {
      const { status } = await issue(`{"challenge":"c","audience":"a","ttl_seconds":${spelled}}`);
      expect([spelled, status]).toEqual([spelled, 200]);
    }
  });

  test.each([
    ["1", "a"],
    ["2", "é"],
    ["3", "語"],
    ["4", "🦊"],
  ])(
    "counts a challenge in UTF-8: 4096 bytes of %s-byte characters are accepted, one byte more is too large",
    async (width, character) => {
      const largest = `${character.repeat(Math.floor(4096 / Number(width)))}`;
      const challenge = `${largest}${"x".repeat(4096 - Buffer.byteLength(largest))}`;
      expect(decodeJwt((await issued({ challenge })).vc).challenge).toBe(challenge);
      expect(await issue({ ...GOOD, challenge: `${challenge}x` })).toEqual({ status: 400, body: { error: TOO_LARGE } });
      const more = character.repeat(Math.floor(4096 / Number(width)) + 1);
      expect(await issue({ ...GOOD, challenge: more })).toEqual({ status: 400, body: { error: TOO_LARGE } });
    },
  );

  test("measures the decoded challenge, not its JSON spelling", async () => {
    const spelled = `"${"\\u0061".repeat(4096)}"`;
    expect((await issue(`{"challenge":${spelled},"audience":"a","ttl_seconds":1}`)).status).toBe(200);
  });

  test("accepts any Unicode text as challenge, byte for byte, without normalisation", async () => {
    for (const challenge of [
      " ",
      "\u0000",
      "\r\n",
      "e\u0301",
      "\u00e9",
      "\u200b",
      "\ufffd",
      "\u{10ffff}",
      "null",
      '{"a":1}',
      "<script>",
    ]) {
      expect(decodeJwt((await issued({ challenge })).vc).challenge).toBe(challenge);
    }
  });

  test.each<[string, unknown]>([
    ["number", 1],
    ["null", null],
    ["list", ["c"]],
    ["object", {}],
    ["boolean", true],
    ["empty text", ""],
    ["undefined", undefined],
  ])("rejects a challenge that is %s", async (_, challenge) => {
    expect(await issue({ ...GOOD, challenge })).toEqual({ status: 400, body: { error: CHALLENGE } });
  });

  const HALVES = ["\\ud800", "\\udfff", "a\\ud83d", "\\udd8aa", "a\\ud83db", "\\udd8a\\ud83e", "\\ud83e\\ud83e\\udd8a"];

  test.each(HALVES)("rejects an unpaired surrogate in challenge and audience: %s", async (half) => {
    const challenge = await issue(`{"challenge":"${half}","audience":"a","ttl_seconds":1}`);
    expect(challenge).toEqual({ status: 400, body: { error: CHALLENGE } });
    const audience = await issue(`{"challenge":"c","audience":"${half}","ttl_seconds":1}`);
    expect(audience).toEqual({ status: 400, body: { error: AUDIENCE } });
  });

  test.each([
    "0",
    "-1",
    "-0",
    "86401",
    "1.5",
    "0.5",
    "1e400",
    "-1e400",
    "1e300",
    "9007199254740993",
    '"60"',
    '""',
    "null",
    "true",
    "[60]",
    "{}",
  ])("rejects ttl_seconds %s", async (ttl) => {
    const response = await issue(`{"challenge":"c","audience":"a","ttl_seconds":${ttl}}`);
    expect(response).toEqual({ status: 400, body: { error: TTL } });
  });

  test("requires ttl_seconds", async () => {
    expect(await issue({ ...GOOD, ttl_seconds: undefined })).toEqual({ status: 400, body: { error: TTL } });
  });

  test.each<[string, unknown]>([
    ["left out", undefined],
    ["empty", ""],
    ["null", null],
    ["a number", 1],
    ["a list", ["a"]],
    ["an object", {}],
    ["a boolean", false],
    ["NUL", "\0"],
    ["text with NUL", "a\0b"],
  ])("rejects an audience that is %s", async (_, audience) => {
    expect(await issue({ ...GOOD, audience })).toEqual({ status: 400, body: { error: AUDIENCE } });
  });

  test("reports the first of several errors: challenge, then ttl_seconds, then audience", async () => {
    const faults = { challenge: "", ttl_seconds: 0, audience: "" };
    const errorOf = async (body: object) => ((await issue(body)).body as { error: string }).error;
    expect(await errorOf(faults)).toBe(CHALLENGE);
    expect(await errorOf({ ...faults, challenge: "x".repeat(4097) })).toBe(TOO_LARGE);
    expect(await errorOf({ ...faults, challenge: "c" })).toBe(TTL);
    expect(await errorOf({ ...faults, challenge: "c", ttl_seconds: 1 })).toBe(AUDIENCE);
    expect(await errorOf({ audience: 1, ttl_seconds: "x" })).toBe(CHALLENGE);
  });

  const WRONG_BODIES: [string, unknown, number, string][] = [
    ["nothing", "", 400, CHALLENGE],
    ["blanks", "  \n", 400, CHALLENGE],
    ["an empty object", {}, 400, CHALLENGE],
    ["a list", [GOOD], 400, CHALLENGE],
    ["null", "null", 400, CHALLENGE],
    ["text", '"c"', 400, CHALLENGE],
    ["a number", "1", 400, CHALLENGE],
    ["broken JSON", '{"challenge":', 400, "invalid_json"],
    ["JSON with more behind", `${JSON.stringify(GOOD)}{}`, 400, "invalid_json"],
    ["a BOM before", `\ufeff${JSON.stringify(GOOD)}`, 400, "invalid_json"],
    ["bytes that are not UTF-8", new Blob([Uint8Array.from([0x7b, 0xff, 0x7d])]), 400, "invalid_json"],
    ["challenge twice", '{"challenge":"a","challenge":"b","audience":"a","ttl_seconds":1}', 400, "invalid_json"],
    [
      "audience twice, once escaped",
      '{"challenge":"a","audience":"b","\\u0061udience":"c","ttl_seconds":1}',
      400,
      "invalid_json",
    ],
    [
      "__proto__",
      '{"__proto__":{"challenge":"a"},"challenge":"a","audience":"b","ttl_seconds":1}',
      400,
      "invalid_json",
    ],
    ["more than 64 KB", { ...GOOD, audience: "a".repeat(65_536) }, 413, "body_too_large"],
  ];

  test.each(WRONG_BODIES)("rejects %s as body, and records nothing", async (_, body, status, error) => {
    const eventsBefore = await eventsOf(agent.agentId);
    expect(await issue(body)).toEqual({ status, body: { error } });
    expect(await eventsOf(agent.agentId)).toBe(eventsBefore);
  });

  test("accepts only JSON", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "multipart/form-data",
    ]) {
      const response = await post("/agent/vc/issue", GOOD, { ...bearer(), "content-type": type });
      expect(response).toEqual({ status: 415, body: { error: "unsupported_media_type" } });
    }
    const httpResponse = await post("/agent/vc/issue", GOOD, {
      ...bearer(),
      "content-type": "application/json; charset=utf-8",
    });
    expect(httpResponse.status).toBe(200);
  });

  test("has only the claims that it states, and refuses members that would set others", async () => {
    const { vc } = await issued();
    expect(decodeJwt(vc)).toMatchObject({ sub: agent.agentId, iss: "service-agent-did" });
    expect(Object.keys(decodeJwt(vc)).sort()).toEqual(["aud", "challenge", "exp", "iat", "iss", "jti", "sub", "typ"]);
    for (const name of ["sub", "iss", "jti", "email", "exp"]) {
      const error = `${name}: is not a field of this request`;
      expect(await post("/agent/vc/issue", { ...GOOD, [name]: "a" }, bearer())).toEqual({
        status: 400,
        body: { error },
      });
    }
  });

  test.each<[string, Record<string, string>, string]>([
    ["nothing", {}, "missing_bearer"],
    ["another scheme", { authorization: "Basic dTpw" }, "missing_bearer"],
    ["only a scheme", { authorization: "Bearer" }, "missing_bearer"],
    ["garbage", { authorization: "Bearer garbage" }, "invalid_or_expired_jwt"],
  ])("with %s as login is 401 before the body is read", async (_, headers, error) => {
    for (const body of [GOOD, "{", "x".repeat(70_000), { challenge: 1 }]) {
      expect(await post("/agent/vc/issue", body, headers)).toEqual({ status: 401, body: { error } });
    }
  });

  test("does not accept a credential as login", async () => {
    const { vc } = await issued();
    const response = await post("/agent/vc/issue", GOOD, { authorization: `Bearer ${vc}` });
    expect(response).toEqual({ status: 401, body: { error: "wrong_token_type" } });
  });

  test("rejects a deleted agent, while its earlier credentials still verify", async () => {
    const formerAgent = await newAgent();
    const login = { authorization: `Bearer ${formerAgent.jwt}` };
    const { vc } = (await post("/agent/vc/issue", GOOD, login)).body as Issued;
    await service.opened.sql`update agents set deleted_at = now() where id = ${formerAgent.agentId}`;
    expect(await post("/agent/vc/issue", GOOD, login)).toEqual({ status: 404, body: { error: "agent_not_found" } });
    expect(await post("/agent/vc/issue", "{", login)).toEqual({ status: 404, body: { error: "agent_not_found" } });
    expect(await verify({ vc })).toEqual({ status: 200, body: { valid: true, payload: decodeJwt(vc) } });
  });

  test.each([
    ["ASCII", "a"],
    ["three-byte", "語"],
    ["quoted", '"'],
  ])(
    "an audience of the maximal %s characters is issued, verifies, and is rejected as a login with a clear error",
    async (_, character) => {
      const audience = character.repeat(Math.floor(2048 / Buffer.byteLength(character)));
      const { vc } = await issued({ audience });
      const response = await verify({ vc, expected_audience: audience, expected_challenge: GOOD.challenge });
      expect(response).toEqual({ status: 200, body: { valid: true, payload: decodeJwt(vc) } });
      expect(await post("/agent/vc/issue", GOOD, { authorization: `Bearer ${vc}` })).toEqual({
        status: 401,
        body: { error: "wrong_token_type" },
      });
    },
  );
});

describe("POST /api/agents/{agentId}/credentials", () => {
  const session = ({ owner } = pair) => ({
    cookie: `next-auth.session-token=${owner.session}`,
    origin: served.url,
  });
  const issueFor = (agentId: string, body: unknown, headers: Record<string, string> = session()) =>
    post(`/api/agents/${agentId}/credentials`, body, headers);

  test("returns the same members and status ok, for the named agent", async () => {
    const { status, body } = await issueFor(pair.agent.agentId, GOOD);
    const { vc, jti, issued_at, expires_at, kid } = body as Issued;
    expect([status, body]).toEqual([200, { status: "ok", vc, jti, issued_at, expires_at, kid }]);
    expect(decodeProtectedHeader(vc)).toEqual({ alg: "RS256", typ: "agent-vc", kid });
    expect(decodeJwt(vc)).toEqual({
      typ: "agent-vc",
      sub: pair.agent.agentId,
      iss: "service-agent-did",
      aud: GOOD.audience,
      jti,
      challenge: GOOD.challenge,
      iat: issued_at,
      exp: expires_at,
    });
    expect(await verify({ vc })).toEqual({ status: 200, body: { valid: true, payload: decodeJwt(vc) } });
  });

  test("issues no credential of another owner's agent", async () => {
    for (const id of [agent.agentId, crypto.randomUUID()]) {
      const { status, body } = await issueFor(id, GOOD);
      expect([status, body]).toEqual([404, expect.objectContaining({ status: "error", code: "agent_not_found" })]);
    }
    expect((await issueFor("ag_1", GOOD)).status).toBe(400);
  });

  test("requires that the owner has signed a mandate; the agent's own endpoint does not", async () => {
    const { agentId, jwt } = unsigned.agent;
    const { status, body } = await issueFor(agentId, GOOD, session(unsigned));
    expect([status, body]).toMatchObject([409, { status: "error", code: "nothing_signed_yet" }]);
    expect(await eventsOf(agentId)).toBe(0);
    expect((await post("/agent/vc/issue", GOOD, { authorization: `Bearer ${jwt}` })).status).toBe(200);
    expect(await eventsOf(agentId)).toBe(1);
  });

  test("rejects what the agent's own endpoint rejects, with the same messages", async () => {
    for (const [body, error] of [
      [{ ...GOOD, challenge: "" }, CHALLENGE],
      [{ ...GOOD, challenge: "x".repeat(4097) }, TOO_LARGE],
      [{ ...GOOD, ttl_seconds: 86_401 }, TTL],
      [{ ...GOOD, audience: "a\0" }, AUDIENCE],
    ] as const) {
      const response = await issueFor(pair.agent.agentId, body);
      expect([response.status, response.body]).toEqual([
        400,
        expect.objectContaining({ code: "invalid_request", reason: error }),
      ]);
    }
  });

  test("requires the session and our own Origin, and does not accept the agent's login", async () => {
    const { cookie } = session();
    const foreign = await issueFor(pair.agent.agentId, GOOD, { cookie, origin: "https://evil.test" });
    expect([foreign.status, foreign.body]).toMatchObject([403, { code: "origin_not_allowed" }]);
    const login = await issueFor(pair.agent.agentId, GOOD, { authorization: `Bearer ${pair.agent.jwt}` });
    expect([login.status, login.body]).toMatchObject([401, { code: "session_required" }]);
  });
});

describe("POST /verify-vc", () => {
  let vc: string;
  const payload = () => decodeJwt(vc);
  const SPOKEN = { challenge: "Ch\u00e9llenge", audience: "https://verifier.test/caf\u00e9", ttl_seconds: 3600 };

  beforeAll(async () => {
    ({ vc } = await issued(SPOKEN));
  });

  test("returns exactly the claims of a valid credential, each time", async () => {
    for (const _ of [1, 2, 3])
      expect(await verify({ vc })).toEqual({ status: 200, body: { valid: true, payload: payload() } });
  });

  test("accepts matching expectations", async () => {
    for (const expected of [
      { expected_audience: SPOKEN.audience },
      { expected_challenge: SPOKEN.challenge },
      { expected_audience: SPOKEN.audience, expected_challenge: SPOKEN.challenge },
    ]) {
      expect(await verify({ vc, ...expected })).toEqual({ status: 200, body: { valid: true, payload: payload() } });
    }
  });

  test.each<[string, (text: string) => string]>([
    ["in another case", (text) => text.toUpperCase()],
    ["with a slash at the end", (text) => `${text}/`],
    ["with a blank at the end", (text) => `${text} `],
    ["with a NUL at the end", (text) => `${text}\0`],
    ["in another normal form", (text) => text.normalize("NFD")],
    ["without its last character", (text) => text.slice(0, -1)],
    ["that is empty", () => ""],
    ["with a look-alike letter", (text) => text.replace("h", "\u04bb")],
  ])("reports an expected text %s as a mismatch", async (_, change) => {
    expect(change(SPOKEN.audience)).not.toBe(SPOKEN.audience);
    expect(await verify({ vc, expected_audience: change(SPOKEN.audience) })).toEqual({
      status: 200,
      body: { valid: false, error: "audience_mismatch" },
    });
    expect(await verify({ vc, expected_challenge: change(SPOKEN.challenge) })).toEqual({
      status: 200,
      body: { valid: false, error: "challenge_mismatch" },
    });
  });

  test("reports the audience first when audience and challenge are both wrong", async () => {
    const wrong = { expected_challenge: "x", expected_audience: "y" };
    expect(await verify({ vc, ...wrong })).toEqual({ status: 200, body: { valid: false, error: "audience_mismatch" } });
  });

  test.each([null, 1, true, [], ["https://verifier.test"], {}])("rejects %j as an expectation", async (value) => {
    for (const name of ["expected_audience", "expected_challenge"]) {
      expect(await verify({ vc, [name]: value })).toEqual({
        status: 400,
        body: { error: `${name} must be a string; omit it to skip this check` },
      });
    }
  });

  test.each<[string, unknown]>([
    ["left out", {}],
    ["empty", { vc: "" }],
    ["null", { vc: null }],
    ["a number", { vc: 1 }],
    ["a list", { vc: ["a"] }],
    ["an object", { vc: {} }],
    ["in an empty body", ""],
    ["in a list", ["a"]],
    ["in text", '"a"'],
    ["in null", "null"],
  ])("rejects a vc that is %s", async (_, body) => {
    expect(await verify(body)).toEqual({ status: 400, body: { error: "vc required" } });
  });

  test("rejects a duplicate vc and invalid JSON", async () => {
    for (const body of [
      `{"vc":"a","vc":"${vc}"}`,
      `{"vc":"a","\\u0076c":"${vc}"}`,
      "{",
      `{"vc":"${vc}","__proto__":{}}`,
    ]) {
      expect(await verify(body)).toEqual({ status: 400, body: { error: "invalid_json" } });
    }
  });

  test("reports an invalid credential before it compares expectations", async () => {
    for (const other of [agent.jwt, "x", "\ud800", `${vc} `, agent.token]) {
      const response = await verify({ vc: other, expected_audience: "x", expected_challenge: "y" });
      expect(response).toEqual({ status: 401, body: { error: "invalid_or_expired_vc" } });
    }
  });

  test("needs no login, and ignores one", async () => {
    for (const authorization of ["Bearer garbage", `Bearer ${agent.jwt}`, `Bearer ${vc}`]) {
      expect((await post("/verify-vc", { vc }, { authorization })).status).toBe(200);
    }
  });

  test("refuses what it would not compare, after the texts of the interface", async () => {
    const refused = (error: string) => ({ status: 400, body: { error } });
    expect(await verify({ vc, audience: "x" })).toEqual(refused("audience: is not a field of this request"));
    expect(await verify({ vc, expectedAudience: "z" })).toEqual(
      refused("expectedAudience: is not a field of this request (did you mean `expected_audience`?)"),
    );
    expect(await verify({ audience: "x" })).toEqual(refused("vc required"));
  });

  test("rejects larger bodies and other media types", async () => {
    expect(await verify({ vc, pad: "x".repeat(524_288) })).toEqual({ status: 413, body: { error: "body_too_large" } });
    const response = await post("/verify-vc", { vc }, { "content-type": "text/plain" });
    expect(response).toEqual({ status: 415, body: { error: "unsupported_media_type" } });
  });

  test("accepts a credential until the second of its expiry", async () => {
    const { verifyCredential } = await import("@/lib/identity/service");
    const { exp = 0 } = payload();
    const systemAt = (ms: number) => ({ ...service.opened.system, now: () => new Date(ms) });
    await expect(verifyCredential(systemAt(exp * 1000 - 1), vc, {})).resolves.toMatchObject({ valid: true });
    await expect(verifyCredential(systemAt(exp * 1000), vc, {})).rejects.toMatchObject({
      code: "invalid_or_expired_vc",
    });
  });

  test("rejects a credential with a lifetime of one second after that second", async () => {
    const { vc: short, expires_at } = await issued({ ttl_seconds: 1 });
    while (Date.now() < expires_at * 1000) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await verify({ vc: short })).toEqual({ status: 401, body: { error: "invalid_or_expired_vc" } });
  });
});
