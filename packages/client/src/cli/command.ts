import type { Tessera } from "../client.ts";
import type { List } from "../pages.ts";
import type { Args } from "./args.ts";
import { formatValue, type Io } from "./io.ts";

export type Run = { tessera: Tessera; args: Args; io: Io };
export type Command = (run: Run) => Promise<void>;

export const print = ({ args, io }: Run, value: unknown) => io.out(formatValue(value, args.isJson));
export const idIn = ({ args }: Run): string => args.need(args.words[2], "the id");

/** Prints the first page of a list: `row` of each item, or with `--json` the whole items. */
export const list =
  <V>(getList: (run: Run) => List<V>, row: (item: V) => object): Command =>
  async (run) => {
    const { items } = await getList(run).page();
    print(run, run.args.isJson ? items : items.map(row));
  };
