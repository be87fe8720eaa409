import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentActor, registerAgent } from "@/dev/actors/agents";
import { openApi } from "@/dev/actors/api";
import { signInOwner } from "@/dev/actors/owners";
import { inOwnWorld } from "@/dev/local/own-world";
import { newAgent, type TestAgent } from "../support/actors";
import { call } from "../support/http";
import { signedMandate } from "../support/mandates";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

type Issued = { vc: string; jti: string };

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

describe("the audit event of a credential", () => {
  let world: World;
  let testSystem: ReturnType<typeof openSystem>;
  let agent: TestAgent;

  beforeAll(async () => {
    world = await createWorld();
    testSystem = openSystem();
    agent = await newAgent();
  });

  afterAll(async () => {
    const { closeSystem } = await import("../support/wiring");
    await closeSystem();
    await testSystem?.close();
    await world?.stop();
  });

  const eventsOf = (agentId: string) => testSystem.sql`
    select type, subject, owner_id, agent_id, meta from events where agent_id = ${agentId} and type = 'VC_ISSUED'`;
  const request = (challenge: string) => ({ challenge, audience: "https://verifier.test/café", ttl_seconds: 77 });
  const issue = (challenge: string, bearer = agent.jwt) =>
    call("POST", "/agent/vc/issue", { bearer, json: request(challenge) });

  test.each(["c-1", "語\u0000🦊", "x".repeat(4096)])(
    "has exactly jti, audience, ttl_seconds and the challenge's fingerprint, and is committed before the response",
    async (challenge) => {
      const ownAgent = await newAgent();
      const { body } = await issue(challenge, ownAgent.jwt);
      const { jti } = body as Issued;
      expect(await eventsOf(ownAgent.agentId)).toEqual([
        {
          type: "VC_ISSUED",
          subject: jti,
          owner_id: null,
          agent_id: ownAgent.agentId,
          meta: {
            jti,
            audience: "https://verifier.test/café",
            ttl_seconds: 77,
            challenge_sha256: sha256(challenge),
          },
        },
      ]);
    },
  );

  test("also names the owner, if the owner requested the credential", async () => {
    const { owner, agent: linked } = await signedMandate();
    const { body } = await call("POST", `/api/agents/${linked.agentId}/credentials`, {
      session: owner.session,
      json: request("c-2"),
    });
    const { jti } = body as Issued;
    const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
    const meta = { jti, audience: "https://verifier.test/café", ttl_seconds: 77, challenge_sha256: sha256("c-2") };
    expect(await eventsOf(linked.agentId)).toEqual([
      { type: "VC_ISSUED", subject: jti, owner_id: row?.id, agent_id: linked.agentId, meta },
    ]);
  });

  test("is written for each of many simultaneous requests", async () => {
    const ownAgent = await newAgent();
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const { jti } = (await issue(`c-${index}`, ownAgent.jwt)).body as Issued;
        const [row] = await testSystem.sql`select meta from events where subject = ${jti}`;
        return row?.meta.challenge_sha256;
      }),
    );
    expect(responses).toEqual(responses.map((_, index) => sha256(`c-${index}`)));
    expect(await eventsOf(ownAgent.agentId)).toHaveLength(60);
  });

  test("stops the credential from being issued if it cannot be written", async () => {
    await testSystem.sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`;
    await testSystem.sql`
      create trigger refuse before insert on events for each row when (new.type = 'VC_ISSUED') execute function refuse()`;
    const eventsBefore = await eventsOf(agent.agentId);
    const { status, body } = await issue("c-3");
    await testSystem.sql`drop trigger refuse on events`;
    expect([status, body]).toEqual([500, { error: "internal_error" }]);
    expect(await eventsOf(agent.agentId)).toEqual(eventsBefore);
    expect((await issue("c-3")).status).toBe(200);
  });

  test("stops the credential from being issued if its commit fails", async () => {
    await testSystem.sql`
      create constraint trigger refuse_late after insert on events deferrable initially deferred
      for each row when (new.type = 'VC_ISSUED') execute function refuse()`;
    const { status, body } = await issue("c-4");
    await testSystem.sql`drop trigger refuse_late on events`;
    expect([status, body]).toEqual([500, { error: "internal_error" }]);
  });

  test("stops the credential from being issued if its table is missing", async () => {
    await testSystem.sql`alter table events rename to elsewhere`;
    const { status, body } = await issue("c-5");
    await testSystem.sql`alter table elsewhere rename to events`;
    expect([status, body]).toEqual([500, { error: "internal_error" }]);
    expect((await issue("c-5")).status).toBe(200);
  });
});

/** Only letters and digits, which JSON, URLs and HTML do not escape. */
const newCanary = () => `canary${randomBytes(16).toString("hex")}`;

/** Every encoding in which `text` could be stored, alone or inside a longer text. */
function spellings(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64url");
    // The first and last characters of the encoding depend on the surrounding text.
    return encoded.slice(shift === 0 ? 0 : 4, -4);
  });
  const encodeBytes = (change: (byte: number) => string) => [...bytes].map(change).join("");
  const texts = [
    text,
    text.toUpperCase(),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((part) => part.replaceAll("-", "+").replaceAll("_", "/")),
    encodeBytes((byte) => `\\u00${byte.toString(16)}`),
    encodeBytes((byte) => `%${byte.toString(16)}`),
    [...text].reverse().join(""),
  ];
  return [...texts.map((spelled) => Buffer.from(spelled)), Buffer.from(text, "utf16le")];
}

const holds = (bytes: Buffer, canary: string) => spellings(canary).some((spelled) => bytes.includes(spelled));

test("the search for a test challenge finds every encoding of it at any position", () => {
  const canary = newCanary();
  for (const before of ["", "a", "ab", "abc", '{"challenge":"']) {
    const inside = Buffer.from(`${before}${canary}yz`);
    for (const form of ["base64", "base64url", "hex", "utf8"] as const) {
      expect(holds(Buffer.from(`x.${inside.toString(form)}.y`), canary)).toBe(true);
    }
    expect(holds(Buffer.from(encodeURIComponent(inside.toString())), canary)).toBe(true);
    expect(holds(Buffer.from(JSON.stringify(JSON.stringify(inside.toString()))), canary)).toBe(true);
  }
  expect(holds(Buffer.from(newCanary()), canary)).toBe(false);
});

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function tablesThatHold(sql: postgres.Sql, canary: string): Promise<string[]> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(schema)}.${sql(name)} t`;
    if (rows.some(({ row }) => holds(Buffer.from(row), canary))) found.push(name);
  }
  return found;
}

