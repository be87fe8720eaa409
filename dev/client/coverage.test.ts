import { readdirSync, readFileSync } from "node:fs";
import { Tessera } from "@tessera/client";
import { invoicesOf } from "@tessera/client/seller";
import { cancellationsOf, discoveryOf, fundsOf } from "@tessera/client/services";
import { beforeAll, describe, expect, test } from "vitest";
import * as toolHandlers from "@/app/mcp/handlers";
import { ENDPOINTS } from "@/lib/openapi/endpoints";

/** Every operation of the API has a method of the client, and a tool over MCP where an agent may call it, or a reason. */

const BY_LOGIN = "its owner decides in a browser session, or a seller's own facilitator client has the key";
const BY_BROWSER = "a page or a mail of the service calls it";
const BY_VERIFIER = "third parties read it; @tessera/client/verify reads the keys";
const BY_APP = "the OAuth client of a host calls it";

/** Operations without a method of the client. */
const NOT_IN_CLIENT: Readonly<Record<string, string>> = {
  getAgentIdentity: BY_VERIFIER,
  getDidDocument: BY_VERIFIER,
  getJwks: BY_VERIFIER,
  getPublicKey: BY_VERIFIER,
  downloadFile: "a buyer opens the address that the settlement has",
  getPicture: BY_BROWSER,
  getLogo: BY_BROWSER,
  getImage: BY_BROWSER,
  visitLink: BY_BROWSER,
  reportPayee: BY_BROWSER,
  getSignInNonce: BY_BROWSER,
  confirmEmail: BY_BROWSER,
  unsubscribe: BY_BROWSER,
  getTypedData: BY_BROWSER,
  getSupported: "the facilitator clients of sellers call it",
  getDescriptor: "wallets read it",
  listDescriptors: "wallets read it",
  callMcp: "MCP clients call it; `tessera mcp` passes messages on",
  callSoldTools: "MCP clients call it; paid calls have `tessera.pay`",
  callMcpSignedIn: "hosts that connect by OAuth call it",
  protectedResource: "MCP clients read it",
  authorizationServer: BY_APP,
  registerApp: BY_APP,
  exchangeToken: BY_APP,
  revokeToken: BY_APP,
  getOpenApi: "the document itself",
  getSoldApi: "crawlers and generators of clients read it",
  listCalls: "the link's page in the dashboard shows it",
  listPasses: "for a seller's program, which refunds by it",
};

/** Operations that the client requests as any paid URL. */
const BY_PAY = ["getPaid", "postPaid", "putPaid", "patchPaid", "deletePaid", "getPass"];

/** Operations that an agent may call, without a tool. */
const NOT_IN_TOOLS: Readonly<Record<string, string>> = {
  ...NOT_IN_CLIENT,
  refreshLogin: "the tools take the permanent token",
  rotateToken: "the host has the token in its configuration, where the model cannot change it",
  unlinkSelf: "leaving an owner is not for a model to decide",
  issueCredential: "a credential is a secret for another server and would pass through the model",
  verifyCredential: BY_VERIFIER,
  getAgentCard: "for people who check who asks them for money",
  getHostHistory: "check_price has it for each network of the price",
  listEligible: "pay_url chooses the mandate",
  reportRefusal: "pay_url reports refusals itself",
  listScans: "each scan's result is the tool's result",
  discoverFirewall: "the scan tools' descriptions have prices and inputs",
  listResources: "search_services searches the same list",
  wellKnownX402: "crawlers read it; search_services searches the same list",
  getBalance: "get_agent_status has the wallet's balance",
  mintTestDollars: "test money, only on local chains",
};

const toPattern = (path: string) => new RegExp(`^${path.replace(/[.]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`);
const ROUTES = ENDPOINTS.map(({ id, endpoint }) => ({ id, endpoint, pattern: toPattern(endpoint.path) }));

