import { DEFAULT_NETWORK, NETWORK_NAMES, networkNamed } from "../../../x402/src/networks.ts";
import type { Tessera } from "../client.ts";
import { PaymentError, TesseraError } from "../errors.ts";
import { formatUsdc, parseUsdc } from "../money.ts";
import type { List } from "../pages.ts";
import type { PayOptions, PayResult } from "../pay.ts";
import { invoicesOf } from "../seller.ts";
import { cancellationsOf, discoveryOf, fundsOf } from "../services.ts";
import type { Args } from "./args.ts";
import { formatValue, type Io, plain, UsageError } from "./io.ts";
import { serveMcp } from "./mcp.ts";
import { sell } from "./sell.ts";
import { findProof, ownAgentKey, passesOf, removeProof, saveProof } from "./store.ts";

type Run = { tessera: Tessera; args: Args; io: Io };
export type Command = (run: Run) => Promise<void>;

const print = ({ args, io }: Run, value: unknown) => io.out(formatValue(value, args.isJson));
const idIn = ({ args }: Run): string => args.need(args.words[2], "the id");

/** Prints the first page of a list: `row` of each item, or with `--json` the whole items. */
const list =
  <V>(getList: (run: Run) => List<V>, row: (item: V) => object): Command =>
  async (run) => {
    const { items } = await getList(run).page();
    print(run, run.args.isJson ? items : items.map(row));
  };

/** Parses an invoice line from the command line, for example `Two days of work: 800`. */
function lineOf(text: string): { description: string; unitAmount: string } {
  const index = text.lastIndexOf(":");
  try {
    if (index > 0) return { description: text.slice(0, index).trim(), unitAmount: parseUsdc(text.slice(index + 1)) };
  } catch {
    // Not an amount: the UsageError below shows the format.
  }
  throw new UsageError("--line must be 'Description: USDC', for example 'Two days of work: 800'");
}

const INVOICES: Record<string, Command> = {
  list: list(
    ({ tessera }) => invoicesOf(tessera).list(),
    ({ invoiceId, number, state, buyerName, total, dueDate, url }) => ({
      invoiceId,
      number,
      state,
      buyerName,
      total: formatUsdc(total),
      dueDate,
      url,
    }),
  ),
  get: async (run) => print(run, await invoicesOf(run.tessera).get(idIn(run))),
  create: async (run) => {
    const { args, tessera } = run;
    const lines = args.texts("line").map(lineOf);
    if (lines.length === 0) throw new UsageError("--line is missing");
    const body = {
      buyer: { name: args.need(args.text("buyer"), "--buyer") },
      dueDate: args.need(args.text("due"), "--due"),
      lines,
      number: args.text("number"),
      note: args.text("note"),
      network: args.text("network"),
    };
    print(run, await invoicesOf(tessera).create(body, { idempotencyKey: args.text("key") }));
  },
  cancel: async (run) => print(run, await invoicesOf(run.tessera).cancel(idIn(run))),
};