/** Sends valid and invalid requests to every endpoint that takes a challenge. Returns the outcome of each. */
async function sing(
  canary: string,
  agent: AgentActor,
  baseUrl: string,
  issueForOwner: (body: object) => Promise<number>,
) {
  const api = openApi(baseUrl);
  const raw = async (path: string, body: string, headers: Record<string, string> = {}) =>
    (
      await fetch(`${baseUrl}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      })
    ).status;
  const good = { challenge: canary, audience: "https://verifier.test", ttl_seconds: 600 };
  const issue = async (body: object) => (await agent.call("POST", "/agent/vc/issue", body)).status;
  const { vc } = (await agent.call("POST", "/agent/vc/issue", good)).body as Issued;
  const verify = async (body: object) => (await api.call("verifier", "POST", "/verify-vc", { json: body })).status;
  return {
    issued: [await issue(good), await issueForOwner(good)],
    verified: [
      await verify({ vc, expected_challenge: canary }),
      await verify({ vc, expected_challenge: `${canary}x`, expected_audience: "https://verifier.test" }),
      await verify({ vc, expected_challenge: `x${canary}`, expected_audience: canary }),
    ],
    refused: [
      await issue({ ...good, challenge: canary.repeat(200) }),
      await issue({ ...good, challenge: [canary] }),
      await issue({ ...good, challenge: { [canary]: canary } }),
      await issue({ ...good, ttl_seconds: canary }),
      await issue({ challenge: canary }),
      await issueForOwner({ ...good, challenge: canary.repeat(200) }),
      await issueForOwner({ ...good, ttl_seconds: 0 }),
      await verify({ expected_challenge: canary }),
      await verify({ vc, expected_challenge: [canary] }),
      await verify({ vc: canary, expected_challenge: canary }),
      await verify({ vc: `${vc}x`, expected_challenge: canary }),
      await raw("/agent/vc/issue", JSON.stringify(good)),
      await raw("/agent/vc/issue", JSON.stringify(good), { authorization: `Bearer ${vc}` }),
      await raw("/verify-vc", `{"expected_challenge":"${canary}"`),
      await raw("/verify-vc", `{"${canary}":1,"${canary}":2}`),
      await raw("/verify-vc", JSON.stringify({ expected_challenge: canary }), { "content-type": "text/plain" }),
      await raw("/verify-vc", JSON.stringify({ expected_challenge: canary.repeat(16_000) })),
    ],
  };
}

const START_MS = 600_000;

test(
  "a challenge is stored nowhere in the running service: no table, no database file, no log",
  async () => {
    const [canary, planted] = [newCanary(), newCanary()];
    await inOwnWorld(
      "canary",
      { log: () => {}, settings: { LOG_LEVEL: "debug" } },
      async ({ baseUrl, env, logFile }) => {
        const api = openApi(baseUrl);
        const sql = postgres(env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
        const agent = await registerAgent(api, `Agent ${planted}`);
        const owner = await signInOwner(api, "owner", privateKeyToAccount(generatePrivateKey()));
        const { authorizationUrl } = await agent.tessera.mandates.create({
          naturalLanguage: "Buy data",
          limitAmount: "1000000",
          validForSeconds: 3600,
        });
        await owner.signMandate(await owner.claim(authorizationUrl));
        const issueForOwner = async (body: object) =>
          (await owner.call("POST", `/api/agents/${agent.tessera.agentId}/credentials`, body)).status;

        expect(await sing(canary, agent, baseUrl, issueForOwner)).toEqual({
          issued: [200, 200],
          verified: [200, 200, 200],
          refused: [400, 400, 400, 400, 400, 400, 400, 400, 400, 401, 401, 401, 401, 400, 400, 415, 413],
        });
        // The same with a failing database.
        await sql`alter table events rename to elsewhere`;
        await sql`alter table rate_limits rename to uncounted`;
        const good = { challenge: canary, audience: "a", ttl_seconds: 600 };
        const broken = [(await agent.call("POST", "/agent/vc/issue", good)).status, await issueForOwner(good)];
        await sql`alter table agents rename to agents_away`;
        broken.push((await agent.call("POST", "/agent/vc/issue", good)).status);
        expect(broken).toEqual([500, 500, 500]);
        await sql`alter table agents_away rename to agents`;
        await sql`alter table uncounted rename to rate_limits`;
        await sql`alter table elsewhere rename to events`;

        await sql`checkpoint`;
        const dataDir = dirname(logFile);
        const files = filesBelow(dataDir);
        const filesThatHold = (text: string) => files.filter((file) => holds(readFileSync(file), text));
        expect(await tablesThatHold(sql, planted)).toEqual(["agents"]);
        expect(filesThatHold(planted).some((file) => file.includes("pg_wal"))).toBe(true);
        expect(filesThatHold(planted).some((file) => file.includes("/base/"))).toBe(true);
        expect(filesThatHold(sha256(canary)).length).toBeGreaterThan(0);
        expect(files).toContain(logFile);
        expect(readFileSync(logFile, "utf8")).toContain("/agent/vc/issue");

        expect(await tablesThatHold(sql, canary)).toEqual([]);
        expect(filesThatHold(canary)).toEqual([]);
        await sql.end();
      },
    );
  },
  START_MS,
);
