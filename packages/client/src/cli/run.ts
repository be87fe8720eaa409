import { withAgentKey } from "../agent-key.ts";
import { Tessera } from "../client.ts";
import { PaymentError, TesseraError } from "../errors.ts";
import { type Args, argsOf } from "./args.ts";
import { commandOf } from "./commands.ts";
import { EXIT, formatValue, type Io, plain, UsageError } from "./io.ts";
import { listen } from "./listen.ts";
import { configDir, findAccount, findAgentKey, saveAccount } from "./store.ts";
import { vault } from "./vault.ts";

const HELP = `tessera <command> [options]      amounts are in USDC, for example 0.50

  login --url URL --agent-id ID            reads the token from TESSERA_TOKEN or the standard input, and stores it
  login --url URL --register NAME          registers a new agent and stores its id and token
  status                                   the agent, its wallet and its mandates
  mandates [list | get ID | create --purpose TEXT --limit USDC [--days N] [--host HOST]… [--per-payment USDC]
        [--per-day USDC] [--per-month USDC] [--own-key]]
  key                                      the agent's own key, made and stored if there is none: shows its address
  mcp                                      an MCP server on the standard input and output, which pays and signs here
  pay URL --max USDC [--pass USDC] [--mandate ID | --approve] [--network NAME] [--key KEY] [--resume PAYMENT_ID]
      [--method M] [--data BODY] [--header 'Name: value']…
                                           --pass: buys a pass for many calls for at most this, stores it and uses it
  links [list | get ID | create --amount USDC [--description TEXT] [--content TEXT] [--reference TEXT] [--max-uses N]
        [--title TEXT] [--max-quantity N]
        | update ID [--status active|disabled] … | delete ID | payments ID]
  sell URL --price USDC [--path '/PATH[=USDC]']… [--openapi FILE_OR_URL] [--method GET,POST] [--title TEXT]
       [--header 'Name: $VARIABLE']… [--headers FILE]
                                           puts a price on an API, and prints the address below which buyers request it.
                                           $VARIABLE is read from the environment, FILE has lines of 'Name: value'
  invoices [list | get ID | create --buyer NAME --due YYYY-MM-DD --line 'DESCRIPTION: USDC'… [--number TEXT] [--note TEXT]
        [--network NAME] [--key KEY] | cancel ID]
  payouts [list | get ID | create --to ADDRESS --amount USDC [--mandate ID] [--id PAYOUT_ID] [--key KEY] | cancel ID]
  refunds [list | get ID | create PAYMENT_ID [--amount USDC] [--reason TEXT] [--key KEY] | cancel ID]
  search [WORDS] [--limit N]               what the service lists for sale; without words, all of it
  top-up --max USDC [--mandate ID | --approve]
                                           buys that much of service credits for the agent's owner
  balance ADDRESS [--network NAME]         the USDC of any address
  test-usdc [ADDRESS] [--amount USDC]      test USDC for the spending wallet or another address, on local chains only
  cancellation SETTLEMENT_ID [--signature HEX]
                                           what a payer signs to cancel an unpaid payment; submits their signature
  scan prompt|transaction|x402 INPUT --max USDC [--mandate ID | --approve]
                                           a text, or JSON; INPUT - is the standard input
  listen [--port N] [--forward URL]        receives webhooks; the secret is in TESSERA_WEBHOOK_SECRET
  vault FILE [--rpc URL]                   checks a vault file, and prints how its owner takes the money back without the
                                           service; needs no login

  --json    machine-readable output

Exit codes: 0 done · 1 failed · 2 wrong usage · 3 not logged in · 4 not paid, no money moved · 5 the payment is not over
yet, or its end is unknown: make no new payment, use --resume · 130 interrupted
Environment: TESSERA_URL, TESSERA_AGENT_ID, TESSERA_TOKEN instead of login; TESSERA_CONFIG_DIR
`;

/** Runs a command line and returns the exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let isJson = argv.includes("--json");
  try {
    const args = argsOf(argv);
    isJson = args.isJson;
    const [commandName] = args.words;
    if (args.isHelp || commandName === undefined || commandName === "help") {
      io.out(HELP);
      return EXIT.ok;
    }
    if (commandName === "login") await login(args, io);
    else if (commandName === "listen") await listen(args, io);
    else if (commandName === "vault") await vault(args, io);
    else {
      const command = commandOf(args);
      if (!command) throw new UsageError(`tessera has no command ${commandName}`);
      const account = findAccount(io.env);
      if (!account) throw new TesseraError({ code: "not_logged_in", message: "Run tessera login first" });
      // Signs with the agent's own key if one is stored.
      const key = findAgentKey(io.env, account.agentId);
      const tessera = new Tessera({ ...account, fetch: key ? withAgentKey(key, io.fetch) : io.fetch });
      await command({ tessera, args, io });
    }
    return EXIT.ok;
  } catch (error) {
    if (io.signal.aborted && !PaymentError.is(error)) return EXIT.aborted;
    return report(error, io, isJson);
  }
}

async function login(args: Args, io: Io): Promise<void> {
  const baseUrl = args.need(args.text("url") ?? io.env.TESSERA_URL, "--url");
  const name = args.text("register");
  const tessera =
    name !== undefined
      ? await Tessera.register({ baseUrl, name, clientInfo: "tessera CLI", fetch: io.fetch }, { signal: io.signal })
      : new Tessera({
          baseUrl,
          agentId: args.need(args.text("agent-id") ?? io.env.TESSERA_AGENT_ID, "--agent-id"),
          // Not an argument: every user of the machine can read the arguments of a process.
          token: io.env.TESSERA_TOKEN ?? (await io.readIn()).trim(),
          fetch: io.fetch,
        });
  const { agentId, token } = tessera;
  // A new token is stored before the first request, because it is shown once.
  if (name !== undefined) saveAccount(io.env, { baseUrl: tessera.baseUrl, agentId, token });
  const { agent } = await tessera.status({}, { signal: io.signal });
  if (name === undefined) saveAccount(io.env, { baseUrl: tessera.baseUrl, agentId, token });
  io.out(
    formatValue(
      { agentId, name: agent.name, isAuthorized: agent.isAuthorized, stored: configDir(io.env) },
      args.isJson,
    ),
  );
}

/** Writes the error to standard error. Returns the exit code. */
function report(error: unknown, io: Io, isJson: boolean): number {
  if (UsageError.is(error)) {
    io.err(`${plain(error.message)}\ntessera --help lists the commands\n`);
    return EXIT.usage;
  }
  const message = error instanceof Error ? error.message : "unknown error";
  const { code, status, requestId, docsUrl, stillValidUntil } = TesseraError.is(error)
    ? error
    : new TesseraError({ code: "failed", message });
  const outcome = PaymentError.is(error) ? error.outcome : undefined;
  const paymentRecordId = PaymentError.is(error) ? error.proof?.paymentRecordId : undefined;
  const facts = {
    code,
    message,
    status: status || undefined,
    outcome,
    paymentRecordId,
    stillValidUntil,
    requestId,
    docsUrl,
  };
  io.err(isJson ? formatValue({ error: facts }, true) : formatValue(facts, false));
  if (outcome === "not_paid") return EXIT.notPaid;
  if (outcome === "declined" || outcome === "unknown") return EXIT.notOver;
  return code === "not_logged_in" || status === 401 ? EXIT.login : EXIT.failed;
}
