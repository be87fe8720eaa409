import { readFileSync } from "node:fs";
import { TesseraError } from "../errors.ts";
import { formatUsdc } from "../money.ts";
import { isOver, ownerActions, readVault, type Vault, vaultOf } from "../vault.ts";
import type { Args } from "./args.ts";
import { formatValue, type Io } from "./io.ts";

/** `tessera vault`: prints what an owner needs to take the money back without the service. Needs no login and sends no transaction. */
export async function vault(args: Args, io: Io): Promise<void> {
  const path = args.need(args.words[1] ?? args.text("file"), "the vault file");
  const targetVault = vaultOf(path === "-" ? await io.readIn() : textOf(path));
  const url = args.text("rpc");
  const chain = url === undefined ? undefined : await stateAt(url, targetVault, io);
  const facts = { ...factsOf(targetVault), ...chain };
  const actions = ownerActions(targetVault);
  if (args.isJson) return io.out(formatValue({ ...facts, actions }, true));
  io.out(formatValue(facts, false));
  io.out("\nSend one of these with 0 ETH from the owner's wallet, on the network above, for example on an explorer.\n");
  for (const { name, what: description, to, data } of actions)
    io.out(`\n${name}: ${description}\n${formatValue({ to, data }, false)}`);
}

const usdc = (amount: string | bigint) => `${formatUsdc(String(amount))} USDC`;
const time = (seconds: number) =>
  seconds > 8.64e12 ? `${seconds} (Unix seconds)` : new Date(seconds * 1_000).toISOString();

function factsOf({ address, network, chainId, terms: t }: Vault) {
  return {
    vault: address,
    addressIs: "derived from these terms",
    network: `${network} (chain ${chainId})`,
    owner: t.owner,
    signer: t.signer,
    agent: t.agent ?? "none",
    start: time(t.start),
    end: time(t.end),
    limit: usdc(t.limit),
    perPayment: t.perPayment === null ? "no cap" : usdc(t.perPayment),
    release: t.release === null ? "all at once" : `${usdc(t.release.amount)} every ${t.release.seconds} seconds`,
    payees: t.payees === null ? "any" : `list with root ${t.payees}`,
    mandate: t.mandate,
    contractVersion: t.contractVersion,
  };
}

const CODES = {
  open: "open, with the published code",
  not_open: "not open",
  other_code: "WARNING: not the published code. Send nothing",
};

async function stateAt(url: string, targetVault: Vault, io: Io) {
  const state = await readVault((method, params) => request(url, io, { method, params }), targetVault);
  const { counts } = state;
  return {
    code: CODES[state.code],
    balance: usdc(state.balance),
    allowance: usdc(state.allowance),
    ...(counts && {
      revoked: state.isRevoked ? "yes" : "no",
      funded: usdc(counts.funded),
      spent: usdc(counts.spent),
      released: usdc(counts.released),
      withdrawalBy: isOver(targetVault, state) ? "anybody" : "the owner",
    }),
  };
}

async function request(url: string, io: Io, call: { method: string; params: readonly unknown[] }): Promise<unknown> {
  const failed = (reason: string) => new TesseraError({ code: "network_error", message: `The node ${reason}` });
  const response = await io
    .fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }),
      signal: io.signal,
    })
    .catch(() => Promise.reject(failed("did not respond")));
  const reply: unknown = await response.json().catch(() => null);
  if (typeof reply === "object" && reply !== null && "result" in reply) return reply.result;
  throw failed(`refused ${call.method}: ${response.status} ${JSON.stringify(reply)}`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const message = error instanceof Error ? error.message : `${path} cannot be read`;
    throw new TesseraError({ code: "invalid_argument", message, cause: error });
  }
}
