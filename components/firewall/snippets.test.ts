import { execFile, execFileSync, spawnSync } from "node:child_process";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import type { ScanRequest } from "./drafts";
import { snippetsFor } from "./snippets";

const URL = "https://tessera.example/api/transaction-firewall/sentinel/api/prompt-scan";
const hostile = `it's "quoted" $(touch /tmp/x) \`id\` \\ JSON\nJSON\n\u202e\u200b\u{e0041}\u2028 ü !! \u0000`;
const request: ScanRequest = { scanner: "prompt", body: { text: hostile, source: "mail" } };
const codeOf = (scanRequest: ScanRequest, value: string) =>
  snippetsFor(URL, "https://tessera.example", scanRequest).find((snippet) => snippet.value === value)?.code ?? "";

describe("copyable code for a scan", () => {
  test.each(["curl", "typescript", "agent"])("as %s contains only visible characters", (value) => {
    expect(codeOf(request, value)).toMatch(/^[\x20-\x7e\n]+$/);
  });

  test("as curl sends exactly the request, even if the text contains shell syntax", () => {
    const script = `curl() { cat; }\n${codeOf(request, "curl")}`;
    expect(JSON.parse(execFileSync("bash", ["-c", script], { encoding: "utf8" }))).toEqual(request.body);
  });

  test("as TypeScript sends exactly the request, also with a member named __proto__", async () => {
    const body: unknown = JSON.parse(`{"paymentRequired":{"__proto__":{"a":"\\u2028"},"b":["__proto__"]}}`);
    const code = codeOf({ scanner: "x402", body: body as Record<string, unknown> }, "typescript");
    const literal = /JSON\.stringify\(([\s\S]*?)\);\n\nconst scan/.exec(code)?.[1] ?? "";
    expect(new Function(`return JSON.stringify(${literal})`)()).toBe(JSON.stringify(body));
  });
});

type SentRequest = { path: string; headers: IncomingHttpHeaders; body: unknown };
type Reply = { status: number; body: unknown };

const OFFER = {
  scheme: "exact",
  network: "base",
  maxAmountRequired: "500000",
  resource: "https://tessera.example/scan",
  description: 'it\'s $(a) "scan" \u202e',
  payTo: "0xb",
  asset: "0xa",
  extra: { name: "USD Coin", version: "2" },
};
const IN_CREDITS = { ...OFFER, network: "service-credits", maxAmountRequired: "50" };
const HONEST: Record<string, Reply> = {
  offer: { status: 402, body: { x402Version: 1, accepts: [OFFER, IN_CREDITS] } },
  signature: { status: 200, body: { xPaymentB64: "cHJvb2Y=" } },
  verdict: { status: 200, body: { verdict: "block", riskScore: 90 } },
};

/** Runs the copied code in bash, against a wallet and a firewall that answer with `replies`. */
async function runAgent(replies: Record<string, Reply>) {
  const sentRequests: SentRequest[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of req) chunks.push(chunk);
    sentRequests.push({
      path: `${req.method} ${req.url}`,
      headers: req.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    const step = req.url?.endsWith("Payment") ? "signature" : req.headers["x-payment"] ? "verdict" : "offer";
    const { status, body } = replies[step] ?? { status: 500, body: null };
    res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server that listens on a port has an address of this form.
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const code = snippetsFor(`${base}/scan`, base, request).find(({ value }) => value === "agent")?.code ?? "";
  const env = { ...process.env, JWT: "agent.jwt.signed", MANDATE: "mandate-1", no_proxy: "127.0.0.1" };
  try {
    const run = await new Promise<{ failed: boolean; stdout: string; stderr: string }>((done) => {
      execFile("bash", ["-c", code], { env }, (error, stdout, stderr) =>
        done({ failed: error !== null, stdout, stderr }),
      );
    });
    return { ...run, sent: sentRequests };
  } finally {
    server.close();
  }
}

const LACKS_JQ = spawnSync("jq", ["--version"]).status !== 0;

describe.skipIf(LACKS_JQ)(`copyable code for an agent${LACKS_JQ ? " (skipped: jq is not installed)" : ""}`, () => {
  test("reads the price, has exactly that price signed, and repeats the request with the proof", async () => {
    const { failed, stdout, stderr, sent } = await runAgent(HONEST);
    expect({ failed, stderr, verdict: JSON.parse(stdout) }).toEqual({
      failed: false,
      stderr: "",
      verdict: HONEST.verdict?.body,
    });
    expect(sent.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: "POST /scan", body: request.body },
      {
        path: "POST /api/payment/x402V3Payment",
        body: {
          mandateId: "mandate-1",
          scheme: "exact",
          network: "base",
          payTo: "0xb",
          resource: OFFER.resource,
          description: OFFER.description,
          amount: "500000",
          assetAddress: "0xa",
          tokenName: "USD Coin",
          tokenVersion: "2",
        },
      },
      { path: "POST /scan", body: request.body },
    ]);
    const [unpaid, signing, paid] = sent.map(({ headers }) => headers);
    expect(unpaid?.["x-payment"]).toBeUndefined();
    expect(signing?.authorization).toBe("Bearer agent.jwt.signed");
    expect(paid).toMatchObject({ "x-payment": "cHJvb2Y=", "x-agent-id": "agent.jwt.signed" });
    for (const headers of [unpaid, signing, paid]) expect(headers?.["content-type"]).toBe("application/json");
  });

  const REFUSAL = { status: "error", code: "REFUSED", message: "the reason" };
  test.each([
    ["offer", { status: 404, body: REFUSAL }, 1],
    ["offer", { status: 402, body: { ...REFUSAL, accepts: [] } }, 1],
    ["signature", { status: 403, body: REFUSAL }, 2],
    ["signature", { status: 200, body: { ...REFUSAL, xPaymentB64: null } }, 2],
    ["verdict", { status: 400, body: REFUSAL }, 3],
  ] as const)("prints a refusal instead of the %s (%j), and stops", async (step, reply, requests) => {
    const { failed, stdout, stderr, sent } = await runAgent({ ...HONEST, [step]: reply });
    expect(failed).toBe(true);
    expect(step === "verdict" ? stdout : stderr).toContain("the reason");
    expect(sent).toHaveLength(requests);
  });
});
