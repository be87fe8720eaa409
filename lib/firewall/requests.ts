import { isIgnoredMember } from "@tessera/firewall";
import { z } from "zod";

/** On the wire. */
export const BODY_BYTES_MAX = { transaction: 65_536, x402: 65_536, prompt: 32_768 } as const;

/** In Unicode code points. */
export const PROMPT_LENGTH_MAX = 24_000;

const text = z.string("must be a text");
const optionalText = text.nullish();
const optionalChain = z.int("must be a whole number").nullish();
/** For JSON Schema: at least one of the members is a string; null counts as absent. */
const oneOf = (...names: string[]) => ({
  anyOf: names.map((name) => ({ required: [name], properties: { [name]: { type: "string" } } })),
});
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * The input of `scanTransaction`. Only types are checked: malformed calldata, addresses and amounts become findings. null
 * counts as absent. Unknown members are passed to the scan, which reports those it should have understood; members that
 * every wallet adds to a transaction are removed.
 */
export const transactionRequest = z
  .looseObject(
    {
      chainId: optionalChain.describe("EVM chain id; 8453 (Base) unless given"),
      chain_id: optionalChain.describe("Alias of chainId; a finding when the two disagree"),
      to: optionalText.describe("20-byte 0x address; empty for a contract creation"),
      data: optionalText.describe("Calldata in hex with 0x prefix"),
      input: optionalText.describe("Alias of data; a finding when the two disagree"),
      calldata: optionalText.describe("Alias of data; a finding when the two disagree"),
      valueWei: optionalText.describe("Native value in wei, a string of decimal digits"),
      value: optionalText.describe(
        "Alias of valueWei, a string of decimal digits or, as in JSON-RPC, of hex with 0x; a finding when the two disagree",
      ),
      function: optionalText.describe("Name or signature of the function that is meant to be called"),
      functionName: optionalText.describe("Alias of function; a finding when the two disagree"),
      amount: optionalText.describe("Amount that is meant to be approved or moved, in atomic units"),
      context: optionalText.describe("What the transaction is for; no secrets"),
      authorizationList: z.array(z.unknown(), "must be a list").nullish().describe("EIP-7702 authorizations"),
      authorization_list: z.array(z.unknown(), "must be a list").nullish().describe("Alias of authorizationList"),
    },
    "must be an object",
  )
  .refine(({ to, data, input, calldata }) => [to, data, input, calldata].some(isGiven), "to or data is required")
  .meta(oneOf("to", "data", "input", "calldata"))
  .transform((body) => Object.fromEntries(Object.entries(body).filter(([name]) => !isIgnoredMember(name))));

/**
 * The input of `scanX402`. A server may answer 402 with anything, so every form of body is scanned, and unknown members
 * are searched for signed payments too.
 */
export const x402Request = z
  .looseObject(
    {
      paymentRequired: z.unknown().optional().describe("The unpaid 402's JSON body, unchanged"),
      expected: z
        .looseObject(
          {
            network: optionalText.describe("Name or CAIP-2 id"),
            maxAmountAtomic: optionalText.describe(
              "The highest acceptable amount, a string of decimal digits in atomic units",
            ),
            payTo: optionalText,
            asset: optionalText.describe("Address, or USDC"),
            resource: optionalText.describe("URL that the resource is, or lies below"),
          },
          "must be an object",
        )
        .nullish()
        .describe("What the caller means to pay: network, maxAmountAtomic, payTo, asset, resource; each is optional"),
    },
    "must be an object",
  )
  .refine((body) => body.paymentRequired !== undefined, "paymentRequired is required")
  .meta({ required: ["paymentRequired"] });

const promptText = text
  .refine((input) => input.isWellFormed(), "must be Unicode without lone surrogates")
  .refine(
    (input) => input.length <= 2 * PROMPT_LENGTH_MAX && [...input].length <= PROMPT_LENGTH_MAX,
    `must have at most ${PROMPT_LENGTH_MAX} characters`,
  )
  .meta({ maxLength: PROMPT_LENGTH_MAX })
  .nullish();

/** The body of a prompt scan; the output is the input of `scanPrompt`. */
export const promptRequest = z
  .object(
    {
      text: promptText.describe(
        "The untrusted text, in Unicode without lone surrogates; one of text and prompt is required",
      ),
      prompt: promptText.describe("Alias of text; refused when the two disagree"),
      source: optionalText.describe("Where the text is from; no secrets"),
    },
    "must be an object",
  )
  .meta(oneOf("text", "prompt"))
  .transform(({ text, prompt, source }, ctx) => {
    const content = text ?? prompt;
    if (typeof content !== "string") ctx.addIssue("text is required");
    else if (isGiven(prompt) && content !== prompt) ctx.addIssue("text and its alias prompt disagree");
    else return { text: content, ...(typeof source === "string" && { source }) };
    return z.NEVER;
  });
