import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createInterface } from "node:readline";
import { decodeProtectedHeader } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "@/dev/local/ports";
import { CredentialRefused, credentialVerifier } from "@/docs/verifiers/verify-vc";
import { newAgent, type TestAgent } from "../support/actors";
import { until } from "../support/replica";
import { type Served, serve } from "../support/serve";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

/** The published verifiers of docs/verifiers, run unchanged. */
type Answer = { sub: string } | { broken: string[] } | { fault: string };
type Verifier = { present: (vc: string, challenge: string) => Promise<Answer>; close: () => void };
type Program = {
  name: string;
  isHere: boolean;
  open: (service: string) => Verifier;
  /** Advances its time until it may fetch the keys again. */
  passCoolDown: () => void;
};
type Part = Record<string, unknown>;
type Forge = { header: Part; claims: Part; challenge: string; key: KeyObject };

const AUDIENCE = "https://api.example.com";
const DIRECTORY = "docs/verifiers";

let world: World;
let opened: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let identity: typeof import("@/lib/identity/service");
let server: Served;
let agent: TestAgent;
let signingKey: { kid: string; key: KeyObject };

beforeAll(async () => {
  world = await createWorld();
  opened = openSystem();
  wiring = await import("../support/wiring");
  identity = await import("@/lib/identity/service");
  await wiring.closeSystem();
  server = await serve();
  agent = await newAgent();
  const kid = decodeProtectedHeader(agent.jwt).kid ?? "";
  signingKey = { kid, key: await privateKey(kid) };
  // The next key is published too, so that a header without a kid is ambiguous.
  await identity.keepKeys(wiring.system());
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  await server?.stop();
  await wiring?.closeSystem();
  await opened?.close();
  await world?.stop();
});

async function privateKey(kid: string): Promise<KeyObject> {
  const [row] = await opened.sql`select sealed_key from signing_keys where kid = ${kid}`;
  return createPrivateKey({ key: JSON.parse(opened.system.vault.open(row?.sealed_key, kid)), format: "jwk" });
}

/** Whether a program is installed. */
const runs = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const python = ["python3", "/usr/bin/python3"].find((name) => runs(name, "-c", "import jwt, cryptography"));

const typescript: Program = {
  name: "TypeScript",
  isHere: true,
  open: (service) => {
    const used = new Set<string>();
    const verify = credentialVerifier({
      service,
      audience: AUDIENCE,
      useChallenge: async (challenge) => !used.has(challenge) && !!used.add(challenge),
    });
    const check = (vc: string, challenge: string): Promise<Answer> =>
      verify(vc, challenge).then(
        ({ sub }) => ({ sub }),
        (thrown) =>
          thrown instanceof CredentialRefused ? { broken: [...thrown.rules] } : { fault: thrown.constructor.name },
      );
    return { present: check, close: () => {} };
  },
  // jose counts from its latest fetch of the keys.
  passCoolDown: () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 31_000);
  },
};

const DRIVER = `
import json, sys
from verify_vc import CredentialRefused, CredentialVerifier

used = set()

def use(challenge):
    is_new = challenge not in used
    used.add(challenge)
    return is_new

verifier = CredentialVerifier(sys.argv[1], sys.argv[2], use)
for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"sub": verifier.verify(request["vc"], request["challenge"])["sub"]}
    except CredentialRefused as refused:
        answer = {"broken": refused.rules}
    except Exception as fault:
        answer = {"fault": type(fault).__name__}
    print(json.dumps(answer), flush=True)
`;

