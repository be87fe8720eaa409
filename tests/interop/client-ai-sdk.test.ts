import { generateText, jsonSchema, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { type AgentTool, forAiSdk, forLangChain, tesseraTools } from "../../packages/client/src/ai.ts";
import { Tessera } from "../../packages/client/src/index.ts";
import { BASE_URL, type Handler, json, offerV1, scripted, signed, v1 } from "../../packages/client/testing/script.ts";

function toolsWith(handlers: Record<string, Handler>, maxAmount = "10000") {
  const script = scripted({ "/api/payment/x402V3Payment": signed, ...handlers });
  const tessera = new Tessera({ baseUrl: BASE_URL, agentId: "a", token: "t", fetch: script.fetch });
  const tools = tesseraTools(tessera, { maxAmount, mandateId: "mand_1", maxCharacters: 10 });
  const named = (name: string): AgentTool => {
    const found = tools.find((tool) => tool.name === name);
    if (!found) throw new Error(`no tool ${name}`);
    return found;
  };
  return { ...script, tools, named };
}

const shop: Handler = ({ headers }) => (headers.has("x-payment") ? new Response("x".repeat(20)) : v1(offerV1()));

test("the pay_url tool pays, and shows the model the allowed part of the content, without the proof", async () => {
  const { named } = toolsWith({ "/r": shop });
  const result = await named("pay_url").execute({ url: "https://seller.example/r", idempotencyKey: "k" });
  expect(result).toMatchObject({ status: 200, body: "x".repeat(10), isCut: true, paid: { amount: "10000" } });
  expect(JSON.stringify(result)).not.toContain("X-PAYMENT");
});

test.each([
  ["more than the caller allows", { maxAmount: "99999999" }, "9999"],
  ["less than the price", { maxAmount: "1" }, "10000"],
])("a model that sets maxAmount to %s pays nothing", async (_, change, maxAmount) => {
  const { named, of } = toolsWith({ "/r": shop }, maxAmount);
  const result = await named("pay_url").execute({ url: "https://seller.example/r", idempotencyKey: "k", ...change });
  expect(result).toMatchObject({ error: { code: "max_amount_exceeded", outcome: "not_paid" } });
  expect(of("/api/payment/x402V3Payment")).toEqual([]);
});

test.each([
  ["pay_url", {}],
  ["pay_url", { url: "https://seller.example/r" }],
  ["pay_url", { url: 5, idempotencyKey: "k" }],
  ["pay_url", { url: "not a URL", idempotencyKey: "k" }],
  ["pay_url", { url: "file:///etc/passwd", idempotencyKey: "k" }],
  ["pay_url", { url: "https://seller.example/r", idempotencyKey: "k", maxAmount: "1e9" }],
  ["propose_mandate", { purpose: "x", limitAmount: "1.5", validForSeconds: 5 }],
  ["create_payment_link", { amount: "-1" }],
  ["scan_prompt", { text: "", idempotencyKey: "k" }],
  ["scan_prompt", { text: "hello" }],
])("calling %s(%j) returns an error that the model can read, and sends no request", async (name, input) => {
  const { named, sent } = toolsWith({});
  expect(await named(name).execute(input)).toMatchObject({ error: { code: "invalid_argument" } });
  expect(sent).toEqual([]);
});

test("a model that repeats a call whose end is unknown, with its key, presents the same proof", async () => {
  const { named, of } = toolsWith({
    "/r": ({ headers }, times) => {
      if (!headers.has("x-payment")) return v1(offerV1());
      return times < 2 ? json(503, {}, { "Retry-After": "1000" }) : new Response("bought");
    },
  });
  const call = { url: "https://seller.example/r", idempotencyKey: "report-1" };
  const lost = { outcome: "unknown", idempotencyKey: "report-1" };
  const nextStep = expect.stringContaining("Repeat the call with the same idempotencyKey");
  expect(await named("pay_url").execute(call)).toMatchObject({ error: { ...lost, nextStep } });
  expect(await named("pay_url").execute(call)).toMatchObject({ status: 200, body: "bought" });
  const proofs = of("/r").flatMap(({ headers }) => headers.get("x-payment") ?? []);
  expect([proofs.length, new Set(proofs).size]).toEqual([2, 1]);
  expect(of("/api/payment/x402V3Payment")).toHaveLength(1);
});

test("a tool call returns an error of the service as its result", async () => {
  const { named } = toolsWith({
    "/api/agent/self/status": () => json(403, { code: "agent_not_authorized", message: "m" }),
  });
  expect(await named("wallet_status").execute({})).toEqual({ error: { code: "agent_not_authorized", message: "m" } });
});

/** What the models of the AI SDK return, for one step. */
const step = (content: object) => ({
  content: [content] as never,
  finishReason: { unified: "stop" as const, raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
  warnings: [],
});

/** Lets a model of the AI SDK call one tool, and then say "done". Returns what it saw. */
async function generated(toolName: string, input: object, handlers: Record<string, Handler>) {
  const { tools, of } = toolsWith(handlers);
  const call = { type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(input) };
  const model = new MockLanguageModelV4({ doGenerate: [step(call), step({ type: "text", text: "done" })] });
  const { text, steps } = await generateText({
    model,
    prompt: "Buy the weather",
    tools: forAiSdk(tools, jsonSchema),
    stopWhen: stepCountIs(3),
  });
  return { text, content: steps[0]?.content, calls: model.doGenerateCalls, of };
}

test("a model of the AI SDK pays with a tool, and sees the result", async () => {
  const { text, calls, of } = await generated(
    "pay_url",
    { url: "https://seller.example/r", idempotencyKey: "k" },
    { "/r": shop },
  );
  expect(text).toBe("done");
  expect(of("/api/payment/x402V3Payment")).toHaveLength(1);
  expect(calls[0]?.tools?.map((each) => each.name)).toEqual([
    ...["pay_url", "wallet_status", "propose_mandate", "create_payment_link", "scan_prompt"],
  ]);
  expect(calls[0]?.tools?.[0]).toMatchObject({
    inputSchema: { required: ["url", "idempotencyKey"], additionalProperties: false },
  });
  const seen = calls[1]?.prompt.at(-1);
  expect(seen).toMatchObject({
    role: "tool",
    content: [{ output: { type: "json", value: { status: 200, isCut: true, paid: { amount: "10000" } } } }],
  });
});

test("a model of the AI SDK sees why a payment was refused", async () => {
  const input = { url: "https://seller.example/r", idempotencyKey: "k", maxAmount: "1" };
  const { calls, of } = await generated("pay_url", input, { "/r": shop });
  const seen = calls[1]?.prompt.at(-1);
  const error = { code: "max_amount_exceeded", outcome: "not_paid" };
  expect(seen).toMatchObject({ content: [{ output: { type: "json", value: { error } } }] });
  expect(of("/api/payment/x402V3Payment")).toEqual([]);
});

test("the tools work when converted for LangChain", async () => {
  const { tools } = toolsWith({ "/api/agent/self/status": () => json(200, { status: "ok" }) });
  const chain = forLangChain(tools, (run, fields) => ({ run, ...fields }));
  const status = chain.find(({ name }) => name === "wallet_status");
  expect([await status?.run({}), chain.length]).toEqual(['{"status":"ok"}', tools.length]);
});
