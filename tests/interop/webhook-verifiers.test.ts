import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { verifyWebhook } from "@/docs/verifiers/verify-webhook";
import { newSecret, signatureHeaders } from "@/lib/webhooks/signature";

/** The published verifiers of docs/verifiers, run unchanged on messages that the service signed. */
type Message = { secret: string; headers: Record<string, string>; body: string; now: Date };
type Verifier = { name: string; isHere: boolean; verify: (message: Message) => unknown };

const DIRECTORY = "docs/verifiers";
const CALL = `
import json, sys
sys.path.insert(0, ${JSON.stringify(DIRECTORY)})
from verify_webhook import verify_webhook, WebhookRefused
m = json.load(sys.stdin)
try:
    print(json.dumps(verify_webhook(m["secret"], m["headers"], m["body"].encode(), m["now"])))
except WebhookRefused:
    print("null")
`;

const python = (message: Message): unknown => {
  const input = JSON.stringify({ ...message, now: message.now.getTime() / 1000 });
  const { stdout, stderr } = spawnSync("python3", ["-c", CALL], { input, encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
};

const VERIFIERS: Verifier[] = [
  {
    name: "verify-webhook.ts",
    isHere: true,
    verify: ({ secret, headers, body, now }) => {
      try {
        return verifyWebhook(secret, headers, body, now);
      } catch {
        return null;
      }
    },
  },
  { name: "verify_webhook.py", isHere: spawnSync("python3", ["--version"]).status === 0, verify: python },
];

const AT = new Date("2026-03-01T12:00:00Z");
const BODY = '{"type":"webhook.test","timestamp":"2026-03-01T12:00:00.000Z","data":{"said":"é\\u20ac 1.0"}}';
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000);

function signed(secrets = [newSecret()]): Message {
  const headers = signatureHeaders(secrets, { eventId: "evt_1", body: BODY, sentAt: AT });
  return { secret: secrets[0] ?? "", headers, body: BODY, now: later(2) };
}

describe.each(VERIFIERS)("the webhook verifier in $name", ({ name, isHere, verify }) => {
  test.skipIf(!isHere)("accepts messages that the service signed, with either of two secrets", () => {
    expect(verify(signed())).toEqual(JSON.parse(BODY));
    const [first, second] = [newSecret(), newSecret()];
    const message = signed([second, first]);
    for (const secret of [first, second]) expect(verify({ ...message, secret })).toEqual(JSON.parse(BODY));
  });

  test.skipIf(!isHere)("rejects any other message", () => {
    const good = signed();
    const header = (name: string, value: string) => ({ ...good, headers: { ...good.headers, [name]: value } });
    const without = (name: string) => {
      const { [name]: _, ...headers } = good.headers;
      return { ...good, headers };
    };
    const signature = good.headers["webhook-signature"] ?? "";
    const bad: Message[] = [
      { ...good, secret: newSecret() },
      { ...good, body: BODY.replace("1.0", "9.0") },
      { ...good, body: `${BODY} ` },
      { ...good, now: later(301) },
      { ...good, now: later(-301) },
      header("webhook-id", "evt_2"),
      header("webhook-timestamp", String(AT.getTime() / 1000 + 1)),
      header("webhook-timestamp", "soon"),
      header("webhook-signature", ""),
      header("webhook-signature", "v1,"),
      header("webhook-signature", signature.replace("v1,", "v2,")),
      header("webhook-signature", signature.slice(3)),
      header("webhook-signature", signature.slice(0, -4)),
      without("webhook-id"),
      without("webhook-timestamp"),
      without("webhook-signature"),
    ];
    expect(bad.map(verify)).toEqual(bad.map(() => null));
  });

  test("is quoted in the documentation unchanged", () => {
    const document = readFileSync("docs/webhooks.md", "utf8");
    const blocks = [...document.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    expect(blocks).toContain(readFileSync(`${DIRECTORY}/${name}`, "utf8"));
  });
});