const GROUPS: Record<string, Record<string, Command>> = {
  mandates: {
    list: list(
      ({ tessera }) => tessera.mandates.list(),
      ({ mandateId, status, naturalLanguage, remainingAmount, validUntil }) => ({
        mandateId,
        status,
        naturalLanguage,
        remaining: formatUsdc(remainingAmount),
        validUntil,
      }),
    ),
    get: async (run) => print(run, await run.tessera.mandates.get(idIn(run))),
    create: async (run) => {
      const { args, tessera } = run;
      const hosts = args.texts("host");
      const caps = {
        maxAmountPerPayment: args.usdc("per-payment"),
        maxAmountPerDay: args.usdc("per-day"),
        maxAmountPerMonth: args.usdc("per-month"),
      };
      const created = await tessera.mandates.create({
        naturalLanguage: args.need(args.text("purpose"), "--purpose"),
        limitAmount: args.need(args.usdc("limit"), "--limit"),
        ...Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== undefined)),
        validForSeconds: (args.whole("days") ?? 7) * 86_400,
        ...(hosts.length > 0 && { hostAllowlist: hosts }),
        ...(args.has("own-key") && { vault: { agentKey: ownAgentKey(run.io.env, tessera.agentId).address } }),
      });
      print(run, created);
    },
  },
  links: {
    list: list(
      ({ tessera }) => tessera.links.list(),
      ({ linkId, status, amount, description, useCount, url }) => ({
        linkId,
        status,
        amount: formatUsdc(amount),
        description,
        useCount,
        url,
      }),
    ),
    get: async (run) => print(run, await run.tessera.links.get(idIn(run))),
    create: async (run) => {
      const { args, tessera } = run;
      const link = await tessera.links.create({
        amount: args.need(args.usdc("amount"), "--amount"),
        description: args.text("description"),
        resourceContent: args.text("content"),
        title: args.text("title"),
        reference: args.text("reference"),
        maxQuantity: args.whole("max-quantity"),
        maxUses: args.whole("max-uses"),
      });
      print(run, link);
    },
    update: async (run) => {
      const { args, tessera } = run;
      const named = args.text("status");
      const status = (["active", "disabled"] as const).find((candidate) => candidate === named);
      if (status !== named) throw new UsageError("--status must be active or disabled");
      const change = { status, description: args.text("description"), resourceContent: args.text("content") };
      print(run, await tessera.links.update(idIn(run), change));
    },
    delete: async (run) => print(run, await run.tessera.links.delete(idIn(run))),
    payments: list(
      (run) => run.tessera.links.payments(idIn(run)),
      ({ id, amount, settlementStatus, payerAddress, createdAt }) => ({
        id,
        amount: formatUsdc(amount),
        settlementStatus,
        payerAddress,
        createdAt,
      }),
    ),
  },
  invoices: INVOICES,
  payouts: {
    list: list(
      ({ tessera }) => tessera.payouts.list(),
      ({ payoutId, status, amount, toAddress, createdAt }) => ({
        payoutId,
        status,
        amount: formatUsdc(amount),
        toAddress,
        createdAt,
      }),
    ),
    get: async (run) => print(run, await run.tessera.payouts.get(idIn(run))),
    create: async (run) => {
      const { args, tessera } = run;
      const body = {
        toAddress: args.need(args.text("to"), "--to"),
        amount: args.need(args.usdc("amount"), "--amount"),
        mandateId: args.text("mandate"),
        payoutId: args.text("id"),
        description: args.text("description"),
        network: args.text("network"),
      };
      print(run, await tessera.payouts.create(body, { idempotencyKey: args.text("key") }));
    },
    cancel: async (run) => print(run, await run.tessera.payouts.cancel(idIn(run))),
  },
  refunds: {
    list: list(
      ({ tessera }) => tessera.refunds.list(),
      ({ refundId, status, amount, refundTo, refundUrl }) => ({
        refundId,
        status,
        amount: formatUsdc(amount),
        refundTo,
        refundUrl,
      }),
    ),
    get: async (run) => print(run, await run.tessera.refunds.get(idIn(run))),
    create: async (run) => {
      const { args, tessera } = run;
      const paymentId = Number(idIn(run));
      if (!Number.isSafeInteger(paymentId)) throw new UsageError("the id of a received payment is a number");
      const body = { paymentId, amount: args.usdc("amount"), reason: args.text("reason") };
      print(run, await tessera.refunds.create(body, { idempotencyKey: args.text("key") }));
    },
    cancel: async (run) => print(run, await run.tessera.refunds.cancel(idIn(run))),
  },
};

/** `tessera search [words]`: what the service lists for sale. */
const search: Command = async (run) => {
  const { args, tessera } = run;
  const query = args.words.slice(1).join(" ");
  const discovery = discoveryOf(tessera);
  const limit = args.whole("limit");
  const items =
    query === "" ? (await discovery.list({ limit })).items : (await discovery.search({ query, limit })).resources;
  if (args.isJson) return print(run, items);
  const rows = items.map(({ resource, description, accepts }) => {
    const [offer] = accepts as { amount?: unknown; network?: unknown }[];
    const price = typeof offer?.amount === "string" ? formatUsdc(offer.amount) : null;
    return { url: resource, description, price, network: offer?.network };
  });
  print(run, rows);
};

/** `tessera cancellation ID`: prints the typed data that the payer signs; with `--signature`, submits the signature. */
const cancellation: Command = async (run) => {
  const { args, tessera } = run;
  const settlementId = args.need(args.words[1], "the settlement's id");
  const signature = args.text("signature");
  const cancellations = cancellationsOf(tessera);
  print(
    run,
    signature === undefined
      ? await cancellations.get(settlementId)
      : await cancellations.submit(settlementId, signature),
  );
};

/** `tessera test-usdc [address]`: mints to the owner's spending wallet if no address is given. Only on a service with local chains. */
const testUsdc: Command = async (run) => {
  const { args, tessera } = run;
  const address = args.words[1] ?? (await tessera.status()).agent.walletAddress;
  if (address === null) throw new UsageError("the agent has no wallet yet: name an address");
  const body = { address, amount: args.usdc("amount"), network: args.text("network") };
  print(run, { address, balance: formatUsdc(await fundsOf(tessera).mintTestUsdc(body)) });
};

/** `tessera balance ADDRESS`: the USDC of any address. */
const balance: Command = async (run) => {
  const { args, tessera } = run;
  const network = networkNamed(args.text("network") ?? DEFAULT_NETWORK)?.name;
  if (!network) throw new UsageError(`--network must be ${NETWORK_NAMES.join(" or ")}`);
  const address = args.need(args.words[1], "the address");
  const amount = await fundsOf(tessera).balance(address, network);
  if (amount === null) throw new TesseraError({ code: "chain_unavailable", message: "The chain does not respond" });
  print(run, { address, network, balance: formatUsdc(amount) });
};

const KINDS = { prompt: "prompt-scan", transaction: "scan", x402: "x402-scan" } as const;

