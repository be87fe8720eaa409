import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TYPE_LABELS } from "@/components/activity/event-types";
import { WEBHOOK_DOCS, withEvents } from "@/dev/docs/webhooks";
import { EVENT_TYPES, entryOf } from "./catalogue";
import { messageOf } from "./messages";

const AT = new Date("2026-03-01T12:00:00Z");
const AGENT = "00000000-0000-4000-8000-000000000000";
const event = (type: string, subject: string, meta: Record<string, unknown>) => ({
  type,
  subject,
  agentId: AGENT,
  meta,
  createdAt: AT,
});

test("a webhook message has type, timestamp, and only those members of the event that the catalogue names", () => {
  const message = messageOf(
    event("refund.created", "rfd_1", { amount: "5", network: "base", paymentId: 7, by: "agent", token: "tok_secret" }),
  );
  expect(message?.type).toBe("refund.created");
  expect(JSON.parse(message?.body ?? "")).toEqual({
    type: "refund.created",
    timestamp: "2026-03-01T12:00:00.000Z",
    data: { refundId: "rfd_1", agentId: AGENT, paymentId: 7, amount: "5", network: "base", by: "agent" },
  });
});

test("vc.issued contains the id, audience and lifetime of a credential, but not its challenge", () => {
  const meta = { jti: "vc_1", audience: "https://a.example", ttl_seconds: 60, challenge_sha256: "ab" };
  const message = messageOf(event("VC_ISSUED", "vc_1", meta));
  expect(JSON.parse(message?.body ?? "")).toMatchObject({
    type: "vc.issued",
    data: { credentialId: "vc_1", agentId: AGENT, audience: "https://a.example", ttl_seconds: 60 },
  });
  expect(message?.body).not.toContain("challenge");
});

test("the paid URL is sent without its query, which may contain keys", () => {
  const meta = { amount: "1", resource: "https://api.example/data?key=secret#there" };
  const { data } = JSON.parse(messageOf(event("payment.settled", "pay_1", meta))?.body ?? "");
  expect(data).toMatchObject({ resource: "https://api.example/data", amount: "1", txHash: null });
});

test("the seller's reference is sent when a link is created and paid, and is null for older events", () => {
  for (const type of ["payment_link.created", "payment_link.paid"]) {
    const sentData = (meta: Record<string, unknown>) =>
      JSON.parse(messageOf(event(type, "lnk_1", meta))?.body ?? "").data;
    expect(sentData({ amount: "1", reference: "Order 1042" })).toMatchObject({ reference: "Order 1042" });
    expect(sentData({ amount: "1", reference: null })).toMatchObject({ reference: null });
    expect(sentData({ amount: "1" })).toMatchObject({ reference: null });
  }
});

test("a member that is not a simple value is sent as null", () => {
  const { data } = JSON.parse(
    messageOf(event("payment_link.updated", "lnk_1", { changed: [{ a: 1 }], by: { b: 2 } }))?.body ?? "",
  );
  expect(data).toMatchObject({ changed: null, by: null });
});

test.each([
  "owner.signed_in",
  "agent.updated",
  "identity.key_rotated",
  "chain.reorganised",
  "webhook.created",
  "toString",
])("an event of the type %s is not sent", (type) => {
  expect(messageOf(event(type, "x_1", {}))).toBeNull();
});

const sources = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|^dev\/|^webhooks\/catalogue/.test(file))
  .map((file) => readFileSync(join("lib", file), "utf8"))
  .join("\n");

test("the service records every type in the catalogue", () => {
  const unrecorded = EVENT_TYPES.filter((type) => {
    return !sources.includes(`"${entryOf(type).recordedAs ?? type}"`);
  });
  // These are put together from two words: `refund.` and the end it came to.
  const joined = ["payout.denied", "payout.cancelled", "payout.succeeded", "payout.failed"];
  expect(unrecorded).toEqual(["refund.settled", "refund.failed", ...joined]);
});

test("every type on the activity page is in the catalogue, except those about the owner's own account", () => {
  const recorded = EVENT_TYPES.map((type) => entryOf(type).recordedAs ?? type);
  const others = Object.keys(TYPE_LABELS).filter((type) => !/^(agent|owner|webhook|facilitator_key)\./.test(type));
  expect(recorded.sort()).toEqual(others.sort());
});

test("docs/webhooks.md lists the events as in the catalogue", () => {
  const text = readFileSync(WEBHOOK_DOCS, "utf8");
  expect(withEvents(text)).toBe(text);
  for (const type of EVENT_TYPES) expect(text).toContain(`\`${type}\``);
});
