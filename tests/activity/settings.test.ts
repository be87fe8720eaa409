import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOwner, signInOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { csvText, type Line, parseCsv } from "../support/csv";
import { call, fetchPath } from "../support/http";
import { type MailServer, startMailServer } from "../support/mail-server";
import type { Json } from "../support/mandates";
import { type PushService, startPushService } from "../support/push-service";
import { createWorld, type World } from "../support/world";

const HEADER = ["time", "type", "agent_id", "agent_name", "subject", "details", "id"];
const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

let world: World;
let mail: MailServer;
let push: PushService;

beforeAll(async () => {
  mail = await startMailServer();
  push = await startPushService();
  world = await createWorld();
  Object.assign(process.env, { SMTP_URL: mail.url, MAIL_FROM: "Tessera <mail@wallet.example>" });
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await world?.stop();
  await mail?.close();
  await push?.close();
});

const as = (owner: TestOwner, method: "GET" | "POST" | "PATCH" | "DELETE", path: string, json?: object) =>
  call(method, path, { session: owner.session, ...(json && { json }) });

/** The events of an owner's account after the sign-ins, oldest first: each type with its details. */
async function happened(owner: TestOwner): Promise<[string, Json][]> {
  const headers = { cookie: `next-auth.session-token=${owner.session}` };
  const response = await fetchPath("GET", "/api/activity.csv?kind=owner", { headers });
  expect(response.status).toBe(200);
  const lines: Line[] = parseCsv(await csvText(response), HEADER);
  return lines
    .reverse()
    .map(({ type, details }): [string, Json] => [type ?? "", JSON.parse(details ?? "")])
    .filter(([type]) => type !== "owner.signed_in");
}

describe("the activity records an event for each change of", () => {
  test("the address book", async () => {
    const owner = await newOwner();
    const path = `/api/wallet/addresses/${ADDRESS}`;
    expect(await confirmedCall(owner, "/api/wallet/addresses", { address: ADDRESS, name: "Bo" })).toMatchObject({
      status: 201,
    });
    for (const name of ["Bo the drummer", "Bo the drummer"])
      expect(await as(owner, "PATCH", path, { name })).toMatchObject({ status: 200 });
    expect(await as(owner, "DELETE", path)).toMatchObject({ status: 200 });
    expect(await as(owner, "DELETE", path)).toMatchObject({ status: 404 });
    expect(await as(owner, "PATCH", path, { name: "Nobody" })).toMatchObject({ status: 404 });
    expect(await happened(owner)).toEqual([
      ["owner.address_added", { address: ADDRESS, name: "Bo" }],
      ["owner.address_renamed", { address: ADDRESS, from: { name: "Bo" }, to: { name: "Bo the drummer" } }],
      ["owner.address_removed", { address: ADDRESS, name: "Bo the drummer" }],
    ]);
  });

  test("the low-balance threshold", async () => {
    const owner = await newOwner();
    const path = "/api/wallet/low-balance";
    const thresholdBefore = ((await as(owner, "GET", path)).body as Json).threshold;
    for (const threshold of ["2500000", "2500000", "0"])
      expect(await as(owner, "POST", path, { threshold })).toMatchObject({ status: 200 });
    expect(await happened(owner)).toEqual([
      ["owner.low_balance_changed", { from: thresholdBefore, to: "2500000" }],
      ["owner.low_balance_changed", { from: "2500000", to: "0" }],
    ]);
  });

  test("domains", async () => {
    const owner = await newOwner();
    const add = () => as(owner, "POST", "/api/seller/domains", { domain: "shop.example.com" });
    const { domainId } = ((await add()).body as Json).domain;
    await add();
    expect(await as(owner, "DELETE", `/api/seller/domains/${domainId}`)).toMatchObject({ status: 200 });
    const origin = "https://shop.example.com";
    expect(await happened(owner)).toEqual([
      ["owner.domain_added", { origin }],
      ["owner.domain_removed", { origin }],
    ]);
  });

  test("the mail address, without naming it", async () => {
    const owner = await newOwner();
    const change = (json: object) => as(owner, "PATCH", "/api/notices", json);
    expect(await change({ email: "me@mail.example", kinds: ["sign_in"] })).toMatchObject({ status: 200 });
    expect(await change({ kinds: ["sign_in"] })).toMatchObject({ status: 200 });
    expect(await change({ kinds: [] })).toMatchObject({ status: 200 });
    expect(await change({ email: null })).toMatchObject({ status: 200 });
    expect(await happened(owner)).toEqual([
      ["owner.mail_changed", { isAddressChanged: true, hasAddress: true, kinds: ["sign_in"] }],
      ["owner.mail_changed", { isAddressChanged: false, hasAddress: true, kinds: [] }],
      ["owner.mail_changed", { isAddressChanged: true, hasAddress: false, kinds: [] }],
    ]);
  });

  test("notices in a browser", async () => {
    const owner = await newOwner();
    const path = "/api/notices/browsers";
    const { publicKey } = (await as(owner, "GET", path)).body as Json;
    const browser = push.subscribe(publicKey);
    for (const kinds of [["sign_in"], ["sign_in"], ["money_received"]])
      expect(await as(owner, "POST", path, { ...browser, kinds })).toMatchObject({ status: 200 });
    const [{ browserId }] = ((await as(owner, "GET", path)).body as Json).browsers;
    expect(await as(owner, "DELETE", `${path}/${browserId}`)).toMatchObject({ status: 200 });
    const event = (kinds: string[]) => ["owner.browser_notices_changed", { device: expect.any(String), kinds }];
    expect(await happened(owner)).toEqual([event(["sign_in"]), event(["money_received"]), event([])]);
  });

  test("sessions", async () => {
    const owner = await newOwner();
    for (let others = 0; others < 3; others++) await signInOwner(owner.account);
    const { sessions } = (await as(owner, "GET", "/api/sessions")).body as Json;
    const { sessionId } = sessions.find(({ isCurrent }: Json) => !isCurrent);
    expect(await as(owner, "DELETE", `/api/sessions/${sessionId}`)).toMatchObject({ status: 200 });
    for (let times = 0; times < 2; times++)
      expect(await as(owner, "DELETE", "/api/sessions")).toMatchObject({ status: 200 });
    expect(await happened(owner)).toEqual([
      ["owner.session_ended", { sessions: 1, device: expect.any(String) }],
      ["owner.session_ended", { sessions: 2 }],
    ]);
  });
});
