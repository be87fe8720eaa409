import { decode, encode } from "next-auth/jwt";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { callAuth, newOwner, nonce, postSignIn, type SiweFields, sessionIn, siweMessage } from "../support/actors";
import { deployWallet } from "../support/contract-accounts";
import { BASE_URL, call, fetchPath } from "../support/http";
import { shareService } from "../support/service";

const service = shareService();

let owners: typeof import("@/lib/owners/service");

beforeAll(async () => {
  owners = await import("@/lib/owners/service");
});

const SECRET = "a secret that only tests use";
const person = () => privateKeyToAccount(generatePrivateKey());

/** Of everybody: only this file signs owners in while it runs. */
const countOwners = async (): Promise<number> => {
  const [row] = await service.opened.sql`select count(*)::int as n from owners`;
  return row?.n;
};

describe("GET /api/siwe/nonce", () => {
  test("returns a different nonce each time, with headers against caching", async () => {
    const responses = await Promise.all([1, 2, 3].map(() => call("GET", "/api/siwe/nonce")));
    const nonces = responses.map((response) => (response.body as { nonce: string }).nonce);
    expect(new Set(nonces).size).toBe(3);
    for (const [index, response] of responses.entries()) {
      expect([response.status, response.body]).toEqual([200, { nonce: expect.stringMatching(/^[0-9A-Za-z]{24}$/) }]);
      expect(response.headers.get("cache-control"), `${index}`).toBe("no-store");
    }
  });

  test("deletes expired unused nonces", async () => {
    const old = await nonce();
    await owners.signInNonce({ ...service.opened.system, now: () => addSeconds(new Date(), 601) });
    const rows = await service.opened.sql`select 1 from siwe_nonces where nonce = ${old}`;
    expect(rows).toHaveLength(0);
  });
});

