import type { Tessera } from "./client.ts";
import { invalid, PaymentError, TesseraError } from "./errors.ts";
import { nextStepAfter } from "./next-step.ts";
import type { PayOptions, PayResult } from "./pay.ts";

/** A tool as a plain object. `execute` returns a TesseraError as `{ error: { code, message } }` instead of throwing it. */
export type AgentTool = {
  name: string;
  description: string;
  inputSchema: {
    type: "object";
    properties: Record<string, object>;
    required: readonly string[];
    additionalProperties: false;
  };
  execute: (input: Record<string, unknown>) => Promise<object>;
};

export type ToolOptions = Pick<
  PayOptions,
  "mandateId" | "onApproval" | "network" | "waitSeconds" | "preferPass" | "passes"
> & {
  /** Atomic USDC: the most that one tool call may pay. The model can only lower it. */
  maxAmount: string;
  /** A response is cut after this many characters. Default: 20,000. */
  maxCharacters?: number;
};

const text = (description: string) => ({ type: "string", description });
const AMOUNT = { type: "string", pattern: "^[0-9]{1,15}$", description: "Atomic USDC: 1000000 is 1.00 USDC" };

const tool = (
  name: string,
  description: string,
  [properties, required]: [Record<string, object>, readonly string[]],
  execute: AgentTool["execute"],
): AgentTool => ({
  name,
  description,
  inputSchema: { type: "object", properties, required, additionalProperties: false },
  execute: async (input) => execute(input).catch((error: unknown) => asResult(error, input.idempotencyKey)),
});

/** Returns a TesseraError as a result that the model can act on; rethrows any other error. */
function asResult(error: unknown, idempotencyKey: unknown): object {
  if (!TesseraError.is(error)) throw error;
  const { code, message, stillValidUntil } = error;
  const outcome = PaymentError.is(error) ? error.outcome : undefined;
  const payment = PaymentError.is(error) && { outcome, paymentRecordId: error.proof?.paymentRecordId };
  const guidance = idempotencyKey !== undefined && { nextStep: nextStepAfter(outcome), idempotencyKey };
  return { error: { code, message, ...(stillValidUntil && { stillValidUntil }), ...payment, ...guidance } };
}