/** The operation of a request; a literal path precedes one with parameters. */
function operationOf(method: string, path: string): string {
  const matching = ROUTES.filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
  const [first] = matching.toSorted((a, b) => a.endpoint.path.split("{").length - b.endpoint.path.split("{").length);
  if (!first) throw new Error(`the client calls ${method} ${path}, which the API does not have`);
  return first.id;
}

type Called = (...args: unknown[]) => unknown;
type Group = Record<string, unknown>;

/** Every function of `group` and of the objects in it, except those with a test of their own below. */
function functionsOf(group: Group): Called[] {
  return Object.entries(group).flatMap(([name, member]) => {
    if (["fetch", "pay", "sign", "scan", "receiveUrl", "topUpCredits"].includes(name)) return [];
    if (typeof member === "function") return [member as Called];
    return typeof member === "object" && member !== null ? functionsOf(member as Group) : [];
  });
}

const called = new Set<string>();

beforeAll(async () => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    called.add(operationOf(method, new URL(url).pathname));
    const body = { jwt: "a.b.c", agent_id: "a", token: "t", status: "ok", xPaymentB64: btoa("{}"), items: [] };
    return Response.json(body);
  };
  const account = { baseUrl: "http://localhost", agentId: "a", token: "t", fetch };
  const tessera = new Tessera(account);
  const groups = [tessera, invoicesOf(tessera), discoveryOf(tessera), cancellationsOf(tessera), fundsOf(tessera)];
  for (const group of groups) {
    for (const method of functionsOf(group as unknown as Group)) {
      const result = await method("x", {}, {});
      if (typeof result === "object" && result !== null && "page" in result) await (result.page as Called)();
    }
  }
  await Tessera.register({ ...account, name: "A" });
  const free = { maxAmount: "1" };
  for (const kind of ["scan", "x402-scan", "prompt-scan"] as const) await tessera.firewall.scan(kind, {}, free);
  await tessera.pay(tessera.receiveUrl("1"), {}, free);
  await tessera.pay("http://localhost/paymentlink/lnk_1", {}, free);
  await fundsOf(tessera).topUpCredits("10000");
  // Only a payment does: pay.test.ts of the client has both.
  called.add("signV3").add("reportRefusal");
});

const isAgents = (auth: string) => ["agent", "guest", "host", "none", "visitor"].includes(auth);
const forAgents = ENDPOINTS.filter(({ endpoint }) => isAgents(endpoint.auth)).map(({ id }) => id);

test("every endpoint without a client method is for owners and sellers, or has a reason", () => {
  const without = forAgents.filter((id) => !called.has(id));
  expect(without.sort()).toEqual([...Object.keys(NOT_IN_CLIENT), ...BY_PAY].sort());
  const others = ENDPOINTS.filter(({ endpoint }) => !isAgents(endpoint.auth));
  expect(new Set(others.map(({ endpoint }) => endpoint.auth)), BY_LOGIN).toEqual(new Set(["owner", "seller"]));
});

test("every endpoint that an agent may call has an MCP tool, or a reason", () => {
  const without = forAgents.filter((id) => !(id in toolHandlers));
  expect(without.sort()).toEqual(Object.keys(NOT_IN_TOOLS).sort());
});

describe("the handlers of the MCP tools", () => {
  const folder = "lib/mcp/tools";
  const files = [...readdirSync(folder).map((file) => `${folder}/${file}`), "lib/mcp/own-send.ts"];
  const imports = files.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/^import \{([^}]*)\} from "@\/lib\/[^"]*contract";$/gm),
  ]);
  const used = new Set(imports.flatMap(([, names = ""]) => names.split(",").map((name) => name.trim())));

  test("are those of the endpoints that tools use", () => {
    used.delete("");
    expect(Object.keys(toolHandlers).sort()).toEqual([...used].sort());
  });

  test.each(Object.entries(toolHandlers))("each have the declaration of their name (%s)", (id, { endpoint }) => {
    expect(ENDPOINTS.find((listed) => listed.endpoint === endpoint)?.id).toBe(id);
  });
});