describe("signing in", () => {
  test("opens a session for the address that signed, and creates its owner once", async () => {
    const account = person();
    const countBefore = await countOwners();
    for (const _ of [1, 2]) {
      const message = await siweMessage(account.address, { statement: "Sign in to Tessera." });
      const res = await postSignIn(message, await account.signMessage({ message }));
      expect(res.status).toBe(200);
      const wallet = await call("GET", "/api/wallet", { session: sessionIn(res) ?? "" });
      expect([wallet.status, wallet.body]).toMatchObject([200, { owner: account.address }]);
    }
    expect(await countOwners()).toBe(countBefore + 1);
  });

  test("sets a cookie that no script can read and no other site's form can send", async () => {
    const account = person();
    const message = await siweMessage(account.address);
    const res = await postSignIn(message, await account.signMessage({ message }));
    const cookie = res.headers.getSetCookie().find((text) => text.includes("session-token")) ?? "";
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
  });

  test("ignores the case of the address", async () => {
    const account = person();
    const message = (await siweMessage(account.address)).replace(account.address, account.address.toLowerCase());
    const signature = await account.signMessage({ message });
    expect(await owners.signIn(service.opened.system, { message, signature }, "test")).toMatchObject({
      address: account.address,
    });
  });

  test("uses a nonce once, even with twenty simultaneous attempts", async () => {
    const account = person();
    const message = await siweMessage(account.address);
    const signature = await account.signMessage({ message });
    const attempts = Array.from({ length: 20 }, () =>
      owners.signIn(service.opened.system, { message, signature }, "test"),
    );
    const owned = (await Promise.all(attempts)).filter((owner) => owner !== null);
    expect(owned).toHaveLength(1);
    expect(await owners.signIn(service.opened.system, { message, signature }, "test")).toBeNull();
  });

  test("ten simultaneous sign-ins of one address create one owner", async () => {
    const account = person();
    const attempts = Array.from({ length: 10 }, async () => {
      const message = await siweMessage(account.address);
      return owners.signIn(
        service.opened.system,
        { message, signature: await account.signMessage({ message }) },
        "test",
      );
    });
    const ids = (await Promise.all(attempts)).map((owner) => owner?.ownerId);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^own_/);
  });

  const later = (seconds: number): System => ({ ...service.opened.system, now: () => addSeconds(new Date(), seconds) });

  test("is rejected with a nonce that is ten minutes old", async () => {
    const account = person();
    const message = await siweMessage(account.address, { issuedAt: addSeconds(new Date(), 60) });
    const signature = await account.signMessage({ message });
    expect(await owners.signIn(later(601), { message, signature }, "test")).toBeNull();
  });

  test.each<[string, () => SiweFields]>([
    ["another site's domain", () => ({ domain: "evil.example" })],
    ["our host on another port", () => ({ domain: "localhost:3001" })],
    ["another site's page", () => ({ uri: "https://evil.example" })],
    ["another chain", () => ({ chainId: 1 })],
    ["a nonce that is not ours", () => ({ nonce: "abcdefgh12345678abcdefgh" })],
    ["a message that has expired", () => ({ expirationTime: addSeconds(new Date(), -1) })],
    ["a message for later", () => ({ notBefore: addSeconds(new Date(), 60) })],
    ["a message from tomorrow", () => ({ issuedAt: addSeconds(new Date(), 86_400) })],
    ["a message from last week", () => ({ issuedAt: addSeconds(new Date(), -604_800) })],
  ])("is rejected for %s, and creates no owner", async (_, fields) => {
    const account = person();
    const message = await siweMessage(account.address, fields());
    const countBefore = await countOwners();
    const res = await postSignIn(message, await account.signMessage({ message }));
    expect([res.status, sessionIn(res)]).toEqual([401, null]);
    expect(await countOwners()).toBe(countBefore);
  });

  test.each<[string, (message: string) => Promise<string>]>([
    ["another account's signature", (message) => person().signMessage({ message })],
    ["a signature of other words", () => person().signMessage({ message: "hello" })],
    ["zeros", async () => `0x${"00".repeat(65)}`],
    ["r and s out of range", async () => `0x${"ff".repeat(64)}1b`],
    ["a short signature", async () => "0x1234"],
    ["no signature", async () => ""],
    ["no hex", async () => "0xzz"],
    ["an endless signature", async () => `0x${"00".repeat(5000)}`],
  ])("is rejected for %s", async (_, sign) => {
    const message = await siweMessage(person().address);
    const countBefore = await countOwners();
    const res = await postSignIn(message, await sign(message));
    expect([res.status, sessionIn(res)]).toEqual([401, null]);
    expect(await countOwners()).toBe(countBefore);
  });

  test.each<[string, (message: string) => string]>([
    ["text after its end", (message) => `${message}\nand more`],
    ["text before its beginning", (message) => `x\n${message}`],
    ["nothing in it", () => ""],
    ["no such form", () => "let me in"],
    ["no end", (message) => message + "x".repeat(5000)],
  ])("is rejected for a signed message with %s", async (_, change) => {
    const account = person();
    const message = change(await siweMessage(account.address));
    const res = await postSignIn(message, await account.signMessage({ message }));
    expect([res.status, sessionIn(res)]).toEqual([401, null]);
  });

  test("is rejected without next-auth's CSRF token", async () => {
    const account = person();
    const message = await siweMessage(account.address);
    const res = await postSignIn(message, await account.signMessage({ message }), { csrfToken: "forged" });
    expect(sessionIn(res)).toBeNull();
  });

  test.each(["callback/siwe", "signin", "signin/siwe", "signout"])(
    "POST %s without fields is rejected, and opens no session",
    async (path) => {
      for (const none of [{}, { body: "" }]) {
        const res = await callAuth("POST", path, none);
        expect([none, res.status, sessionIn(res)]).toEqual([none, 400, null]);
      }
      for (const body of ["{", "%", "&", "csrfToken=x"]) {
        const res = await callAuth("POST", path, { body });
        expect(sessionIn(res)).toBeNull();
        expect(res.status, body).toBeLessThan(500);
      }
    },
  );

  test.each(["callback", "callback/siwe", "callback/unknown", "callback/siwe?message=x&signature=0x"])(
    "GET %s is 405",
    async (path) => {
      const res = await callAuth("GET", path);
      expect([res.status, res.headers.get("allow"), await res.json()]).toMatchObject([
        405,
        "POST",
        { code: "method_not_allowed" },
      ]);
    },
  );

  test.each(["signin", "signout", "session", "csrf", "providers", "error", "verify-request", "unknown"])(
    "GET %s never fails with 500",
    async (path) => expect((await callAuth("GET", path)).status).toBeLessThan(500),
  );

  test("rejects a large body", async () => {
    const res = await callAuth("POST", "callback/siwe", { body: `message=${"x".repeat(20_000)}` });
    expect(res.status).toBe(413);
  });

  test("never redirects the browser to another site", async () => {
    const account = person();
    const message = await siweMessage(account.address);
    const callbackUrl = "https://evil.example/";
    const res = await postSignIn(message, await account.signMessage({ message }), { callbackUrl });
    expect(await res.text()).not.toContain("evil");
  });
});