const COMMANDS: Record<string, Command> = {
  balance,
  cancellation,
  search,
  sell,
  "test-usdc": testUsdc,
  "top-up": async (run) => {
    const amount = run.args.need(run.args.usdc("max"), "--max");
    await paying(run, (options) => fundsOf(run.tessera).topUpCredits(amount, options));
  },
  key: async (run) => {
    const { agentId } = run.tessera;
    const { address } = ownAgentKey(run.io.env, agentId);
    print(run, { agentId, address });
  },
  mcp: ({ tessera, io }) => serveMcp(tessera, io),
  status: async (run) => {
    const { agent, balances, mandates, ...details } = await run.tessera.status();
    if (run.args.isJson) return print(run, { agent, balances, mandates, ...details });
    const { name, id, isAuthorized, walletAddress } = agent;
    const usdc = balances.usdc.availableFormatted;
    print(run, { name, agentId: id, isAuthorized, walletAddress, usdc, openMandates: mandates.open });
  },
  pay: async (run) => {
    const { args, tessera } = run;
    const url = args.need(args.words[1], "the URL");
    const data = args.text("data");
    const headers = new Headers(
      args.texts("header").map((line): [string, string] => {
        const index = line.indexOf(":");
        if (index < 1) throw new UsageError("--header must be 'Name: value'");
        return [line.slice(0, index).trim(), line.slice(index + 1).trim()];
      }),
    );
    const init = { method: args.text("method") ?? (data === undefined ? "GET" : "POST"), headers, body: data ?? null };
    await paying(run, (options) => tessera.pay(url, init, options));
  },
  scan: async (run) => {
    const { args, io, tessera } = run;
    const [, kindName, input] = args.words;
    const kind = Object.entries(KINDS).find(([name]) => name === kindName)?.[1];
    if (!kind) throw new UsageError("tessera scan prompt|transaction|x402 <text or JSON, or - for the standard input>");
    const content = args.need(input === "-" ? (await io.readIn()) || undefined : input, "what is to be scanned");
    const body = kind === "prompt-scan" ? { text: content } : jsonIn(content);
    await paying(run, (options) => tessera.firewall.scan(kind, body, options));
  },
};

function jsonIn(text: string): object {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === "object" && json !== null) return json;
  } catch {}
  throw new UsageError("a transaction or requirement is given as a JSON object");
}

/** Pays and prints the response. Stores the proof of an `unknown` or `declined` payment for `--resume`. */
async function paying(run: Run, pay: (options: PayOptions) => Promise<PayResult>): Promise<void> {
  const { args, io } = run;
  const named = args.text("network");
  const network = networkNamed(named)?.name;
  if (named !== undefined && !network) throw new UsageError("--network must be base or base-sepolia");
  const resumed = args.text("resume");
  const proof = resumed === undefined ? undefined : findProof(io.env, resumed);
  if (proof === null) throw new UsageError(`there is no stored proof of ${resumed}`);
  const options: PayOptions = {
    maxAmount: args.need(args.usdc("max"), "--max"),
    network,
    proof,
    idempotencyKey: args.text("key"),
    preferPass: args.usdc("pass"),
    passes: passesOf(io.env, run.tessera.agentId),
    signal: io.signal,
    mandateId: args.text("mandate") ?? (args.has("approve") ? null : undefined),
    ...(args.has("approve") && {
      onApproval: ({ approvalUrl, expiresAt }) =>
        io.err(`The owner approves this payment before ${expiresAt.toISOString()} at\n${plain(approvalUrl)}\n`),
    }),
  };
  try {
    const { response, receipt } = await pay(options);
    if (receipt) removeProof(io.env, receipt.paymentRecordId);
    const { proof: _, ...facts } = receipt ?? {};
    const body = await response.text();
    const { status } = response;
    if (args.isJson) io.out(formatValue({ status, receipt: receipt && facts, body }, true));
    else {
      io.err(formatValue(receipt ? { status, ...facts } : { status, paid: "nothing" }, false));
      io.out(`${io.isTerminal ? plain(body) : body}\n`);
    }
    if (!receipt && !response.ok) throw new TesseraError({ code: `http_${status}`, message: "Nothing was paid" });
  } catch (error) {
    if (PaymentError.is(error) && error.proof && (error.outcome === "unknown" || error.outcome === "declined")) {
      saveProof(io.env, error.proof);
      io.err(`To present the same proof again: the same command with --resume ${error.proof.paymentRecordId}\n`);
    }
    throw error;
  }
}

/** Returns the command that `args` names, or undefined. */
export function commandOf({ words: [commandName = "", second = "list"] }: Args): Command | undefined {
  const group = Object.hasOwn(GROUPS, commandName) ? GROUPS[commandName] : undefined;
  if (group && !Object.hasOwn(group, second))
    return () => {
      throw new UsageError(`tessera ${commandName} has no such command`);
    };
  if (group) return group[second];
  return Object.hasOwn(COMMANDS, commandName) ? COMMANDS[commandName] : undefined;
}
