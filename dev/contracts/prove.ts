import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const root = fileURLToPath(new URL("../../", import.meta.url));
const SOURCE = `${root}contracts/proofs/MandateVaultModel.sol`;
/** A query takes under a second on a quiet machine, and the longest four. */
const QUERY_SECONDS = 120;

/** Whether the solver is there: Debian's package z3. */
export const hasSolver = (): boolean => spawnSync("z3", ["--version"]).status === 0;

/**
 * Proves every assertion of the model for all inputs, and unless `onlyAssertions`, which takes a third of the time, that no sum
 * overflows. Throws with what is not proved.
 */
export function proveModel(say: (line: string) => void, { onlyAssertions = false } = {}): void {
  const { proved, open } = check(readFileSync(SOURCE, "utf8"), onlyAssertions ? { targets: ["assert"] } : {});
  if (open.length > 0) throw new Error(`not proved:\n${open.join("\n")}`);
  // Nothing was checked if, for example, the contracts had no assertion.
  if (proved < PROVED_MIN) throw new Error(`only ${proved} statements were checked`);
  say(`proved for all inputs: ${proved} statements of contracts/proofs`);
}

/** Throws if one of MUTANTS can be proved: the proof would not depend on what it changes. */
export function proveNoMutant(say: (line: string) => void): void {
  const source = readFileSync(SOURCE, "utf8");
  for (const [index, { name, code, by }] of MUTANTS.entries()) {
    if (source.split(code).length !== 2) throw new Error(`the mutant "${name}" does not apply exactly once`);
    const { open } = check(source.replace(code, by), { targets: ["assert"], untilOpen: true });
    if (open.length === 0) throw new Error(`proved although ${name}`);
    say(`${index + 1} of ${MUTANTS.length} mutants, rightly not proved: ${name}`);
  }
}

const PROVED_MIN = 15;

/** Changes of the model that break a promise. */
const MUTANTS: readonly { name: string; code: string; by: string }[] = [
  { name: "a payment is not compared with the released sum", code: "|| value > released - spent_", by: "" },
  { name: "a payment is possible after a revocation", code: "        if (isRevoked) return false;\n", by: "" },
  { name: "a payment is possible before the start", code: "        if (time < start) return false;\n", by: "" },
  {
    name: "a payment is possible at the end",
    code: "if (time >= end) return false",
    by: "if (time > end) return false",
  },
  {
    name: "a payment over the cap is possible",
    code: "value > perPayment) return false",
    by: "value > 2 * perPayment) return false",
  },
  { name: "any payee is paid", code: "        if (!isListed) return false;\n", by: "" },
  { name: "no signature is needed", code: "        return isSigned;\n", by: "        return true;\n" },
  {
    name: "what left is forgotten at a count",
    code: "(counted, funded) = (_toUint120(spent_),",
    by: "(counted, funded) = (0,",
  },
  { name: "a count raises what may be spent", code: "_toUint120(balance + spent_));", by: "_toUint120(balance));" },
  {
    name: "what was spent is what left since the last count",
    code: "return missing > counted ? missing : counted;",
    by: "return missing;",
  },
  {
    name: "the owner's funding is not counted",
    code: "funded = _toUint120(funded + value);",
    by: "funded = _toUint120(funded);",
  },
  {
    name: "a pull may exceed the released sum, and is counted short",
    code: "funded = _toUint120(total);",
    by: "funded = _toUint120(before);",
  },
  {
    name: "the owner cannot leave before the end",
    code: "return isRevoked || time >= end || isByOwner;",
    by: "return isRevoked || time >= end;",
  },
  { name: "a revocation lasts until the next step", code: "        isRevoked = true;\n", by: "" },
  {
    name: "less is released later",
    code: "(time - start) / period + 1",
    by: "10 - (time - start) / period % 10",
  },
  { name: "more than the limit is released", code: "return sum < limit ? sum : limit;", by: "return sum;" },
  {
    name: "a stranger counts",
    code: "        require(isByOwner);\n        _count();",
    by: "        _count();",
  },
  {
    name: "a count needs no signature",
    code: "        require(isSigned);\n        uint256 before = funded;",
    by: "        uint256 before = funded;",
  },
  {
    name: "a signed count can be used again",
    code: "require(before < total && total <= funded);",
    by: "require(total <= funded);",
  },
  {
    name: "a withdrawal counts",
    code: "        require(mayWithdraw(isByOwner));\n",
    by: "        require(mayWithdraw(isByOwner));\n        _count();\n",
  },
  {
    name: "bytes may follow a payment",
    code: "f.size != expected + 32 * f.proofLength",
    by: "f.size < expected + 32 * f.proofLength",
  },
  {
    name: "the agent's signature may be anywhere behind the signer's",
    code: "f.agentAt != expected",
    by: "f.agentAt < expected",
  },
  { name: "padding is not looked at", code: " || !f.isPadded) return false", by: ") return false" },
  {
    name: "a proof may be sent along where no list is",
    code: "return !((isHome || !hasList) && f.proofLength > 0);",
    by: "return true;",
  },
];

const compilerOutput = z.object({
  errors: z
    .array(
      z.object({
        severity: z.enum(["error", "warning", "info"]),
        errorCode: z.string().optional(),
        message: z.string(),
        sourceLocation: z.object({ start: z.number() }).optional(),
      }),
    )
    .default([]),
});

/** "Check is safe", and that this engine is going to be removed from later compilers. */
const [SAFE, ENGINE_OLD] = ["2961", "3993"];

/**
 * The statements that were proved, and those that were not with their lines. `untilOpen`: the first that is not ends the check. The
 * engine is BMC: it takes each function alone, from any state, which is what a step of an induction is. CHC has to find the
 * invariants by itself, and finds a third of them in an hour.
 */
function check(
  source: string,
  { targets = ["assert", "overflow", "underflow", "divByZero"], untilOpen = false } = {},
): { proved: number; open: string[] } {
  const solc = createRequire(`${root}dev/tools/package.json`)("solc");
  let isOpen = false;
  const smtSolver = (query: string) => {
    if (isOpen && untilOpen) return { contents: "unknown" };
    const contents = ask(query);
    // Of a state that contradicts the statement: `sat` is its counterexample.
    if (!contents.startsWith("unsat")) isOpen = true;
    return { contents };
  };
  const input = {
    language: "Solidity",
    sources: { model: { content: source } },
    settings: {
      modelChecker: {
        engine: "bmc",
        solvers: ["smtlib2"],
        targets,
        showProvedSafe: true,
        showUnproved: true,
      },
      outputSelection: { "*": { "*": [] } },
    },
  };
  const { errors } = compilerOutput.parse(JSON.parse(solc.compile(JSON.stringify(input), { smtSolver })));
  const lineOf = (offset: number) => source.slice(0, offset).split("\n").length;
  const open = errors
    .filter(({ errorCode = "" }) => errorCode !== SAFE && errorCode !== ENGINE_OLD)
    .map(({ message, sourceLocation }) => `line ${lineOf(sourceLocation?.start ?? 0)}: ${message}`);
  return { proved: errors.filter(({ errorCode }) => errorCode === SAFE).length, open };
}

/** z3 ends with a code other than 0 where a query asks for a counterexample that does not exist. */
function ask(query: string): string {
  const { stdout, error } = spawnSync("z3", ["-in", `-T:${QUERY_SECONDS}`], { input: query, encoding: "utf8" });
  if (error) throw error;
  return stdout;
}
