import type { OfferTexts } from "@/components/texts/en/offer";
import { fill, fillCount, type Words } from "@/components/texts/template";
import { usdcText } from "@/components/ui/format";
import { formatUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import type { CheckoutView } from "@/lib/links/checkout/contract";
import { toolAt } from "@/lib/links/upstream/tools/names";

export type Calls = NonNullable<CheckoutView["calls"]>;

/** The texts of what is sold: an API, or tools. */
export const soldTexts = ({ kind }: Pick<Calls, "kind">, { api, tools }: OfferTexts): OfferTexts["api" | "tools"] =>
  kind === "mcp" ? tools : api;

/** The lowest and the highest price of a request. */
export function priceRange({ paths }: Pick<Calls, "paths">): { least: Usdc; most: Usdc } {
  const [least = 0n, ...others] = paths.map(({ amount }) => BigInt(amount)).sort((a, b) => (a < b ? -1 : 1));
  return { least: toUsdc(least), most: toUsdc(others.at(-1) ?? least) };
}

export function callPrice(calls: Calls, { language, texts }: Words<OfferTexts>): string {
  const { least, most } = priceRange(calls);
  const [min, max] = [usdcText(least, language), usdcText(most, language)];
  return least === most ? min : fill(texts.range, { min, max });
}

/** What a pass admits, in words. */
export function passName(
  { kind, pass: { calls, hours, isByUse } }: Pick<Calls, "kind"> & { pass: NonNullable<Calls["pass"]> },
  { language, texts }: Words<OfferTexts>,
): string {
  const { any, byUse, count } = soldTexts({ kind }, texts);
  const anyText = isByUse ? byUse : any;
  const callsText = calls === null ? anyText : fillCount(language, count, calls, {});
  if (hours === null) return callsText;
  const isDays = hours % 24 === 0;
  const hoursText = fillCount(language, isDays ? texts.daysCount : texts.hoursCount, isDays ? hours / 24 : hours, {});
  return fill(texts.callsWithin, { calls: callsText, time: hoursText });
}

/**
 * The first path or tool as a command and as a line of our client, with its variable in capitals. A path may have characters that a shell
 * would run: none of them does in single quotes.
 */
export function callLines({ mcpUrl, paidUrl, methods, paths, pass }: Omit<Calls, "kind" | "openApiUrl">): {
  curl: string;
  client: string;
  clientWithPass: string | null;
} {
  const [first] = paths;
  const method = methods.includes("GET") ? "GET" : (methods[0] ?? "GET");
  const path = (first?.path ?? (mcpUrl === null ? "/{path}" : "/{tool}")).replace(/\{(\w+)\}/g, (_, name: string) =>
    name.toUpperCase(),
  );
  const url = `${paidUrl}${path}`.replaceAll("'", "%27");
  const option = method === "GET" ? "" : ` -X ${method}`;
  const sum = (amount: string) => `parseUsdc("${formatUsdc(toUsdc(BigInt(amount)))}")`;
  const request = method === "GET" ? "{}" : `{ method: "${method}" }`;
  const pay = (limits: string) => `await tessera.pay(${JSON.stringify(url)}, ${request}, { ${limits} });`;
  const maxAmount = `maxAmount: ${sum(first?.amount ?? "0")}`;
  return {
    curl: `curl -i${option} '${url}'`,
    client: mcpUrl === null ? pay(maxAmount) : callTool(mcpUrl, toolAt(path), maxAmount),
    clientWithPass: pass && pay(`${maxAmount}, preferPass: ${sum(pass.amount)}`),
  };
}

const callTool = (serverUrl: string, name: string, maxAmount: string): string =>
  `await callPaidTool(mcpClient, { name: "${name}", arguments: {} }, { tessera, serverUrl: "${serverUrl}", ${maxAmount} });`;