const pythonProgram: Program = {
  name: "Python",
  isHere: python !== undefined,
  open: (service) => {
    const env = { ...process.env, PYTHONPATH: DIRECTORY, PYTHONDONTWRITEBYTECODE: "1" };
    const child = spawn(python ?? "python3", ["-c", DRIVER, service, AUDIENCE], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const present = async (vc: string, challenge: string): Promise<Answer> => {
      child.stdin.write(`${JSON.stringify({ vc, challenge })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("the Python verifier ended");
      return JSON.parse(value);
    };
    return { present, close: () => void child.stdin.end() };
  },
  // The cool-down starts with the first refresh.
  passCoolDown: () => {},
};

const shell: Program = {
  name: "curl",
  isHere: runs("curl", "--version") && runs("jq", "--version"),
  open: (service) => ({
    present: async (vc, challenge) => {
      const child = spawn("sh", [`${DIRECTORY}/verify-vc.sh`, AUDIENCE], {
        env: { ...process.env, SERVICE: service, CHALLENGE: challenge },
        stdio: ["pipe", "pipe", "pipe"],
      });
      child.stdin.end(`${vc}\n`);
      const [code, stdout, stderr] = await endOf(child);
      if (code === 0) return { sub: JSON.parse(stdout).sub };
      return code === 1 ? { broken: [stderr.trim().replace("not verified: ", "")] } : { fault: `status ${code}` };
    },
    close: () => {},
  }),
  passCoolDown: () => {},
};

async function endOf(child: ChildProcess): Promise<[number, string, string]> {
  const read = async (stream: AsyncIterable<Buffer> | null) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream ?? []) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), read(child.stdout), read(child.stderr)]);
  return [code, stdout, stderr];
}

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const signedText = (text: string, key: KeyObject) =>
  `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
const signed = (header: unknown, claims: unknown, key: KeyObject) => signedText(`${b64(header)}.${b64(claims)}`, key);
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const now = () => Math.floor(Date.now() / 1000);

/** Tokens signed by the service's own key, so that only the rule under test refuses them. */
function forge(): Forge {
  const challenge = randomBytes(16).toString("base64url");
  const claims = {
    typ: "agent-vc",
    sub: agent.agentId,
    iss: "service-agent-did",
    aud: AUDIENCE,
    jti: `vc_${challenge}`,
    challenge,
    iat: now(),
    exp: now() + 300,
  };
  return {
    header: { alg: "RS256", typ: "agent-vc", kid: signingKey.kid },
    claims,
    challenge,
    key: signingKey.key,
  };
}
const header = (change: Part) => (m: Forge) => signed({ ...m.header, ...change }, m.claims, m.key);
const claims = (change: Part) => (m: Forge) => signed(m.header, { ...m.claims, ...change }, m.key);

const INVALID = "invalid_or_expired_vc";
/** The expected refusal of each verifier: broken rules of the two libraries, the service's error for the shell script. */
const FORGERIES: [name: string, make: (m: Forge) => string, broken: string[], word: string][] = [
  ["another audience", claims({ aud: "https://other.example.com" }), ["audience"], "audience_mismatch"],
  ["the audience with a slash", claims({ aud: `${AUDIENCE}/` }), ["audience"], "audience_mismatch"],
  ["the audience in capitals", claims({ aud: AUDIENCE.toUpperCase() }), ["audience"], "audience_mismatch"],
  ["the audience in a list", claims({ aud: [AUDIENCE] }), ["audience"], INVALID],
  ["no audience", claims({ aud: undefined }), ["audience"], INVALID],
  ["another challenge", claims({ challenge: "another" }), ["challenge"], "challenge_mismatch"],
  ["the challenge and more", (m) => claims({ challenge: `${m.challenge}x` })(m), ["challenge"], "challenge_mismatch"],
  ["no challenge", claims({ challenge: undefined }), ["challenge"], INVALID],
  ["a time that is over", claims({ iat: now() - 400, exp: now() - 100 }), ["lifetime"], INVALID],
  ["no end", claims({ exp: undefined }), ["lifetime"], INVALID],
  ["an end in words", claims({ exp: String(now() + 300) }), ["lifetime"], INVALID],
  ["another issuer", claims({ iss: "service-agent-did2" }), ["issuer"], INVALID],
  ["the issuer in a list", claims({ iss: ["service-agent-did"] }), ["issuer"], INVALID],
  ["typ AGENT-VC", header({ typ: "AGENT-VC" }), ["type"], INVALID],
  ["typ application/agent-vc", header({ typ: "application/agent-vc" }), ["type"], INVALID],
  ["typ JWT", header({ typ: "JWT" }), ["type"], INVALID],
  ["typ in a list", header({ typ: ["agent-vc"] }), ["type"], INVALID],
  ["no typ", header({ typ: undefined }), ["type"], INVALID],
  ["a login JWT", () => agent.jwt, ["type", "audience", "challenge"], INVALID],
  [
    "changed claims",
    (m) => signed(m.header, m.claims, m.key).replace(/\.[^.]+\./, `.${b64({ ...m.claims, sub: "me" })}.`),
    ["signature"],
    INVALID,
  ],
  ["a stranger's key", (m) => signed(m.header, m.claims, stranger.privateKey), ["signature"], INVALID],
  [
    "a stranger's key brought along",
    (m) => signed({ ...m.header, jwk: stranger.publicKey.export({ format: "jwk" }) }, m.claims, stranger.privateKey),
    ["signature"],
    INVALID,
  ],
  ["an unknown kid", header({ kid: "unknown" }), ["signature"], INVALID],
  ["a kid that is a number", header({ kid: 1 }), ["signature"], INVALID],
  ["no kid", header({ kid: undefined }), ["signature"], INVALID],
  ["alg none", (m) => `${b64({ ...m.header, alg: "none" })}.${b64(m.claims)}.`, ["signature"], INVALID],
  [
    "HS256 keyed with the public key",
    (m) => {
      const text = `${b64({ ...m.header, alg: "HS256" })}.${b64(m.claims)}`;
      const pem = createPublicKey(m.key).export({ type: "spki", format: "pem" });
      return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
    },
    ["signature"],
    INVALID,
  ],
  [
    "PS256 by our key",
    (m) => {
      const text = `${b64({ ...m.header, alg: "PS256" })}.${b64(m.claims)}`;
      const padded = { key: m.key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
      return `${text}.${sign("sha256", Buffer.from(text), padded).toString("base64url")}`;
    },
    ["signature"],
    INVALID,
  ],
  ["claims that are a list", (m) => signed(m.header, [m.claims], m.key), [], INVALID],
  ["claims that are null", (m) => signed(m.header, null, m.key), ["signature"], INVALID],
  ["claims that are not JSON", (m) => signedText(`${b64(m.header)}.e30x`, m.key), ["signature"], INVALID],
  ["two parts", (m) => signed(m.header, m.claims, m.key).replace(/\.[^.]+$/, ""), ["signature"], INVALID],
  ["rubbish", () => "rubbish", ["signature"], INVALID],
  ["rubbish outside ASCII", () => "ü.ü.ü", ["signature"], INVALID],
];

/** Tests of a program that is not installed are reported as skipped. */
const named = ({ name, isHere }: Program, needs: string) => (isHere ? name : `${name} (left out: needs ${needs})`);
const PROGRAMS: [string, Program][] = [
  ["TypeScript", typescript],
  [named(pythonProgram, "PyJWT and cryptography"), pythonProgram],
  [named(shell, "curl and jq"), shell],
];

describe.each(PROGRAMS)("the verifier in %s", (_, program) => {
  let verifier: Verifier;
  beforeAll(() => {
    if (program.isHere) verifier = program.open(server.url);
  });
  afterAll(() => verifier?.close());

  test.skipIf(!program.isHere)(
    "accepts a credential built by hand; each forgery below differs in one point",
    async () => {
      const challenge = randomBytes(16).toString("base64url");
      const { vc } = await issue(challenge);
      expect(await verifier.present(vc, challenge)).toEqual({ sub: agent.agentId });
    },
  );

  test.skipIf(!program.isHere)("accepts one built by hand: the forgeries below differ in one point each", async () => {
    const forged = forge();
    expect(await verifier.present(signed(forged.header, forged.claims, forged.key), forged.challenge)).toEqual({
      sub: agent.agentId,
    });
  });

  test.skipIf(!program.isHere)("accepts a challenge with any characters, compared literally", async () => {
    const challenge = `"; $(true) \`x\` \\ ü 🦊 {"a":1} %s`;
    const forgedToken = forge();
    const vc = signed(forgedToken.header, { ...forgedToken.claims, challenge }, forgedToken.key);
    expect(await verifier.present(vc, challenge)).toEqual({ sub: agent.agentId });
  });

  test.skipIf(!program.isHere).each(FORGERIES)("rejects %s", async (__, make, broken, word) => {
    const made = forge();
    const answer = await verifier.present(make(made), made.challenge);
    const expected = program === shell ? [word] : broken;
    // Claims in an array count as no claims, or as missing claims.
    expect(answer).toEqual({ broken: expected.length > 0 ? expected : expect.arrayContaining([expect.any(String)]) });
  });

  test.skipIf(!program.isHere)("reports neither valid nor invalid when the service does not respond", async () => {
    const made = forge();
    const lost = program.open(`http://127.0.0.1:${await freePort()}`);
    const answer = await lost.present(signed(made.header, made.claims, made.key), made.challenge);
    lost.close();
    expect(answer).toEqual({ fault: expect.any(String) });
  });
});

describe.each(PROGRAMS.slice(0, 2))("the verifier in %s with cached keys", (_, program) => {
  test.skipIf(!program.isHere)("accepts a challenge once, also when it comes with another credential", async () => {
    const verifier = program.open(server.url);
    const made = forge();
    const first = signed(made.header, made.claims, made.key);
    const second = signed(made.header, { ...made.claims, jti: "vc_other" }, made.key);
    const answers = await Promise.all([first, first, second].map((vc) => verifier.present(vc, made.challenge)));
    verifier.close();
    expect(answers.filter((answer) => "sub" in answer)).toHaveLength(1);
    expect(answers.filter((answer) => "broken" in answer)).toEqual([
      { broken: ["single-use"] },
      { broken: ["single-use"] },
    ]);
  });

  test.skipIf(!program.isHere)("still accepts a challenge that first came with an invalid credential", async () => {
    const verifier = program.open(server.url);
    const made = forge();
    expect(await verifier.present(claims({ aud: "https://other.example.com" })(made), made.challenge)).toEqual({
      broken: ["audience"],
    });
    expect(await verifier.present(header({})(made), made.challenge)).toEqual({ sub: agent.agentId });
    verifier.close();
  });

  test.skipIf(!program.isHere)("rejects a header without a kid, even with only one key", async () => {
    const only = await countingKeys(({ kid }) => kid === signingKey.kid);
    const verifier = program.open(only.url);
    const made = forge();
    expect(await verifier.present(header({ kid: undefined })(made), made.challenge)).toEqual({ broken: ["signature"] });
    expect(await verifier.present(header({})(made), made.challenge)).toEqual({ sub: agent.agentId });
    verifier.close();
    await only.stop();
  });

  test.skipIf(!program.isHere)(
    "fetches a rotated key when it needs it, and keys with unknown ids only occasionally",
    async () => {
      const counted = await countingKeys();
      const verifier = program.open(counted.url);
      const before = forge();
      expect(await verifier.present(header({})(before), before.challenge)).toEqual({ sub: agent.agentId });
      expect(counted.readings()).toBe(1);

      // Twice: the first successor was published, and cached, before.
      await identity.rotateKeys(wiring.system(), { force: true });
      const { kid: rotated } = await identity.rotateKeys(wiring.system(), { force: true });
      await until(async () => (await issue("meanwhile")).kid === rotated, "the server to sign with it", 15);
      const { vc, kid } = await issue("after the rotation");
      expect(kid).toBe(rotated);
      program.passCoolDown();
      expect(await verifier.present(vc, "after the rotation")).toEqual({ sub: agent.agentId });
      expect(counted.readings()).toBe(2);

      for (const kidNobodyHas of ["a", "b", "c", "d"]) {
        const made = forge();
        expect(await verifier.present(header({ kid: kidNobodyHas })(made), made.challenge)).toEqual({
          broken: ["signature"],
        });
      }
      expect(counted.readings()).toBe(2);
      const after = forge();
      expect(await verifier.present(header({})(after), after.challenge)).toEqual({ sub: agent.agentId });
      verifier.close();
      await counted.stop();
    },
  );
});

async function issue(challenge: string): Promise<{ vc: string; kid: string }> {
  const answer = await fetch(`${server.url}/agent/vc/issue`, {
    method: "POST",
    headers: { Authorization: `Bearer ${agent.jwt}`, "Content-Type": "application/json" },
    body: JSON.stringify({ challenge, audience: AUDIENCE, ttl_seconds: 300 }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

/** Serves all or some of the service's keys, and counts the requests. */
async function countingKeys(isKept: (key: { kid: string }) => boolean = () => true) {
  let readings = 0;
  const published: Server = createServer((_, res) => {
    readings += 1;
    fetch(`${server.url}/.well-known/jwks.json`)
      .then((answer): Promise<{ keys: { kid: string }[] }> => answer.json())
      .then(({ keys }) =>
        res.setHeader("Content-Type", "application/json").end(JSON.stringify({ keys: keys.filter(isKept) })),
      )
      .catch((thrown) => res.writeHead(500).end(String(thrown)));
  });
  const port = await freePort();
  await once(published.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    readings: () => readings,
    stop: async () => {
      published.closeAllConnections();
      await once(published.close(), "close");
    },
  };
}

test.each(["verify-vc.ts", "verify_vc.py", "verify-vc.sh"])("the documentation quotes %s unchanged", (file) => {
  const document = readFileSync("docs/verify-a-credential.md", "utf8");
  const blocks = [...document.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  expect(blocks).toContain(readFileSync(`${DIRECTORY}/${file}`, "utf8"));
});
