import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Action } from "@tessera/client/vault";
import postgres from "postgres";
import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import type { Claim } from "@/lib/settlements/service";
import { signAuthorization } from "@/lib/x402/signature";
import { run } from "@/packages/client/src/cli/run";
import type { TestOwner } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, type Json, owned, type Parties, pay, RESOURCE, signedMandate } from "../support/mandates";
import { funded } from "../support/payouts";
import { claimFrom, openSystem } from "../support/system";
import { thiefOf } from "../support/thief";
import { submitDirectly } from "../support/token";
import {
  AGENT_KEY,
  claimed,
  eventually,
  type Funding,
  termsOf,
  type VaultTerms,
  vaultData,
  vaultSignatures,
} from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

/**
 * The whole server is stolen, and later gone: what each owner loses at most, by the mode of their mandate, and how they get back
 * the rest. The figures are those of docs/trust.md.
 */
const DAY = 86_400;
const LIMIT = 10_000_000n;
const DAILY = 3_000_000n;
const IN_POCKET = 1_000_000n;
const RELEASE = { amount: `${DAILY}`, seconds: DAY };
const LONG = { validForSeconds: 20 * DAY };

let world: World;
let sql: postgres.Sql;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let thief: ReturnType<typeof thiefOf>;
let directory: string;
const shop = freshAddress();

/** A mandate with a vault, and the file that its owner saved when they signed it. */
type Case = Parties & { mandateId: string; vault: Address; file: string; pocket?: Address };
const cases: Record<string, Case> = {};
let wallet: { owner: TestOwner; wallet: Address };
let survivor: typeof wallet;
let unsigned: Awaited<ReturnType<typeof claimed>>;

const of = (name: string): Case => {
  const match = cases[name];
  if (!match) throw new Error(`no case ${name}`);
  return match;
};

async function signed(name: string, terms: VaultTerms = {}, how: Funding = {}): Promise<void> {
  const { owner, agent, mandateId } = await claimed({ limitAmount: `${LIMIT}`, ...LONG, ...terms });
  await world.mint(owner.address, LIMIT);
  const { body } = (await vaultData(owner, mandateId, how)) as { body: Json };
  const { address: vault, terms: kept } = body.vault;
  const file = join(directory, `${name.replaceAll(/\W/g, "-")}.json`);
  writeFileSync(file, JSON.stringify({ address: vault, terms: kept }));
  await owned(owner, mandateId, "signature", await vaultSignatures(owner, mandateId, how));
  cases[name] = { owner, agent, mandateId, vault, file };
}

/** A seller has refused the vault, so that the next payment is in the vault's pocket. */
async function fillPocket(name: string): Promise<void> {
  const { agent, mandateId } = of(name);
  // The refused proof has expired since.
  await sql`insert into contract_refusals (owner_id, agent_id, network, host, reason, seen_at, is_witnessed)
    select owner_id, agent_id, network, ${new URL(RESOURCE).host}, 'signature', now(), false from mandates where id = ${mandateId}`;
  const payTo = freshAddress();
  const signed = async () => (await pay(agent, mandateId, { payTo, amount: `${IN_POCKET}` })).status === 200;
  await eventually(async () => (await signed()) || null, "a payment through the pocket");
  const [row] = await sql`select pocket from vaults where mandate_id = ${mandateId}`;
  of(name).pocket = row?.pocket;
}

async function inWallet(): Promise<typeof wallet> {
  const { owner } = await signedMandate({ limitAmount: "1" });
  return { owner, wallet: await funded(world, owner, LIMIT) };
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tessera-owners-"));
  world = await createWorld();
  sql = postgres(world.databaseUrl, { max: 2 });
  wiring = await import("../support/wiring");
  workers = wiring.startWorkers();
  const [payees, agentKey] = [[shop, freshAddress()], AGENT_KEY.address];
  const kinds: [string, VaultTerms, Funding?][] = [
    ["plain", {}],
    ["with the agent's key", { vault: { agentKey } }],
    ["with payees", { vault: { payees }, maxAmountPerPayment: "2000000" }],
    ["by the day", { vault: { release: RELEASE } }],
    ["with a pocket", { vault: { release: RELEASE } }],
    ["by permit", { vault: { release: RELEASE } }, { funding: "permit" }],
  ];
  for (const [name, terms, how] of kinds) await signed(name, terms, how);
  for (const [name, terms, how] of kinds) await signed(`${name}, left alone`, terms, how);
  const open = async () => (await sql`select 1 from vaults where state = 'open'`).length;
  await eventually(async () => (await open()) === 2 * kinds.length || null, "the vaults to open");
  for (const name of ["with a pocket", "with a pocket, left alone"]) await fillPocket(name);
  [wallet, survivor] = [await inWallet(), await inWallet()];
  await workers.stop();
  await signed("not open yet", { vault: { release: RELEASE } });
  await signed("not open yet, by permit", { vault: { release: RELEASE } }, { funding: "permit" });
  unsigned = await claimed({ limitAmount: `${LIMIT}`, ...LONG });
  await vaultData(unsigned.owner, unsigned.mandateId);
});

