import { asc } from "drizzle-orm";
import { type CryptoKey, compactVerify, importJWK, type JWK, SignJWT } from "jose";
import { z } from "zod";
import { newAgentId } from "@/lib/core/ids";
import { activeKey, CREDENTIAL_TYP, credentialFor } from "@/lib/identity/rules";
import { signingKeys } from "@/lib/identity/tables";
import { openDatabase } from "@/lib/platform/db";
import { createVault } from "@/lib/platform/vault";
import type { Stack } from "../local/stack";
import { type Bench, CONNECTIONS } from "./actors";
import { atLeastTimes, compared, type Figure, median } from "./figures";
import { inLanes, rateOf } from "./load";

/** Credentials issued and verified per second, compared with jose using the same key in this process. */
export async function credentialFigures(bench: Bench): Promise<Figure[]> {
  const rates = await identityRates(bench, credentialCalls(bench));
  const is = "jose alone, same key, in process";
  return [
    compared("credentials issued", [rates.issue, rates.joseSign], { unit: "/s", is, goal: atLeastTimes(0.8) }),
    compared("credentials verified", [rates.verify, rates.joseVerify], { unit: "/s", is, goal: atLeastTimes(0.4) }),
  ];
}

/** Issuing and verifying over HTTP. */
export function credentialCalls({ client, jwt }: Pick<Bench, "client" | "jwt">) {
  const post = async (path: string, json: unknown, headers = {}): Promise<string> => {
    const { status, text } = await client.send({ method: "POST", path, headers, json });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return text;
  };
  return {
    issue: async (): Promise<string> => {
      const json = { challenge: crypto.randomUUID(), audience: AUDIENCE, ttl_seconds: 3600 };
      return issued.parse(JSON.parse(await post("/agent/vc/issue", json, { authorization: `Bearer ${jwt}` }))).vc;
    },
    verify: async (vc: string): Promise<void> => {
      verified.parse(JSON.parse(await post("/verify-vc", { vc, expected_audience: AUDIENCE })));
    },
  };
}

/** Rates per second: medians of the rounds. */
type IdentityRates = {
  issue: number;
  verify: number;
  joseSign: number;
  joseVerify: number;
};

type Calls = ReturnType<typeof credentialCalls>;

const WARM_UP_SECONDS = 3;
const AGENTS = 50;
const AUDIENCE = "https://verifier.example";
/** Enough that a credential is presented again only seconds later, because real clients do not repeat themselves. */
const PRESENTED = 10_000;

const issued = z.object({ vc: z.string() });
const verified = z.object({ valid: z.literal(true) });

/** Alternates between the service over HTTP and jose alone with the same key, so that other load affects both. */
async function identityRates(bench: Bench, calls: Calls): Promise<IdentityRates> {
  const { stack, rounds, seconds, progress } = bench;
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
  const issue = async () => void (await calls.issue());
  const rates: Record<keyof IdentityRates, number[]> = { issue: [], verify: [], joseSign: [], joseVerify: [] };
  progress("Credentials: warming up");
  const presented = await inLanes(Array.from({ length: PRESENTED }), CONNECTIONS, () => sign(crypto.randomUUID()));
  let next = 0;
  const oneOf = () => presented[next++ % PRESENTED] ?? "";
  await rateOf(issue, CONNECTIONS, WARM_UP_SECONDS);
  for (let round = 1; round <= rounds; round++) {
    progress(`Credentials: ${CONNECTIONS} connections, round ${round} of ${rounds}`);
    const verify = () => calls.verify(oneOf());
    const joseVerify = async () => {
      await compactVerify(oneOf(), key.publicKey, { algorithms: ["RS256"] });
    };
    rates.issue.push(await rateOf(issue, CONNECTIONS, seconds));
    rates.verify.push(await rateOf(verify, CONNECTIONS, seconds));
    rates.joseSign.push(await rateOf(async () => void (await sign("challenge")), CONNECTIONS, seconds / 2));
    rates.joseVerify.push(await rateOf(joseVerify, CONNECTIONS, seconds / 2));
  }
  return {
    issue: median(rates.issue),
    verify: median(rates.verify),
    joseSign: median(rates.joseSign),
    joseVerify: median(rates.joseVerify),
  };
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
