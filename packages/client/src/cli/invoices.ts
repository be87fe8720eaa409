import { formatUsdc, parseUsdc } from "../money.ts";
import { invoicesOf } from "../seller.ts";
import { type Command, idIn, list, print } from "./command.ts";
import { UsageError } from "./io.ts";

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

export const INVOICES: Record<string, Command> = {
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