afterAll(async () => {
  await workers.stop();
  await wiring.closeSystem();
  await sql.end();
  await world.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** What an owner has, in their own wallet, in the vault and in its pocket. */
async function totalHeld({ owner, vault, pocket }: Pick<Case, "owner" | "vault" | "pocket">): Promise<bigint> {
  const places = [owner.address, vault, ...(pocket ? [pocket] : [])];
  const balances = await Promise.all(places.map((place) => world.balanceOf(place)));
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

/** What a theft takes from an owner, and what of it the thief has. */
async function stolen(from: Pick<Case, "owner" | "vault" | "pocket">, steal: () => Promise<void>) {
  const [had, balanceBefore] = [await totalHeld(from), await thief.taken()];
  await steal();
  return { lost: had - (await totalHeld(from)), taken: (await thief.taken()) - balanceBefore };
}

describe("a thief with the master key, the database and the relayer's key", () => {
  beforeAll(() => {
    thief = thiefOf(world, sql);
  });

  test("takes the whole balance of a spending wallet, whatever its mandate says", async () => {
    const { owner, wallet: vault } = wallet;
    expect(await stolen({ owner, vault }, () => thief.takeWallet(owner.address))).toEqual({
      lost: LIMIT,
      taken: LIMIT,
    });
  });

  test("takes the balance of a vault that released its whole limit, and nothing from its owner's wallet", async () => {
    const plain = of("plain");
    await world.mint(plain.owner.address, LIMIT);
    expect(await stolen(plain, () => thief.plunder(plain.mandateId))).toEqual({ lost: LIMIT, taken: LIMIT });
    expect(await world.balanceOf(plain.owner.address)).toBe(LIMIT);
  });

  test("takes nothing from a vault where the agent signs each payment too", async () => {
    const guarded = of("with the agent's key");
    const attempts = async () => {
      await thief.plunder(guarded.mandateId);
      await thief.plunder(guarded.mandateId, { agentKey: thief.relayerKey });
    };
    expect(await stolen(guarded, attempts)).toEqual({ lost: 0n, taken: 0n });
  });

  test("takes nothing from a vault with listed payees, and can only pay those", async () => {
    const listed = of("with payees");
    expect(await stolen(listed, () => thief.plunder(listed.mandateId))).toEqual({ lost: 0n, taken: 0n });
    expect(await stolen(listed, () => thief.plunder(listed.mandateId, { to: shop }))).toEqual({
      lost: LIMIT,
      taken: 0n,
    });
    expect(await world.balanceOf(shop)).toBe(LIMIT);
  });

  test.each(["by the day", "by permit", "not open yet", "not open yet, by permit"])(
    "takes only what is released today from a vault %s",
    async (name) => {
      const daily = of(name);
      if (name.startsWith("not open yet")) await thief.open(daily.mandateId);
      expect(await stolen(daily, () => thief.plunder(daily.mandateId))).toEqual({ lost: DAILY, taken: DAILY });
      const plunderAgain = () => thief.plunder(daily.mandateId);
      expect(await stolen(daily, plunderAgain)).toEqual({ lost: 0n, taken: 0n });
    },
  );

  test("takes no more because a payment is in the vault's pocket", async () => {
    const pocketed = of("with a pocket");
    const theft = async () => {
      await thief.takePocket(pocketed.mandateId);
      await thief.plunder(pocketed.mandateId);
    };
    expect(await stolen(pocketed, theft)).toEqual({ lost: DAILY, taken: DAILY });
  });

  test("takes nothing under a mandate that its owner has not signed", async () => {
    const { owner, mandateId } = unsigned;
    const { body } = (await vaultData(owner, mandateId)) as { body: Json };
    await world.mint(owner.address, LIMIT);
    const theft = () => thief.plunder(mandateId, { terms: termsOf(body.vault.terms) });
    expect(await stolen({ owner, vault: body.vault.address }, theft)).toEqual({ lost: 0n, taken: 0n });
  });

  test("is noticed, because the chain shows transfers that the database does not know", async () => {
    const testSystem = openSystem();
    const { violations } = await import("@/ops/invariants");
    const head = await world.client().getBlockNumber();
    workers = wiring.startWorkers();
    await eventually(async () => {
      const [cursor] = await sql`select block_number from chain_cursors where network = 'base'`;
      return BigInt(cursor?.block_number ?? 0) >= head || null;
    }, "the observer");
    await workers.stop();
    const found = (await violations(testSystem.system, ["base"])).map(({ invariant }) => invariant);
    await testSystem.close();
    expect(found).toEqual([
      "I18 every transfer out of a spending wallet or vault on base is in the database",
      "I21 what left a vault on base is what was paid from it, or went home",
    ]);
  });
});

/** What the owner sends from their wallet, as `tessera vault` prints it from the saved file and a node. */
async function ownerSends({ owner, file }: Case, ...names: Action["name"][]): Promise<void> {
  let out = "";
  const io = {
    env: {},
    isTerminal: false,
    readIn: async () => "",
    lines: async function* () {},
    fetch,
    signal: new AbortController().signal,
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      throw new Error(text);
    },
  };
  expect(await run(["vault", file, "--rpc", world.rpc.base, "--json"], io)).toBe(0);
  const { code, actions } = JSON.parse(out) as { code: string; actions: Action[] };
  expect(code).toBe("open, with the published code");
  await world.client().setBalance({ address: owner.address, value: 10n ** 18n });
  for (const name of names) {
    const action = actions.find((each) => each.name === name);
    if (!action) throw new Error(`no action ${name}`);
    const { to, data } = action;
    const hash = await world.client().sendTransaction({ account: owner.account, chain: null, to, data });
    await world.mine();
    expect((await world.client().waitForTransactionReceipt({ hash })).status).toBe("success");
  }
}

describe("when the server is gone for good", () => {
  beforeAll(() => wiring.closeSystem());

  test.each<[string, Action["name"][]]>([
    ["plain", ["withdraw"]],
    ["with the agent's key", ["revoke"]],
    ["with payees", ["revoke"]],
    ["by the day", ["withdraw"]],
    ["by permit", ["revoke", "cancelAllowance"]],
  ])("the owner of a vault %s withdraws everything with a wallet and the saved file", async (name, actions) => {
    const kept = of(`${name}, left alone`);
    await ownerSends(kept, ...actions);
    expect(await world.balanceOf(kept.owner.address)).toBe(LIMIT);
    expect(await stolen(kept, () => thief.plunder(kept.mandateId))).toEqual({ lost: 0n, taken: 0n });
  });

  test("one payment stays locked in the pocket of a vault", async () => {
    const { owner, pocket = shop, ...kept } = of("with a pocket, left alone");
    await ownerSends({ owner, ...kept }, "revoke");
    expect(await world.balanceOf(owner.address)).toBe(LIMIT - IN_POCKET);
    expect(await world.balanceOf(pocket)).toBe(IN_POCKET);
  });

  test("the money in a spending wallet stays locked until somebody runs the server again with its keys", async () => {
    const { owner, wallet: from } = survivor;
    const { authorization: otherAuthorization } = claimFrom(world.accounts[0] as HDAccount, owner.address, LIMIT);
    const authorization = { ...otherAuthorization, from };
    const signature = signAuthorization("base", authorization, owner.privateKey);
    await submitDirectly(world, { authorization, signature } as Claim);
    expect(await world.balanceOf(owner.address)).toBe(0n);
    workers = wiring.startWorkers();
    const withdrawn = await call("POST", "/api/wallet/withdrawals", {
      session: owner.session,
      json: { network: "base" },
    });
    expect(withdrawn.status).toBe(200);
    expect(await world.balanceOf(owner.address)).toBe(LIMIT);
    await workers.stop();
  });
});

// Last: the chain's time stays ahead.
test("the thief takes what is released each day until the owner revokes", async () => {
  const [daily, permitted] = [of("by the day"), of("by permit")];
  await ownerSends(permitted, "revoke");
  await world.increaseTime(DAY);
  expect(await stolen(daily, () => thief.plunder(daily.mandateId))).toEqual({ lost: DAILY, taken: DAILY });
  expect(await stolen(permitted, () => thief.plunder(permitted.mandateId))).toEqual({ lost: 0n, taken: 0n });
  await ownerSends(daily, "revoke");
  await world.increaseTime(DAY);
  expect(await stolen(daily, () => thief.plunder(daily.mandateId))).toEqual({ lost: 0n, taken: 0n });
  expect(await world.balanceOf(daily.owner.address)).toBe(LIMIT - 2n * DAILY);
  expect(await world.balanceOf(permitted.owner.address)).toBe(LIMIT - DAILY);
});
