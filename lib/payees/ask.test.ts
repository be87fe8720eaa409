import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { createSend } from "@/lib/platform/outbound";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { ask } from "./ask";
import type { PayeePayment } from "./rules";

const PAY_TO = toAddress(`0x${"ab".repeat(20)}`);
const OTHER = toAddress(`0x${"cd".repeat(20)}`);
const send = createSend({ allowsLoopback: true, replyBytesMax: 65_536 });
/** The same with the time of a patient host cut short. */
const impatient: typeof send = (url, sent) => send(url, { ...sent, msMax: 300 });

let got: { method: string; url: string; length: string | undefined }[] = [];
let respond: (req: IncomingMessage, res: ServerResponse) => void;
const server = createServer((req, res) => {
  got.push({ method: req.method ?? "", url: req.url ?? "", length: req.headers["content-length"] });
  respond(req, res);
});
let origin: string;
let wanted: PayeePayment;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  got = [];
  wanted = {
    ownerId: newId("owner"),
    mandateId: newId("mandate"),
    network: "base",
    payTo: PAY_TO,
    amount: toUsdc(10_000n),
    resource: `${origin}/report?week=47#part`,
    method: "GET",
  };
});

const v1 = (change: object = {}) => ({
  scheme: "exact",
  network: "base",
  maxAmountRequired: "10000",
  resource: "https://elsewhere.example/",
  payTo: PAY_TO.toLowerCase(),
  asset: NETWORKS.base.usdc,
  maxTimeoutSeconds: 60,
  ...change,
});
const body = (...accepts: object[]) => JSON.stringify({ x402Version: 1, accepts });
const say = (text: string, status = 402, headers = {}) => {
  respond = (_, res) => void res.writeHead(status, headers).end(text);
};
const why = async (change: Partial<PayeePayment> = {}, by = send) => (await ask(by, { ...wanted, ...change })).why;

describe("a host confirms a payee", () => {
  test("with an x402 v1 body of exactly its payTo, asset and network, whose hash is the evidence", async () => {
    const text = body(v1());
    say(text);
    expect(await ask(send, wanted)).toEqual({
      why: null,
      answerHash: `0x${createHash("sha256").update(text).digest("hex")}`,
      accepted: {
        x402Version: 1,
        scheme: "exact",
        network: "base",
        asset: NETWORKS.base.usdc,
        payTo: PAY_TO.toLowerCase(),
        amount: "10000",
      },
    });
    expect(got).toEqual([{ method: "GET", url: "/report?week=47", length: undefined }]);
  });

  test("with an x402 v2 header, which goes before a body with other terms", async () => {
    const { maxAmountRequired: amount, ...rest } = v1({ network: "eip155:8453" });
    const header = encodeHeader({ x402Version: 2, resource: { url: origin }, accepts: [{ ...rest, amount }] });
    say(body(v1({ payTo: OTHER })), 402, { "payment-required": header });
    expect(await ask(send, wanted)).toMatchObject({
      why: null,
      accepted: { x402Version: 2, network: "eip155:8453" },
      answerHash: `0x${createHash("sha256").update(header).digest("hex")}`,
    });
    expect(await why({ payTo: OTHER })).toBe("other_terms");
  });

  test("with one of two offers, and for a POST without a body", async () => {
    say(body(v1({ payTo: OTHER }), { nonsense: true }, v1({ maxAmountRequired: "99999" })));
    expect(await ask(send, { ...wanted, method: "POST" })).toMatchObject({ accepted: { amount: "99999" } });
    expect(got).toMatchObject([{ method: "POST", length: "0" }]);
  });
});

describe("a host does not confirm a payee", () => {
  test.each<[string, object]>([
    ["another payTo", { payTo: OTHER }],
    ["a lower amount", { maxAmountRequired: "9999" }],
    ["no amount", { maxAmountRequired: "-1" }],
    ["an amount that is no integer", { maxAmountRequired: "1e9" }],
    ["another asset", { asset: OTHER }],
    ["another network's asset", { asset: NETWORKS["base-sepolia"].usdc }],
    ["another network", { network: "base-sepolia", asset: NETWORKS["base-sepolia"].usdc }],
    ["an unknown network", { network: "solana" }],
    ["another scheme", { scheme: "upto" }],
    ["another way to transfer", { extra: { assetTransferMethod: "permit2" } }],
    ["a payTo with a space", { payTo: `${PAY_TO} ` }],
  ])("with %s", async (_name, change) => {
    say(body(v1(change)));
    expect(await why()).toBe("other_terms");
  });

  test.each([
    ["", "an empty body"],
    ["null", "null"],
    ["{", "half of a body"],
    ['{"x402Version":1}', "no offers"],
    ['{"x402Version":1,"x402Version":1,"accepts":[]}', "a repeated member"],
  ])("with the body %s (%s)", async (text) => {
    say(text);
    expect(await why()).toBe("other_terms");
  });

  test.each([200, 201, 204, 400, 401, 403, 404, 405, 429, 500])("with status %i", async (status) => {
    say(status === 204 ? "" : body(v1()), status);
    expect(await why()).toBe("not_402");
  });

  test.each([301, 302, 303, 307, 308])("with a redirect (%i), which is not followed", async (status) => {
    say(body(v1()), status, { location: `${origin}/other` });
    expect(await why()).toBe("not_402");
    expect(got).toHaveLength(1);
  });

  test("with a body that does not end in time or never ends", async () => {
    const drip: NodeJS.Timeout[] = [];
    respond = (_, res) => {
      res.writeHead(402);
      drip.push(setInterval(() => res.write(" "), 50));
    };
    expect(await why({}, impatient)).toBe("no_answer");
    respond = () => undefined;
    expect(await why({}, impatient)).toBe("no_answer");
    respond = (req) => req.socket.destroy();
    expect(await why()).toBe("no_answer");
    for (const timer of drip) clearInterval(timer);
  });

  test("with a huge body, even if its beginning or a header has the expected terms", async () => {
    const { maxAmountRequired: amount, ...rest } = v1();
    const header = encodeHeader({ x402Version: 2, accepts: [{ ...rest, amount }] });
    say(body(v1()).padEnd(70_000), 402, { "payment-required": header });
    expect(await why()).toBe("no_answer");
  });

  test("for a method that may act without a payment, and gets no request", async () => {
    say(body(v1()));
    for (const method of ["PUT", "PATCH", "DELETE"] as const) expect(await why({ method })).toBe("method");
    expect(got).toEqual([]);
  });

  test.each([["10.0.0.5"], ["169.254.169.254"], ["127.0.0.1"], ["fd00::1"], ["93.184.216.34", "192.168.0.1"]])(
    "if its name resolves to a private address (%s %s)",
    async (...addresses) => {
      const guarded = createSend({ allowsLoopback: false, resolve: async () => addresses });
      expect(await why({ resource: "https://api.example/" }, guarded)).toBe("private_address");
    },
  );

  test("if its name does not exist, or is reserved", async () => {
    const guarded = createSend({ allowsLoopback: false, resolve: async () => [] });
    expect(await why({ resource: "https://api.example/" }, guarded)).toBe("no_answer");
  });
});
