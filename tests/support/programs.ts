import { spawn } from "node:child_process";
import { expect } from "vitest";
import type { TestOwner } from "./actors";
import { confirmedCall } from "./confirmations";
import { owned, signatureOver } from "./mandates";
import { vaultSignatures } from "./vault-mandates";

const REQUEST = /\/authorize\/(mandate|payment|refund)\/([\w.:-]+)(?:\?token=([\w.-]+))?(?=[\s"'])/g;

/** Who decides at the addresses that a program prints, and where they keep the money of the mandates that they sign. */
export type Decider = { owner: TestOwner; isWithVault?: boolean };

async function decide({ owner, isWithVault }: Decider, kind: string, id: string, token: string | undefined) {
  if (kind === "mandate") {
    await owned(owner, id, "claim", { token });
    const vault = async () => vaultSignatures(owner, id);
    const wallet = async () => ({ signature: await signatureOver(id, owner) });
    await owned(owner, id, "signature", await (isWithVault ? vault() : wallet()));
    return;
  }
  const path = kind === "payment" ? `/api/approvals/${id}/approve` : `/api/refunds/${id}/approve`;
  const { status, body } = await confirmedCall(owner, path, {});
  expect({ kind, status, body }).toMatchObject({ status: 200 });
}

/** Decides at each address in `text` to which nothing was said yet. */
export function answering(decider: () => Decider) {
  const answered = new Map<string, Promise<void>>();
  return {
    read(text: string): void {
      for (const [address, kind = "", id = "", token] of text.matchAll(REQUEST)) {
        if (!answered.has(address)) answered.set(address, decide(decider(), kind, id, token));
      }
    },
    done: () => Promise.all(answered.values()),
  };
}

type Running = { cwd: string; env: Record<string, string | undefined>; decider: () => Decider };

/** Runs a program while a person decides on its requests. Returns what it printed. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, decider }: Running,
): Promise<string> {
  const child = spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
  const person = answering(decider);
  let printed = "";
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  child.stdout.on("data", (chunk) => {
    printed += chunk;
    person.read(printed);
  });
  const code = await new Promise((settled) => child.once("close", settled));
  await person.done();
  expect({ code, complaints, printed }).toMatchObject({ code: 0 });
  return printed;
}