const requireText = (input: Record<string, unknown>, name: string): string => {
  const value = input[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(`${name} must be a text`);
};

const amountIn = (input: Record<string, unknown>, name: string): string => {
  const value = requireText(input, name);
  if (/^\d{1,78}$/.test(value)) return value;
  throw invalid(`${name} must be digits: atomic USDC`);
};

/**
 * Returns the tools with which a model pays and gets paid: `pay_url`, `wallet_status`, `propose_mandate`, `create_payment_link` and
 * `scan_prompt`. `maxAmount` (atomic USDC) and `mandateId` limit each call; the model cannot raise them.
 *
 * Tools that pay need an `idempotencyKey`, so that a model can repeat a call whose answer was lost. A tool returns `{ error }` with `code`,
 * `message` and, for a payment, `nextStep`, `outcome` and `stillValidUntil` (ISO 8601). It throws only errors that are not a TesseraError,
 * such as the signal's reason.
 *
 * @example
 * const tools = tesseraTools(tessera, { maxAmount: parseUsdc("0.50"), mandateId });
 * const [payUrl] = tools;
 * const result = await payUrl?.execute({ url: "https://api.example/report", idempotencyKey: "report-1" });
 */
export function tesseraTools(
  tessera: Tessera,
  { maxAmount, maxCharacters = 20_000, ...paying }: ToolOptions,
): AgentTool[] {
  const limit = (input: Record<string, unknown>): PayOptions => {
    const requestedMax = input.maxAmount === undefined ? maxAmount : amountIn(input, "maxAmount");
    return {
      ...paying,
      idempotencyKey: requireText(input, "idempotencyKey"),
      maxAmount: BigInt(requestedMax) < BigInt(maxAmount) ? requestedMax : maxAmount,
    };
  };
  const describeResult = async ({ response, receipt }: PayResult) => {
    const body = await response.text();
    const { proof: _, ...payment } = receipt ?? {};
    return {
      status: response.status,
      body: body.slice(0, maxCharacters),
      isCut: body.length > maxCharacters,
      paid: receipt && payment,
    };
  };
  const key = text(
    "Your name for this purchase. After any doubt repeat the call with the same key: it never pays twice",
  );
  return [
    tool(
      "pay_url",
      "Request a URL and pay for it if it requires a payment (HTTP 402, x402, USDC). Returns what was bought.",
      [
        {
          url: text("https URL"),
          method: text("HTTP method, default GET"),
          body: text("JSON body"),
          maxAmount: AMOUNT,
          idempotencyKey: key,
        },
        ["url", "idempotencyKey"],
      ],
      async (input) => {
        const body = typeof input.body === "string" ? input.body : undefined;
        const method = typeof input.method === "string" ? input.method : body === undefined ? "GET" : "POST";
        const init =
          body === undefined ? { method } : { method, body, headers: { "Content-Type": "application/json" } };
        return describeResult(await tessera.pay(requireText(input, "url"), init, limit(input)));
      },
    ),
    tool("wallet_status", "The agent's wallet: balance, mandates and latest payments.", [{}, []], () =>
      tessera.status(),
    ),
    tool(
      "propose_mandate",
      "Propose a spending budget. Returns authorizationUrl, where the user signs it. You cannot sign it yourself.",
      [
        {
          purpose: text("What the money is for"),
          limitAmount: AMOUNT,
          validForSeconds: { type: "integer", minimum: 1, maximum: 31_536_000 },
        },
        ["purpose", "limitAmount", "validForSeconds"],
      ],
      async (input) =>
        tessera.mandates.create({
          naturalLanguage: requireText(input, "purpose"),
          limitAmount: amountIn(input, "limitAmount"),
          validForSeconds: Number(input.validForSeconds),
        }),
    ),
    tool(
      "create_payment_link",
      "Create a link at which people and agents pay this agent in USDC.",
      [
        { amount: AMOUNT, description: text("Shown to the payer"), content: text("Delivered after the payment") },
        ["amount"],
      ],
      async (input) =>
        tessera.links.create({
          amount: amountIn(input, "amount"),
          ...(input.description !== undefined && { description: requireText(input, "description") }),
          ...(input.content !== undefined && { resourceContent: requireText(input, "content") }),
        }),
    ),
    tool(
      "scan_prompt",
      "Check an untrusted text for instructions to an agent before you act on it. Paid.",
      [{ text: text("The untrusted text"), maxAmount: AMOUNT, idempotencyKey: key }, ["text", "idempotencyKey"]],
      async (input) =>
        describeResult(await tessera.firewall.scan("prompt-scan", { text: requireText(input, "text") }, limit(input))),
    ),
  ];
}

/**
 * Converts tools for the AI SDK. `jsonSchema` is the function of that name in the package `ai`.
 *
 * @example
 * const tools = forAiSdk(tesseraTools(tessera, { maxAmount }), jsonSchema);
 * const { text } = await generateText({ model, prompt, tools });
 */
export const forAiSdk = <S>(tools: readonly AgentTool[], jsonSchema: (schema: never) => S) =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema, execute }) => [
      name,
      { description, inputSchema: jsonSchema(inputSchema as never), execute },
    ]),
  );

/**
 * Converts tools for LangChain; results are JSON text. `create` is the function `tool` of `@langchain/core/tools`.
 *
 * @example
 * const tools = forLangChain(tesseraTools(tessera, { maxAmount }), tool);
 * const model = chat.bindTools(tools);
 */
export const forLangChain = <T>(
  tools: readonly AgentTool[],
  create: (
    run: (input: Record<string, unknown>) => Promise<string>,
    fields: { name: string; description: string; schema: never },
  ) => T,
): T[] =>
  tools.map(({ name, description, inputSchema, execute }) =>
    create(async (input) => JSON.stringify(await execute(input)), { name, description, schema: inputSchema as never }),
  );