describe("signing in with a contract account", () => {
  test("calls the contract on Base to verify the signature", async () => {
    const holder = person();
    const wallet = await deployWallet(service.world, holder.address);
    const attempt = async (chainId: number, signer = holder) => {
      const message = await siweMessage(wallet, { chainId });
      return owners.signIn(
        service.opened.system,
        { message, signature: await signer.signMessage({ message }) },
        "test",
      );
    };
    expect(await attempt(8453)).toMatchObject({ address: toAddress(wallet) });
    expect(await attempt(84532)).toMatchObject({ address: toAddress(wallet) });
    expect(await attempt(8453, person())).toBeNull();
  });
});

describe("a session", () => {
  const walletOf = (cookie: string) => call("GET", "/api/wallet", { headers: { cookie } });

  test("is absent without a cookie, and for a forged one or one of another secret", async () => {
    const { session, address } = await newOwner();
    const [row] = await service.opened.sql`select id from owners where address = ${address}`;
    const { sessionId } = (await decode({ token: session, secret: SECRET })) ?? {};
    const token = { ownerId: row?.id, address, sessionId };
    const good = await encode({ token, secret: SECRET });
    expect((await walletOf(`next-auth.session-token=${good}`)).status).toBe(200);
    expect((await walletOf(`a=b; next-auth.session-token=${good}; c=d`)).status).toBe(200);

    const bad = [
      "",
      "next-auth.session-token=",
      `__Secure-next-auth.session-token=${good}`,
      `__Host-next-auth.session-token=${good}`,
      `next-auth.session-token=${good}; next-auth.session-token=${good}`,
      `next-auth.session-token=${good}; a=b; next-auth.session-token=`,
      "next-auth.session-token=x",
      "next-auth.session-token=%E0%A4%A",
      `xnext-auth.session-token=${good}`,
      `next-auth.session-token=${session.slice(0, -4)}AAAA`,
      `next-auth.session-token=${await encode({ token, secret: "another secret entirely" })}`,
      `next-auth.session-token=${await encode({ token, secret: SECRET, maxAge: -60 })}`,
      `next-auth.session-token=${await encode({ token: { ownerId: row?.id, sessionId }, secret: SECRET })}`,
      `next-auth.session-token=${await encode({ token: { address, sessionId }, secret: SECRET })}`,
      `next-auth.session-token=${await encode({ token: { ...token, address: person().address }, secret: SECRET })}`,
      `next-auth.session-token=${await encode({ token: { ...token, ownerId: `own_${"A".repeat(24)}` }, secret: SECRET })}`,
      `next-auth.session-token=${await encode({ token: { ...token, ownerId: "' or 1=1" }, secret: SECRET })}`,
      `next-auth.session-token=${await encode({ token: { ownerId: row?.id, address }, secret: SECRET })}`,
      `next-auth.session-token=${await encode({ token: { ...token, sessionId: `ses_${"A".repeat(24)}` }, secret: SECRET })}`,
    ];
    for (const cookie of bad) {
      const response = await walletOf(cookie);
      expect([response.status, response.body], cookie).toMatchObject([
        401,
        { status: "error", code: "session_required" },
      ]);
    }
  });

  test("is returned to next-auth's client with the address and nothing else", async () => {
    const { session, address } = await newOwner();
    const res = await callAuth("GET", "session", { cookie: `next-auth.session-token=${session}` });
    expect(await res.json()).toEqual({ user: { name: address }, expires: expect.any(String) });
  });

  test("is available to pages during rendering", async () => {
    const { session, address } = await newOwner();
    const readDashboard = async (cookie: string) =>
      (await fetchPath("GET", "/dashboard", { headers: { cookie, accept: "text/html" } })).text();
    expect(await readDashboard(`next-auth.session-token=${session}`)).toContain(address);
    expect(await readDashboard("")).not.toContain(address);
  });

  test("cannot be used by a page of another site", async () => {
    const { session } = await newOwner();
    for (const origin of ["https://evil.example", "null", "http://localhost:3001", `${BASE_URL}.evil.example`]) {
      const response = await call("POST", "/api/wallet/withdrawals", {
        session,
        headers: { origin },
        json: { network: "base" },
      });
      expect([response.status, response.body], origin).toMatchObject([403, { code: "origin_not_allowed" }]);
    }
  });
});
