import { asc } from "drizzle-orm";
import { type CryptoKey, compactVerify, importJWK, type JWK, SignJWT } from "jose";
import { z } from "zod";
import { newAgentId } from "@/lib/core/ids";
import { activeKey, CREDENTIAL_TYP, credentialFor } from "@/lib/identity/rules";
import { signingKeys } from "@/lib/identity/tables";
import { openDatabase } from "@/lib/platform/db";
import { createVault } from "@/lib/platform/vault";
import type { Stack } from "../local/stack";
import { type Client, inLanes, openClient, rateOf } from "./load";

export type Figure = { what: string; ours: number; other: number; baseline: string; unit: string };

/** Enough concurrency to show the service's batching of requests. */
const CONNECTIONS = 64;
const SECONDS = 5;

/** Credentials issued and verified per second, compared with jose and with a bare route handler of `next`, a server of Next alone. */
export async function credentialFigures(
  { stack, jwt }: { stack: Stack; jwt: string },
  next: Stack,
  progress: (line: string) => void,
): Promise<Figure[]> {
  const [own, bare] = [openClient(stack.baseUrl, CONNECTIONS), openClient(next.baseUrl, CONNECTIONS)];
  const posting = async (client: Client, path: string, json: unknown, headers = {}): Promise<string> => {
    const { status, text } = await client.send({ method: "POST", path, headers, json });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return text;
  };
  const bench: IdentityBench = {
    ...{ stack, lanes: CONNECTIONS, seconds: SECONDS, progress },
    post: (path, json) => posting(own, path, json),
    postAsAgent: (path, json) => posting(own, path, json, { authorization: `Bearer ${jwt}` }),
    postBare: (path, json) => posting(bare, path, json),
  };
  const rates = await identityRates(bench).finally(() => [own, bare].map(({ close }) => close()));
  const compared = (what: string, ours: number, jose: number): Figure[] => [
    { what, ours, other: rates.bare, baseline: "bare route handler of Next, JSON in and out", unit: "/s" },
    { what: "", ours, other: jose, baseline: "jose alone, same key", unit: "/s" },
  ];
  return [
    ...compared("credentials issued", rates.issue, rates.joseSign),
    ...compared("credentials verified", rates.verify, rates.joseVerify),
  ];
}

/** Rates per second, each the mean of the rounds. */
type IdentityRates = {
  issue: number;
  verify: number;
  joseSign: number;
  joseVerify: number;
  bare: number;
};

type Post = (path: string, json: unknown) => Promise<string>;
type IdentityBench = {
  stack: Stack;
  lanes: number;
  seconds: number;
  /** These throw unless the status is 200. */
  post: Post;
  postAsAgent: Post;
  postBare: Post;
  progress: (line: string) => void;
};

const ROUNDS = 3;
const WARM_UP_SECONDS = 3;
const AGENTS = 50;
const AUDIENCE = "https://verifier.example";
/** More than a round uses, because a real client never presents one credential repeatedly. */
const VERIFIED_A_SECOND_MAX = 2_500;

const issued = z.object({ vc: z.string() });
const verified = z.object({ valid: z.literal(true) });

/** Issues and verifies over HTTP, alternating with jose alone with the same key, so that other load affects both. */
async function identityRates(bench: IdentityBench): Promise<IdentityRates> {
  const { stack, lanes, seconds, post, postAsAgent, postBare, progress } = bench;
  const key = await activeKeyPair(stack);
  const agents = Array.from({ length: AGENTS }, newAgentId);
  let turn = 0;
  const sign = (challenge: string) =>
    new SignJWT(
      credentialFor(
        agents[turn++ % AGENTS] ?? newAgentId(),
        { challenge, audience: AUDIENCE, ttlSeconds: 3600 },
        new Date(),
      ),
    )
      .setProtectedHeader({ alg: "RS256", typ: CREDENTIAL_TYP, kid: key.kid })
      .sign(key.privateKey);
  const issue = async () => {
    const json = { challenge: crypto.randomUUID(), audience: AUDIENCE, ttl_seconds: 3600 };
    issued.parse(JSON.parse(await postAsAgent("/agent/vc/issue", json)));
  };
  const body = { vc: await sign("challenge"), expected_audience: AUDIENCE };
  const callBare = async () => void (await postBare("/api/devnet/echo", body));
  const rounds: Record<keyof IdentityRates, number[]> = {
    issue: [],
    verify: [],
    joseSign: [],
    joseVerify: [],
    bare: [],
  };
  progress("Credentials: warming up");
  await rateOf(issue, lanes, WARM_UP_SECONDS);
  await rateOf(callBare, lanes, WARM_UP_SECONDS);
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`Credentials: ${lanes} connections, round ${round} of ${ROUNDS}`);
    const fresh = await inLanes(Array.from({ length: VERIFIED_A_SECOND_MAX * seconds }), lanes, () =>
      sign(crypto.randomUUID()),
    );
    let next = 0;
    const verify = async () => {
      const json = { vc: fresh[next++], expected_audience: AUDIENCE };
      verified.parse(JSON.parse(await post("/verify-vc", json)));
    };
    let turns = 0;
    const joseVerify = async () => {
      await compactVerify(fresh[turns++ % fresh.length] ?? "", key.publicKey, { algorithms: ["RS256"] });
    };
    rounds.bare.push(await rateOf(callBare, lanes, seconds));
    rounds.issue.push(await rateOf(issue, lanes, seconds));
    rounds.verify.push(await rateOf(verify, lanes, seconds));
    rounds.joseSign.push(await rateOf(async () => void (await sign("challenge")), lanes, seconds / 2));
    rounds.joseVerify.push(await rateOf(joseVerify, lanes, seconds / 2));
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const { issue: i, verify: v, joseSign: js, joseVerify: jv, bare } = rounds;
  return { issue: mean(i), verify: mean(v), joseSign: mean(js), joseVerify: mean(jv), bare: mean(bare) };
}

/** The running service's signing key. */
async function activeKeyPair({ config }: Stack): Promise<{ kid: string; privateKey: CryptoKey; publicKey: CryptoKey }> {
  const database = openDatabase(config.databaseUrl, 2);
  try {
    const key = activeKey(
      await database.db.select().from(signingKeys).orderBy(asc(signingKeys.activeFrom)),
      new Date(),
    );
    if (!key) throw new Error("the service has no signing key yet");
    const privateJwk: JWK = JSON.parse(createVault(config.masterKeys).open(key.sealedKey, key.kid));
    return { kid: key.kid, privateKey: await imported(privateJwk), publicKey: await imported(key.publicJwk) };
  } finally {
    await database.close();
  }
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, "RS256");
  if (key instanceof Uint8Array) throw new Error("a signing key must be RSA");
  return key;
}
