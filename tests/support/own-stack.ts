import { inject } from "vitest";
import { COMPILED } from "@/dev/local/build";
import { inOwnWorld } from "@/dev/local/own-world";
import type { Environment, Stack } from "@/dev/local/stack";
import { copyDatabase } from "./world";

/** A stack as `npm run up` starts it, on a copy of the run's database. Its server loads each route at the first request. */
export async function inTestStack<T>(
  name: string,
  settings: Environment,
  play: (stack: Stack) => Promise<T>,
): Promise<T> {
  const databaseUrl = await copyDatabase(inject("run").templateUrl);
  const own = { ...COMPILED, PRELOAD_ROUTES: "off", DATABASE_URL: databaseUrl, ...settings };
  return inOwnWorld(name, { log: () => {}, settings: own }, play);
}

/** The same for all tests of a file; runs until `close`. */
export async function openStack(name: string): Promise<{ stack: Stack; close: () => Promise<void> }> {
  let end: () => void = () => {};
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  let over: Promise<void> = Promise.resolve();
  const stack = await new Promise<Stack>((ready, failed) => {
    over = inTestStack(name, {}, async (started) => {
      ready(started);
      await ending;
    });
    over.catch(failed);
  });
  return {
    stack,
    close: async () => {
      end();
      await over;
    },
  };
}
